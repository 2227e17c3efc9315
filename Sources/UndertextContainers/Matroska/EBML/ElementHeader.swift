/// The identifier, place and size of an element in the source.
struct ElementHeader: Hashable, Sendable {
    /// The element ID.
    var id: ElementID
    /// The offset of its first byte.
    var start: UInt64
    /// The offset of its data.
    var dataStart: UInt64
    /// The length of its data; `nil` if it is unknown (RFC 8794, section 6.2).
    var size: UInt64?

    /// The offset after its data; `nil` if its size is unknown.
    var end: UInt64? { size.map { dataStart &+ $0 } }
}

/// The identifier and size at the start of some bytes.
struct ElementPrefix: Hashable, Sendable {
    var id: ElementID
    /// The length of the data; `nil` if it is unknown.
    var size: UInt64?
    /// The length of identifier and size.
    var length: Int

    /// The longest prefix that RFC 9559 allows: four bytes of identifier, eight of size.
    static let maximumLength = 12

    /// Reads the prefix at the start of `bytes`.
    ///
    /// `nil` if it is malformed or not whole.
    init?(_ bytes: ArraySlice<UInt8>) {
        self.init(bytes.span, at: 0, end: bytes.count)
    }

    /// Reads the prefix at `start`, which ends at `end` at the latest.
    init?(_ bytes: borrowing Span<UInt8>, at start: Int, end: Int) {
        guard start < end else { return nil }
        let idLength = bytes[start].leadingZeroBitCount + 1
        guard idLength <= 4, idLength < end - start else { return nil }
        var value: UInt32 = 0
        for place in start..<start + idLength { value = value << 8 | UInt32(bytes[place]) }
        var position = start + idLength
        guard let size = variableInteger(bytes, &position, end: end) else { return nil }
        id = ElementID(value)
        self.size = size.isUnknown ? nil : size.value
        length = position - start
    }
}

/// A number of variable length without its marker bit (RFC 8794, section 4).
struct VariableInteger: Hashable, Sendable {
    var value: UInt64
    /// Bytes it takes, 1 to 8.
    var length: Int
    /// `true` if all data bits are ones: an unknown size.
    var isUnknown: Bool { value == (1 << UInt64(7 * length)) - 1 }
}

/// Reads a number of variable length and moves `position` after it; `nil` if it is not whole.
func variableInteger(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> VariableInteger? {
    var place = position - bytes.startIndex
    guard place >= 0, let number = variableInteger(bytes.span, &place, end: bytes.count) else {
        return nil
    }
    position = bytes.startIndex + place
    return number
}

/// Reads a number of variable length that ends at `end` at the latest.
func variableInteger(
    _ bytes: borrowing Span<UInt8>, _ position: inout Int, end: Int
) -> VariableInteger? {
    guard position < end else { return nil }
    let length = bytes[position].leadingZeroBitCount + 1
    guard length <= 8, length <= end - position else { return nil }
    var value = UInt64(bytes[position]) & ((0x80 >> UInt64(length - 1)) - 1)
    for place in position + 1..<position + length { value = value << 8 | UInt64(bytes[place]) }
    position += length
    return VariableInteger(value: value, length: length)
}
