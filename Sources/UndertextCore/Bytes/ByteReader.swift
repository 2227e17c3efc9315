/// A bounds-checked cursor over bytes, big-endian unless a name says otherwise.
///
/// A read past the end returns `nil` and moves nothing: the caller decides what a short record means.
///
/// Public, not `package`: the compiler inlines nothing of another target that is `package`.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    /// Bytes consumed so far.
    public private(set) var offset: Int

    /// Reads from the start of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Reads from the start of `bytes`.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = 0
    }

    /// Bytes left.
    public var remaining: Int { bytes.count - offset }
    /// `true` if nothing is left.
    public var isAtEnd: Bool { remaining == 0 }

    /// Moves `count` bytes on; `false`, moving nothing, if fewer are left or `count` is negative.
    public mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= remaining else { return false }
        offset += count
        return true
    }

    /// Moves to `offset` from the start, or returns `false` if it is out of range.
    public mutating func seek(to offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.count else { return false }
        self.offset = offset
        return true
    }

    /// The next byte, without consuming it.
    public func peek() -> UInt8? {
        isAtEnd ? nil : bytes[bytes.startIndex + offset]
    }

    /// The next byte.
    public mutating func uint8() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { offset += 1 }
        return bytes[bytes.startIndex + offset]
    }

    /// Two bytes, most significant first.
    public mutating func uint16() -> UInt16? { unsigned(2).map { UInt16(truncatingIfNeeded: $0) } }
    /// Three bytes, most significant first.
    public mutating func uint24() -> UInt32? { unsigned(3).map { UInt32(truncatingIfNeeded: $0) } }
    /// Four bytes, most significant first.
    public mutating func uint32() -> UInt32? { unsigned(4).map { UInt32(truncatingIfNeeded: $0) } }
    /// Eight bytes, most significant first.
    public mutating func uint64() -> UInt64? { unsigned(8) }
    /// Two bytes, least significant first.
    public mutating func uint16LittleEndian() -> UInt16? { uint16().map(\.byteSwapped) }
    /// Four bytes, least significant first.
    public mutating func uint32LittleEndian() -> UInt32? { uint32().map(\.byteSwapped) }

    /// An unsigned integer of 0 to 8 bytes, most significant first.
    public mutating func unsigned(_ count: Int) -> UInt64? {
        guard count >= 0, count <= 8, count <= remaining else { return nil }
        var value: UInt64 = 0
        let start = bytes.startIndex + offset
        for byte in bytes[start..<start + count] { value = value << 8 | UInt64(byte) }
        offset += count
        return value
    }

    /// The next `count` bytes.
    public mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        let start = bytes.startIndex + offset
        offset += count
        return bytes[start..<start + count]
    }

    /// Everything that is left.
    public mutating func rest() -> ArraySlice<UInt8> {
        defer { offset = bytes.count }
        return bytes[(bytes.startIndex + offset)...]
    }
}
