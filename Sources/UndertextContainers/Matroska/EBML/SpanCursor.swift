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
        // Inside a parent of known size no element may be of unknown size (section 6.2).
        guard let prefix = ElementPrefix(bytes, at: position, end: end), let size = prefix.size,
            size <= UInt64(end - position - prefix.length)
        else { return damaged() }
        let start = position + prefix.length
        position = start + Int(size)
        return Child(id: prefix.id.rawValue, start: start, end: position)
    }

    private mutating func damaged() -> Child? {
        position = end
        isDamaged = true
        return nil
    }
}
