/// The error protection of teletext: Hamming codes and odd parity.
///
/// EN 300 706, section 8. Bits are counted in the order of transmission, the first one is the least significant.
enum TeletextCoding {
    /// A byte with its bits in opposite order, as EN 300 472 stores them.
    static func reversed(_ byte: UInt8) -> UInt8 {
        var byte = byte
        byte = byte << 4 | byte >> 4
        byte = (byte & 0x33) << 2 | (byte >> 2) & 0x33
        return (byte & 0x55) << 1 | (byte >> 1) & 0x55
    }

    /// The seven bits of a character; `nil` with wrong parity.
    static func character(_ byte: UInt8) -> UInt8? {
        byte.nonzeroBitCount % 2 == 1 ? byte & 0x7F : nil
    }

    /// The four bits of a byte of Hamming 8/4, with one wrong bit corrected; `nil` with more of them.
    static func hamming8(_ byte: UInt8) -> UInt8? { nibbles[Int(byte)] }

    /// The 18 bits of three bytes of Hamming 24/18, with one wrong bit corrected; `nil` with more of them.
    static func hamming24(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32? {
        var word = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
        // Each test covers the bits whose number, from 1, has the bit of the test: a failing one names the wrong bit.
        var wrong = 0
        for (index, mask) in tests.enumerated() where (word & mask).nonzeroBitCount % 2 == 0 {
            wrong |= 1 << index
        }
        let isOdd = word.nonzeroBitCount % 2 == 1
        if isOdd {
            guard wrong == 0 else { return nil }
        } else if wrong > 0 {
            guard wrong < 24 else { return nil }
            word ^= 1 << UInt32(wrong - 1)
        }
        return (word >> 2) & 0x1 | (word >> 3) & 0xE | (word >> 4) & 0x7F0 | (word >> 5) & 0x3F800
    }

    /// The code word of four bits.
    static func hamming8Code(_ nibble: UInt8) -> UInt8 {
        let data = (0..<4).map { nibble >> UInt8($0) & 1 }
        let first = 1 ^ data[0] ^ data[2] ^ data[3]
        let second = 1 ^ data[0] ^ data[1] ^ data[3]
        let third = 1 ^ data[0] ^ data[1] ^ data[2]
        let low = first | data[0] << 1 | second << 2 | data[1] << 3
        let high = third | data[2] << 1 | data[3] << 3
        let all = low | high << 4
        return all.nonzeroBitCount % 2 == 0 ? all | 0x40 : all
    }

    private static let nibbles: [UInt8?] = {
        var nibbles = [UInt8?](repeating: nil, count: 256)
        for nibble in UInt8(0)..<16 {
            let code = hamming8Code(nibble)
            nibbles[Int(code)] = nibble
            for bit in UInt8(0)..<8 { nibbles[Int(code ^ 1 << bit)] = nibble }
        }
        return nibbles
    }()

    private static let tests: [UInt32] = (0..<5).map { test in
        (1..<24).reduce(0) { $1 >> test & 1 == 1 ? $0 | 1 << UInt32($1 - 1) : $0 }
    }
}
