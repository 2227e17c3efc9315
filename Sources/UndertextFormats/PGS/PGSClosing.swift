internal import UndertextCore

/// Ends the display sets of a part of a track at the end of the part.
///
/// A set that begins after the end is needed only to clear the screen: if anything is shown, the first one is
/// reduced to a composition without objects; later ones are dropped.
struct PGSClosing {
    /// A segment without its framing.
    struct Segment {
        var type: UInt8
        var payload: ArraySlice<UInt8>
    }

    private enum Stage {
        /// Before the end.
        case inside
        /// In a set after the end that shows nothing and is copied.
        case clearing
        /// After all that is needed.
        case done
    }

    private let end: Timestamp?
    private var stage = Stage.inside
    private var isShowing = false
    /// The windows of what is shown, which a clear has to name.
    private var windows: Segment?

    private static let (composition, window, setEnd) = (
        0x16 as UInt8, 0x17 as UInt8, 0x80 as UInt8
    )
    /// Bytes of a composition before its objects.
    private static let headSize = 11

    /// - Parameter end: the end of the part; `nil` to pass everything.
    init(end: Timestamp?) { self.end = end }

    /// `true` if a display set of that time is after the end.
    func isBehind(_ start: Timestamp) -> Bool { end.map { start >= $0 } ?? false }

    /// Returns the bytes to write for a segment of a display set that is shown at `start`.
    ///
    /// The composition determines the display set of a segment, because objects are decoded earlier.
    mutating func add(_ segment: Segment, at start: Timestamp) -> [Segment] {
        switch stage {
        case .done: return []
        case .clearing:
            if segment.type == Self.composition || segment.type == Self.setEnd { stage = .done }
            return segment.type == Self.composition ? [] : [segment]
        case .inside: break
        }
        guard segment.type == Self.composition else {
            if segment.type == Self.window { windows = segment }
            return [segment]
        }
        let head = Array(segment.payload.prefix(Self.headSize))
        let shows = head.count == Self.headSize && (head[10] > 0 || head[8] & 0x80 != 0)
        guard isBehind(start) else {
            isShowing = shows
            return [segment]
        }
        guard isShowing, head.count == Self.headSize else {
            stage = .done
            return []
        }
        guard shows else {
            stage = .clearing
            return [segment]
        }
        stage = .done
        var clear = head
        // An ordinary set, no palette update, no objects.
        (clear[7], clear[8], clear[10]) = (0, 0, 0)
        return [Segment(type: Self.composition, payload: clear[...])] + (windows.map { [$0] } ?? [])
            + [Segment(type: Self.setEnd, payload: [])]
    }
}
