/// Walks the elements of a parent's data in place, like ``ElementCursor`` but without copies.
struct SpanCursor {
    /// An element as places in the span.
    struct Child {
        var id: UInt32
        var start: Int
        var end: Int
        /// Bytes of its data.
        var count: Int { end - start }

        /// An unsigned integer (RFC 8794, section 7.2); `nil` if it is longer than eight bytes.
        func unsigned(_ bytes: borrowing Span<UInt8>) -> UInt64? {
            guard count <= 8 else { return nil }
            var value: UInt64 = 0
            for place in start..<end { value = value << 8 | UInt64(bytes[place]) }
            return value
        }
    }

    private var position: Int
    /// `true` if the walk ended at something that is no whole element.
    private(set) var isDamaged = false
    private let end: Int

    /// Walks the bytes from `position` up to `end`, which lie in the span.
    init(_ position: Int = 0, end: Int) {
        self.position = position
        self.end = end
    }

    /// The next element, or `nil` at the end or at damage.
    mutating func next(_ bytes: borrowing Span<UInt8>) -> Child? {
        guard position < end else { return nil }
        let idLength = bytes[position].leadingZeroBitCount + 1
        guard idLength <= 4, idLength < end - position else { return damaged() }
        var id: UInt32 = 0
        for place in position..<position + idLength { id = id << 8 | UInt32(bytes[place]) }
        let sizeStart = position + idLength
        let sizeLength = bytes[sizeStart].leadingZeroBitCount + 1
        guard sizeLength <= 8, sizeLength <= end - sizeStart else { return damaged() }
        let marker: UInt64 = 0x80 >> UInt64(sizeLength - 1)
        var size = UInt64(bytes[sizeStart]) & (marker - 1)
        for place in sizeStart + 1..<sizeStart + sizeLength {
            size = size << 8 | UInt64(bytes[place])
        }
        let start = sizeStart + sizeLength
        // Inside a parent of known size no element may be of unknown size (section 6.2).
        guard size != (1 << UInt64(7 * sizeLength)) - 1, size <= UInt64(end - start) else {
            return damaged()
        }
        position = start + Int(size)
        return Child(id: id, start: start, end: position)
    }

    private mutating func damaged() -> Child? {
        position = end
        isDamaged = true
        return nil
    }
}
