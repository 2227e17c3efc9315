internal import UndertextCore

/// Reads the Cues element (RFC 9559, section 5.1.5).
///
/// A media file has thousands of entries, which are read before anything else, so the parser works on bytes in
/// place, not on elements. Unreadable data may have been an entry, so damage anywhere invalidates the entire
/// index.
struct CueParser: ~Copyable {
    /// The reason why there are no entries.
    enum Failure: Error, Hashable {
        case tooManyEntries
        /// The bytes at an offset in the element's data differ from those a muxer writes.
        case damage(at: Int)
    }

    private(set) var entries: [CueEntry] = []
    private let limit: Int

    /// The entries of a Cues element, at most `limit`.
    static func parse(
        _ data: ArraySlice<UInt8>, limit: Int
    ) throws(Failure) -> [CueEntry] {
        var parser = CueParser(limit: limit)
        try parser.points(data.span)
        return parser.entries
    }

    private init(limit: Int) {
        self.limit = limit
    }

    private mutating func points(_ bytes: borrowing Span<UInt8>) throws(Failure) {
        // An entry with a duration takes about that much.
        entries.reserveCapacity(min(bytes.count / 24, limit))
        var cursor = SpanCursor(end: bytes.count)
        while let child = cursor.next(bytes) {
            switch child.id {
            case ElementID.cuePoint.rawValue: try point(bytes, child)
            case ElementID.void.rawValue: continue
            // A checksum is the first element; it is checked elsewhere.
            case ElementID.crc32.rawValue where entries.isEmpty && child.count == 4: continue
            default: throw .damage(at: child.start)
            }
        }
        guard !cursor.isDamaged else { throw .damage(at: bytes.count) }
    }

    private mutating func point(
        _ bytes: borrowing Span<UInt8>, _ point: SpanCursor.Child
    ) throws(Failure) {
        var cursor = SpanCursor(point.start, end: point.end)
        var time: UInt64?
        let first = entries.count
        while let child = cursor.next(bytes) {
            switch child.id {
            case ElementID.cueTime.rawValue where time == nil: time = child.unsigned(bytes)
            case ElementID.cueTrackPositions.rawValue:
                guard entries.count < limit else { throw .tooManyEntries }
                entries.append(try positions(bytes, child))
            case ElementID.void.rawValue: continue
            default: throw .damage(at: child.start)
            }
        }
        guard !cursor.isDamaged, let time, entries.count > first else {
            throw .damage(at: point.start)
        }
        for place in first..<entries.count { entries[place].time = time }
    }

    private func positions(
        _ bytes: borrowing Span<UInt8>, _ parent: SpanCursor.Child
    ) throws(Failure) -> CueEntry {
        var cursor = SpanCursor(parent.start, end: parent.end)
        var track: UInt64?
        var cluster: UInt64?
        var relative: UInt64?
        var duration: UInt64?
        while let child = cursor.next(bytes) {
            switch child.id {
            case ElementID.cueTrack.rawValue where track == nil: track = child.unsigned(bytes)
            case ElementID.cueClusterPosition.rawValue where cluster == nil:
                cluster = child.unsigned(bytes)
            case ElementID.cueRelativePosition.rawValue where relative == nil && child.count <= 8:
                relative = child.unsigned(bytes)
            case ElementID.cueDuration.rawValue where duration == nil && child.count <= 8:
                duration = child.unsigned(bytes)
            case ElementID.cueBlockNumber.rawValue, ElementID.cueCodecState.rawValue,
                ElementID.cueReference.rawValue, ElementID.void.rawValue:
                continue
            default: throw .damage(at: child.start)
            }
        }
        guard !cursor.isDamaged, let track, track > 0, let cluster else {
            throw .damage(at: parent.start)
        }
        return CueEntry(
            time: 0, track: track, cluster: cluster, relative: relative, duration: duration)
    }
}
