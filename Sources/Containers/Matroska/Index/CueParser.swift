internal import MediaCore

/// Reads the Cues element (RFC 9559, section 5.1.5).
///
/// A film has thousands of entries and they are read before anything else, so this works on bytes
/// in place, not on elements.
struct CueParser: ~Copyable {
    private(set) var entries: [CueEntry] = []
    private let limit: Int

    /// The entries of a Cues element; `nil` if there are more than `limit`.
    static func parse(_ data: ArraySlice<UInt8>, limit: Int) -> [CueEntry]? {
        var parser = CueParser(limit: limit)
        guard parser.points(data.span) else { return nil }
        return parser.entries
    }

    private init(limit: Int) {
        self.limit = limit
    }

    /// Damage ends the list; `false` if there are too many entries.
    private mutating func points(_ bytes: borrowing Span<UInt8>) -> Bool {
        // An entry with a duration takes about that much.
        entries.reserveCapacity(min(bytes.count / 24, limit))
        var cursor = SpanCursor(end: bytes.count)
        while let point = cursor.next(bytes) {
            guard point.id == ElementID.cuePoint.rawValue else { continue }
            guard self.point(bytes, SpanCursor(point.start, end: point.end)) else { return false }
        }
        return true
    }

    private mutating func point(_ bytes: borrowing Span<UInt8>, _ start: SpanCursor) -> Bool {
        var cursor = start
        var time: UInt64?
        let first = entries.count
        while let child = cursor.next(bytes) {
            switch child.id {
            case ElementID.cueTime.rawValue: time = child.unsigned(bytes)
            case ElementID.cueTrackPositions.rawValue:
                guard let entry = positions(bytes, SpanCursor(child.start, end: child.end))
                else { continue }
                guard entries.count < limit else { return false }
                entries.append(entry)
            default: break
            }
        }
        if let time {
            for place in first..<entries.count { entries[place].time = time }
        } else {
            entries.removeSubrange(first...)
        }
        return true
    }

    private func positions(_ bytes: borrowing Span<UInt8>, _ start: SpanCursor) -> CueEntry? {
        var cursor = start
        var track: UInt64?
        var cluster: UInt64?
        var relative: UInt64?
        var duration: UInt64?
        while let child = cursor.next(bytes) {
            switch child.id {
            case ElementID.cueTrack.rawValue: track = child.unsigned(bytes)
            case ElementID.cueClusterPosition.rawValue: cluster = child.unsigned(bytes)
            case ElementID.cueRelativePosition.rawValue: relative = child.unsigned(bytes)
            case ElementID.cueDuration.rawValue: duration = child.unsigned(bytes)
            default: break
            }
        }
        guard let track, let cluster else { return nil }
        return CueEntry(
            time: 0, track: track, cluster: cluster, relative: relative, duration: duration)
    }
}
