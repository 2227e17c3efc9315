/// The run-length code of DVD sub-pictures: two bits a pixel, rows of one field.
///
/// A code of 1 to 4 nibbles is `run << 2 | color`; the longest with run 0 goes to the end of the
/// line. Each line begins on a whole byte.
enum SPURunLengthEncoder {
    /// Encodes every second row of an image, beginning with row `first`.
    ///
    /// - Parameters:
    ///   - indices: colors 0 to 3, row by row.
    ///   - width: pixels of a row.
    ///   - first: 0 for the top field, 1 for the bottom field.
    /// - Returns: whole bytes.
    static func encode(_ indices: [UInt8], width: Int, first: Int) -> [UInt8] {
        var output = Nibbles()
        for start in stride(from: first * width, to: indices.count, by: 2 * max(1, width)) {
            let end = min(start + width, indices.count)
            var position = start
            while position < end {
                let color = indices[position]
                var next = position + 1
                while next < end, indices[next] == color { next += 1 }
                output.append(run: next - position, color: color, isLast: next == end)
                position = next
            }
            output.alignToByte()
        }
        return output.bytes
    }

    /// Nibbles, the high one of a byte first.
    private struct Nibbles {
        private(set) var bytes: [UInt8] = []
        private var isHalf = false

        mutating func append(run: Int, color: UInt8, isLast: Bool) {
            if isLast, run > 63 {
                append(UInt16(color), count: 4)
                return
            }
            var rest = run
            while rest > 0 {
                let part = min(rest, 255)
                rest -= part
                let code = UInt16(truncatingIfNeeded: part) << 2 | UInt16(color)
                append(code, count: part < 4 ? 1 : part < 16 ? 2 : part < 64 ? 3 : 4)
            }
        }

        mutating func alignToByte() { isHalf = false }

        private mutating func append(_ code: UInt16, count: UInt16) {
            for place in (0..<count).reversed() {
                let nibble = UInt8(truncatingIfNeeded: code >> (4 * place) & 0xF)
                if isHalf {
                    bytes[bytes.count - 1] |= nibble
                } else {
                    bytes.append(nibble << 4)
                }
                isHalf.toggle()
            }
        }
    }
}
