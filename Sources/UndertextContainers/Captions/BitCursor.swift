/// Bits of bytes, most significant first.
struct BitCursor {
    private let bytes: ArraySlice<UInt8>
    private var offset = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next `count` bits, of which the last 32 count; `nil` if fewer are left.
    mutating func next(_ count: Int) -> UInt32? {
        guard count <= bytes.count * 8 - offset else { return nil }
        var value: UInt32 = 0
        for _ in 0..<count {
            let byte = bytes[bytes.startIndex + offset / 8]
            value = value << 1 | UInt32(byte >> (7 - UInt8(offset % 8)) & 1)
            offset += 1
        }
        return value
    }

    /// The next bit as a flag; `nil` at the end.
    mutating func flag() -> Bool? { next(1).map { $0 == 1 } }

    /// A number coded as `ue(v)` (ITU-T H.264, section 9.1); `nil` if it does not fit 31 bits.
    mutating func exponential() -> Int? {
        var zeros = 0
        while let bit = next(1) {
            guard bit == 0 else { return next(zeros).map { Int($0) + (1 << zeros) - 1 } }
            zeros += 1
            if zeros > 31 { return nil }
        }
        return nil
    }

    /// A number coded as `se(v)`.
    mutating func signedExponential() -> Int? {
        exponential().map { $0 % 2 == 0 ? -$0 / 2 : $0 / 2 + 1 }
    }
}
