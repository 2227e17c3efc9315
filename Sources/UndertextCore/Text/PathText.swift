/// Paths as text, although a name on Linux is any bytes.
///
/// A byte 0x80...0xFF that is not part of valid UTF-8 becomes a character U+EF80...U+EFFF of the private use area, the
/// mapping of MirBSD's OPTU-8, and becomes that byte again for the system. The three bytes of such a
/// character in a name are mapped one by one, so that no two names have the same text.
package enum PathText {
    /// The text of a name that the system gave.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        if !holdsMarks(bytes), let text = String(validating: bytes, as: UTF8.self) { return text }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        var position = 0
        while position < bytes.count {
            let (length, isWhole) = utf8Sequence(in: bytes[...], at: position)
            let sequence = bytes[position..<position + max(1, length)]
            if isWhole, !isMark(sequence) {
                result += sequence
            } else {
                for byte in sequence { result += mark(byte) }
            }
            position += sequence.count
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the bytes of a path for the system, with a terminating zero byte.
    package static func systemPath(_ path: String) -> [CChar] {
        let bytes = Array(path.utf8)
        var result: [CChar] = []
        result.reserveCapacity(bytes.count + 1)
        var position = 0
        while position < bytes.count {
            if let byte = marked(bytes[position...].prefix(3)) {
                result.append(CChar(bitPattern: byte))
                position += 3
            } else {
                result.append(CChar(bitPattern: bytes[position]))
                position += 1
            }
        }
        result.append(0)
        return result
    }

    /// Returns the byte that a character represents, or `nil` for other characters.
    package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (0xEF80...0xEFFF).contains(scalar.value) ? UInt8(scalar.value & 0xFF) : nil
    }

    private static func holdsMarks(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == 0xEE && isMark(bytes[$0...].prefix(3)) }
    }

    private static func isMark(_ sequence: ArraySlice<UInt8>) -> Bool { marked(sequence) != nil }

    /// U+EF80...U+EFFF in UTF-8: EE BE 80 to EE BF BF.
    private static func marked(_ sequence: ArraySlice<UInt8>) -> UInt8? {
        let first = sequence.startIndex
        guard sequence.count == 3, sequence[first] == 0xEE, sequence[first + 1] & 0xFE == 0xBE,
            sequence[first + 2] & 0xC0 == 0x80
        else { return nil }
        return sequence[first + 1] << 6 | sequence[first + 2] & 0x3F
    }

    private static func mark(_ byte: UInt8) -> [UInt8] {
        [0xEE, 0xBC | byte >> 6, 0x80 | byte & 0x3F]
    }
}
