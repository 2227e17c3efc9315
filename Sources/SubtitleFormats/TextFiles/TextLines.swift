/// Copies lines out of a text file.
enum TextLines {
    /// The bytes of `range`: line ends made line feeds, NUL made U+FFFD, long lines cut.
    ///
    /// - Parameters:
    ///   - range: whole lines or parts of one, without the last one's end.
    ///   - bytes: the file, valid UTF-8.
    ///   - longest: bytes that a line may have; a longer one loses whole characters.
    ///   - joinsReturns: whether CR CR LF is one end of a line.
    /// - Returns: valid UTF-8, as `bytes` are.
    static func repaired(
        _ range: Range<Int>, of bytes: [UInt8], longest: Int, joinsReturns: Bool = false
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var lineStart = 0
        var isCut = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            switch byte {
            case Byte.lineFeed, Byte.carriageReturn:
                if byte == Byte.carriageReturn {
                    let rest = index..<range.upperBound
                    if starts(with: Byte.lineFeed, bytes, at: rest) {
                        index += 1
                    } else if joinsReturns, starts(with: Byte.carriageReturn, bytes, at: rest),
                        starts(with: Byte.lineFeed, bytes, at: rest.dropFirst())
                    {
                        index += 2
                    }
                }
                result.append(Byte.lineFeed)
                lineStart = result.count
                isCut = false
            case _ where isCut: break
            case _ where result.count - lineStart >= longest:
                isCut = true
                if isContinuation(byte) { dropLastCharacter(of: &result) }
            case 0: result += Byte.replacement
            default: result.append(byte)
            }
        }
        return result
    }

    /// The number of the character at `offset` in a line that begins at `start`, from 1.
    static func column(of offset: Int, from start: Int, in bytes: [UInt8]) -> Int {
        var column = 1
        var index = start
        while index < min(offset, bytes.count) {
            if !isContinuation(bytes[index]) { column += 1 }
            index += 1
        }
        return column
    }

    private static func starts(with byte: UInt8, _ bytes: [UInt8], at range: Range<Int>) -> Bool {
        range.first.map { bytes[$0] == byte } ?? false
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func dropLastCharacter(of bytes: inout [UInt8]) {
        while let last = bytes.popLast(), isContinuation(last) {}
    }
}
