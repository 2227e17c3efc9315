internal import UndertextCore

/// Statistics of the valid UTF-8 in a text.
struct UTF8Statistics {
    /// Valid sequences of more than one byte.
    private(set) var valid = 0
    /// Sequences that are none.
    private(set) var invalid = 0
    /// Zero bytes.
    private(set) var zeros = 0

    init(_ bytes: ArraySlice<UInt8>) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            index = Self.endOfASCII(in: bytes, from: index)
            guard index < bytes.endIndex else { break }
            if bytes[index] == 0 {
                zeros += 1
                index += 1
                continue
            }
            // The letters of most languages need two bytes.
            if bytes[index] >= 0xC2, bytes[index] <= 0xDF, index + 1 < bytes.endIndex,
                bytes[index + 1] & 0xC0 == 0x80
            {
                valid += 1
                index += 2
                continue
            }
            // Nearly all others three: no first byte here has a rule of its own for the second.
            if bytes[index] > 0xE0, bytes[index] < 0xED, index + 2 < bytes.endIndex,
                bytes[index + 1] & 0xC0 == 0x80, bytes[index + 2] & 0xC0 == 0x80
            {
                valid += 1
                index += 3
                continue
            }
            let sequence = utf8Sequence(in: bytes, at: index)
            if sequence.isValid { valid += 1 } else { invalid += 1 }
            index += sequence.length
        }
    }

    /// `true` if the text needs no repair.
    var isClean: Bool { invalid == 0 && zeros == 0 }

    /// The end of the ASCII characters other than zero; long texts are examined eight bytes at a time.
    private static func endOfASCII(in bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        unsafe bytes.withUnsafeBytes { raw in
            let ones: UInt64 = 0x0101_0101_0101_0101
            var place = start - bytes.startIndex
            while place + 8 <= raw.count {
                let word = unsafe raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                // A byte that is zero or above 0x7F sets its highest bit here; the lowest such is exact.
                if ((word &- ones) | word) & (ones << 7) != 0 { break }
                place += 8
            }
            while place < raw.count, unsafe raw[place] != 0, unsafe raw[place] < 0x80 { place += 1 }
            return bytes.startIndex + place
        }
    }
}
