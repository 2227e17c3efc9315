internal import UndertextCore

/// The part of a .sup file around the place that is read: enough to see where two segments lead.
struct SUPWindow {
    /// The longest segment.
    static let longest = SUPSegmentHeader.size + 0xFFFF
    private static let blockSize = 256 << 10

    private let source: any RandomAccessSource
    private(set) var bytes: [UInt8] = []
    /// The offset of ``bytes`` in the file.
    private(set) var offset: UInt64 = 0
    /// The place that is read, in ``bytes``.
    private(set) var place = 0
    /// `true` if ``bytes`` reach to the end of the file.
    private(set) var isLast = false

    init(_ source: any RandomAccessSource) { self.source = source }

    /// The place that is read, in the file.
    var position: UInt64 { offset + UInt64(place) }
    /// Bytes from there on.
    var remaining: Int { bytes.count - place }

    /// Advances within the buffered bytes.
    mutating func advance(_ count: Int) { place += min(count, remaining) }

    /// Reads until two segments and another header are buffered, or the file ends.
    mutating func fill() throws(UndertextError) {
        guard !isLast, remaining < 2 * Self.longest + SUPSegmentHeader.size else { return }
        bytes.removeFirst(place)
        offset += UInt64(place)
        place = 0
        let more = try source.read(at: offset + UInt64(bytes.count), count: Self.blockSize)
        isLast = more.count < Self.blockSize
        bytes += more
    }

    /// Returns `true` if a segment's magic or the end of the file is `distance` bytes ahead.
    func leadsOn(_ distance: Int) -> Bool {
        let next = place + distance
        if next == bytes.count { return isLast }
        guard next + 1 < bytes.count else { return false }
        return bytes[next] == 0x50 && bytes[next + 1] == 0x47
    }

    /// The header `distance` after the place.
    func header(_ distance: Int) -> SUPSegmentHeader? {
        SUPSegmentHeader(bytes, at: place + distance)
    }

    /// Returns the distance to the next segment with its magic, a known type and another segment after it.
    ///
    /// - Parameter range: the distances from the current position to search.
    /// - Returns: the distance; `nil` if there is none.
    func nextSegment(_ range: Range<Int>) -> Int? {
        var distance = range.lowerBound
        let last = min(range.upperBound, remaining - 1)
        while distance < last {
            guard let found = bytes[(place + distance)..<(place + last)].firstIndex(of: 0x50) else {
                return nil
            }
            distance = found - place
            if let header = header(distance), header.hasMagic, header.isKnown,
                leadsOn(distance + header.length) || cannotTell(distance + header.length)
            {
                return distance
            }
            distance += 1
        }
        return nil
    }

    /// `true` if an offset is after the end of a truncated file.
    private func cannotTell(_ distance: Int) -> Bool { isLast && distance > remaining }
}
