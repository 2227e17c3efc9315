internal import UndertextCore

/// A cue as a SubRip file has it.
struct SubRipFileCue {
    /// The start in milliseconds; may be negative.
    var start: Int64
    /// The end in milliseconds, as written; it may be before ``start``.
    var end: Int64
    /// The text, with the line ends of the file; empty if there is none.
    var text: Range<Int>
    /// The offset of the coordinates on the timing line, and their length; 0 if there are none.
    var coordinates: (offset: Int, length: Int) = (0, 0)
    /// The number of the line with the times, from 1.
    var line: Int
    /// `true` if its text can be copied, but for tags: lines that are not empty and do not end with white space.
    var isPlain = true
    /// `true` if its text has a `<` or `{`.
    var hasTags = false
}

/// The separator between a line of a SubRip file and the last one that is not blank.
enum SubRipGap {
    /// Nothing: it follows at once.
    case none
    /// Lines of white space.
    case blank
    /// At least one line without anything.
    case empty
}

/// A line that contains only a number: the number of a cue if times follow, otherwise text.
struct SubRipNumberLine {
    /// The number.
    var value: Int
    /// The line.
    var range: Range<Int>
    /// The number of the line, from 1.
    var line: Int
    /// The preceding separator.
    var gap: SubRipGap

    /// The number that a line consists of, white space around it allowed; `nil` if it is none.
    static func value(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        // Most lines end here.
        guard index < range.upperBound, bytes[index] <= 0x39 || bytes[index] == 0xEF else {
            return nil
        }
        if bytes[index] == 0xEF {
            guard bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
            index += 3
        }
        while index < range.upperBound, bytes[index].isSpace { index += 1 }
        let start = index
        var value = 0
        while index < range.upperBound, bytes[index].isDigit, index - start < 10 {
            value = value * 10 + Int(bytes[index] &- 0x30)
            index += 1
        }
        guard (1...9).contains(index - start) else { return nil }
        while index < range.upperBound, bytes[index].isSpace { index += 1 }
        return index == range.upperBound ? value : nil
    }
}
