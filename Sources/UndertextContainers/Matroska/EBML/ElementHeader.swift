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
        var position = bytes.startIndex
        guard let id = Self.identifier(bytes, &position) else { return nil }
        guard let size = variableInteger(bytes, &position) else { return nil }
        self.id = id
        self.size = size.isUnknown ? nil : size.value
        length = position - bytes.startIndex
    }

    private static func identifier(
        _ bytes: ArraySlice<UInt8>, _ position: inout Int
    ) -> ElementID? {
        guard position < bytes.endIndex else { return nil }
        let length = bytes[position].leadingZeroBitCount + 1
        guard length <= 4, length <= bytes.endIndex - position else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + length] { value = value << 8 | UInt32(byte) }
        position += length
        return ElementID(value)
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
    guard position < bytes.endIndex else { return nil }
    let length = bytes[position].leadingZeroBitCount + 1
    guard length <= 8, length <= bytes.endIndex - position else { return nil }
    var value = UInt64(bytes[position]) & ((0x80 >> UInt64(length - 1)) - 1)
    for byte in bytes[position + 1..<position + length] { value = value << 8 | UInt64(byte) }
    position += length
    return VariableInteger(value: value, length: length)
}
