internal import UndertextCore

/// The position and the track of the Block of a SimpleBlock or BlockGroup, without its payload.
struct BlockLocation: Hashable, Sendable {
    /// TrackNumber.
    var track: UInt64
    /// The offset of the SimpleBlock, or of the Block within its group.
    var start: UInt64

    /// The number of elements of a group to examine: the Block is mandatory and the first of few.
    private static let childLimit = 32

    /// Looks into a SimpleBlock or BlockGroup of known size.
    ///
    /// `nil` if it is damaged or holds no Block.
    static func find(
        in parent: ElementHeader, window: SourceWindow
    ) throws(UndertextError) -> BlockLocation? {
        guard let end = parent.end else { return nil }
        if parent.id == .simpleBlock {
            guard let track = try track(at: parent.dataStart, before: end, window) else {
                return nil
            }
            return BlockLocation(track: track, start: parent.start)
        }
        var position = parent.dataStart
        for _ in 0..<childLimit {
            guard let child = try window.element(at: position, before: end),
                let next = child.end, next <= end
            else { return nil }
            if child.id == .block {
                guard let track = try track(at: child.dataStart, before: next, window) else {
                    return nil
                }
                return BlockLocation(track: track, start: child.start)
            }
            position = next
        }
        return nil
    }

    private static func track(
        at position: UInt64, before end: UInt64, _ window: SourceWindow
    ) throws(UndertextError) -> UInt64? {
        guard position < end else { return nil }
        guard let first = try window.bytes(at: position, count: 1).first else { return nil }
        let length = min(first.leadingZeroBitCount + 1, 8)
        guard UInt64(length) <= end - position else { return nil }
        let bytes = try window.bytes(at: position, count: length)
        var place = bytes.startIndex
        return variableInteger(bytes, &place)?.value
    }
}
