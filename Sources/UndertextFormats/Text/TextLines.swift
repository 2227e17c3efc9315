/// Copies lines of a text file.
enum TextLines {
    /// The bytes of `range`, with line endings replaced by line feeds, NUL by U+FFFD, and long lines cut.
    ///
    /// - Parameters:
    ///   - range: complete lines or parts of a line, without the last line ending.
    ///   - bytes: the file, valid UTF-8.
    ///   - longest: the maximum length of a line in bytes; a longer one loses whole characters.
    ///   - joinsReturns: `true` if CR CR LF is one line ending.
    /// - Returns: valid UTF-8.
    static func repaired(
        _ range: Range<Int>, of bytes: [UInt8], longest: Int, joinsReturns: Bool = false
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let start = index
            var hasNull = false
            while index < range.upperBound {
                let byte = bytes[index]
                if byte == Byte.lineFeed || byte == Byte.carriageReturn { break }
                if byte == 0 { hasNull = true }
                index += 1
            }
            if hasNull || index - start > longest {
                append(bytes[start..<index], longest: longest, to: &result)
            } else {
                result += bytes[start..<index]
            }
            guard index < range.upperBound else { break }
            result.append(Byte.lineFeed)
            index += lineEnd(bytes[index..<range.upperBound], joinsReturns: joinsReturns)
        }
        return result
    }

    /// Appends a line without NUL and cut to `longest` bytes.
    private static func append(
        _ line: ArraySlice<UInt8>, longest: Int, to result: inout [UInt8]
    ) {
        let start = result.count
        for byte in line {
            guard result.count - start < longest else {
                if isContinuation(byte) { dropLastCharacter(of: &result) }
                return
            }
            if byte == 0 { result += Byte.replacement } else { result.append(byte) }
        }
    }

    /// The length of the line ending at the beginning of `bytes`.
    private static func lineEnd(_ bytes: ArraySlice<UInt8>, joinsReturns: Bool) -> Int {
        guard bytes.first == Byte.carriageReturn else { return 1 }
        let rest = bytes.dropFirst()
        if rest.first == Byte.lineFeed { return 2 }
        let isJoined =
            joinsReturns && rest.first == Byte.carriageReturn
            && rest.dropFirst().first == Byte.lineFeed
        return isJoined ? 3 : 1
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

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func dropLastCharacter(of bytes: inout [UInt8]) {
        while let last = bytes.popLast(), isContinuation(last) {}
    }
}
