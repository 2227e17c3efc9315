internal import UndertextCore

/// The text of a cue and the head of the next one, where both are written as nearly all are.
///
/// The parser goes from line to line and stores the possible meanings of each. Between a line of
/// times and an empty line with the next number and times after it there is no ambiguity.
struct SubRipUsualBlock {
    /// The text of the cue: lines that are not empty and do not end with white space.
    private(set) var text: Range<Int>
    /// `true` if it has a `<` or `{`.
    private(set) var hasTags = false
    /// `true` if lines end with CR LF.
    private(set) var hasReturns = false
    /// The number of lines of the text and the next head.
    private(set) var lines = 0
    /// The start and end of the next cue in milliseconds.
    private(set) var times: (start: Int64, end: Int64) = (0, 0)
    /// The start of the text of the next cue.
    private(set) var end: Int

    /// Parses the text after a line of times; `nil` for unusual text.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - start: the offset of the text.
    ///   - number: the number of the next cue.
    ///   - longest: the maximum length of a line in bytes.
    init?(_ bytes: [UInt8], at start: Int, next number: Int, longest: Int) {
        text = start..<start
        end = start
        guard findTextEnd(bytes, from: start, longest: longest), takeNumber(bytes, number),
            let times = SubRipTimingLine.usual(bytes, at: end)
        else { return nil }
        self.times = times
        end += SubRipTimingLine.usualLength
        guard takeLineEnd(bytes) else { return nil }
    }

    /// Goes over the lines of the text and the empty line after them.
    private mutating func findTextEnd(_ bytes: [UInt8], from start: Int, longest: Int) -> Bool {
        let span = bytes.span
        var lineStart = start
        var index = start
        while index < span.count {
            let byte = span[index]
            index += 1
            // Nearly all bytes are letters, then digits and spaces.
            if byte > 0x3E {
                if byte == 0x7B { hasTags = true }
                continue
            }
            if byte > 0x0D {
                if byte == Byte.less { hasTags = true }
                // An arrow has no letter before its end, a tag has.
                if byte == Byte.greater, index < start + 2 || span[index - 2] < 0x41 {
                    return false
                }
                continue
            }
            guard byte <= Byte.lineFeed || byte == Byte.carriageReturn else { continue }
            if byte == Byte.tab { continue }
            var lineEnd = index - 1
            if byte == Byte.carriageReturn {
                guard index < span.count, span[index] == Byte.lineFeed else { return false }
                hasReturns = true
                index += 1
            } else if byte != Byte.lineFeed {
                return false
            }
            lines += 1
            if lineEnd == lineStart {
                end = index
                return !text.isEmpty
            }
            lineEnd = max(lineEnd, lineStart)
            guard span[lineEnd - 1] > Byte.space, lineEnd - lineStart <= longest,
                SubRipNumberLine.value(bytes, lineStart..<lineEnd) == nil
            else { return false }
            text = start..<lineEnd
            lineStart = index
        }
        return false
    }

    /// Consumes a line that contains only a number.
    private mutating func takeNumber(_ bytes: [UInt8], _ number: Int) -> Bool {
        var value = 0
        let start = end
        while end < bytes.count, bytes[end].isDigit, end - start < 10 {
            value = value * 10 + Int(bytes[end] &- 0x30)
            end += 1
        }
        return value == number && (1...9).contains(end - start) && takeLineEnd(bytes)
    }

    /// Consumes LF or CR LF.
    private mutating func takeLineEnd(_ bytes: [UInt8]) -> Bool {
        if end < bytes.count, bytes[end] == Byte.carriageReturn {
            hasReturns = true
            end += 1
        }
        guard end < bytes.count, bytes[end] == Byte.lineFeed else { return false }
        end += 1
        lines += 1
        return true
    }
}
