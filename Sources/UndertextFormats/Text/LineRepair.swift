internal import UndertextCore

/// Bytes that text formats give a meaning.
enum Byte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let ampersand: UInt8 = 0x26
    static let comma: UInt8 = 0x2C
    static let hyphen: UInt8 = 0x2D
    static let period: UInt8 = 0x2E
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let greater: UInt8 = 0x3E
    /// U+00A0, which makes a visually empty line nonempty.
    static let noBreakSpace: [UInt8] = [0xC2, 0xA0]
    /// U+FFFD.
    static var replacement: [UInt8] { utf8Replacement }
}

/// Makes every line end a line feed.
func unifiedLineEnds<Bytes: Collection>(_ bytes: Bytes) -> [UInt8] where Bytes.Element == UInt8 {
    guard bytes.contains(Byte.carriageReturn) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.underestimatedCount)
    var followsReturn = false
    for byte in bytes {
        if byte == Byte.carriageReturn {
            result.append(Byte.lineFeed)
        } else if byte != Byte.lineFeed || !followsReturn {
            result.append(byte)
        }
        followsReturn = byte == Byte.carriageReturn
    }
    return result
}

/// Puts a no-break space on each empty line, because an empty line would end the cue.
///
/// - Parameters:
///   - bytes: text whose lines end with line feeds.
///   - lineIsEmpty: `true` if the current line is empty so far; carried from run to run.
/// - Returns: the text without empty lines, except for the last line, which is still open.
func fillingEmptyLines(_ bytes: [UInt8], lineIsEmpty: inout Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
        if byte == Byte.lineFeed {
            if lineIsEmpty { result += Byte.noBreakSpace }
            lineIsEmpty = true
        } else {
            lineIsEmpty = false
        }
        result.append(byte)
    }
    return result
}

/// A run of text whose bytes are ready to be written, but for the target's own escaping.
struct RepairedRun {
    /// UTF-8, lines separated by line feeds, none of them empty.
    var bytes: [UInt8]
    /// The run that contains it.
    var run: TextRun
}

/// The runs of a text as a block of lines without empty ones.
///
/// Blocks of WebVTT and SubRip end at an empty line, so an empty one becomes a no-break space.
/// Spaces at line ends and line breaks at the end go. Empty if nothing is left to show.
func repairedRuns(of text: StyledText) -> [RepairedRun] {
    var check = LineCheck()
    var runs = text.runs.map { run in
        let bytes = Array(run.text.utf8)
        for byte in bytes { check.take(byte) }
        return RepairedRun(bytes: bytes, run: run)
    }
    if check.passes, runs.allSatisfy({ $0.run.ruby == nil }) { return runs }
    for index in runs.indices {
        var bytes: [UInt8] = []
        for byte in unifiedLineEnds(runs[index].bytes) {
            if byte == 0 { bytes += Byte.replacement } else { bytes.append(byte) }
        }
        runs[index].bytes = bytes
    }
    var isAtLineEnd = true
    var isAtTextEnd = true
    for index in runs.indices.reversed() {
        if runs[index].run.ruby != nil {
            isAtLineEnd = false
            isAtTextEnd = false
        }
        var kept: [UInt8] = []
        for byte in runs[index].bytes.reversed() {
            if byte == Byte.lineFeed {
                isAtLineEnd = true
                if isAtTextEnd { continue }
            } else if isAtLineEnd, byte == Byte.space || byte == Byte.tab {
                continue
            } else {
                isAtLineEnd = false
                isAtTextEnd = false
            }
            kept.append(byte)
        }
        runs[index].bytes = kept.reversed()
    }
    guard !isAtTextEnd else { return [] }
    var lineIsEmpty = true
    for index in runs.indices {
        runs[index].bytes = fillingEmptyLines(runs[index].bytes, lineIsEmpty: &lineIsEmpty)
        if runs[index].run.ruby != nil { lineIsEmpty = false }
    }
    return runs
}

/// The bytes of a text that can be written as it is: one run without style whose lines need no repair,
/// and no byte that has a meaning in the format; `nil` for any other text.
func plainLines(of text: StyledText, unless hasMeaning: (UInt8) -> Bool) -> [UInt8]? {
    guard let words = text.unstyled else { return nil }
    let bytes = Array(words.utf8)
    var check = LineCheck()
    for byte in bytes {
        check.take(byte)
        if hasMeaning(byte) { return nil }
    }
    return check.passes ? bytes : nil
}

/// Follows a text byte by byte, and finds out if its lines need a repair.
private struct LineCheck {
    private var last = Byte.lineFeed
    private var isDamaged = false

    /// Processes the next byte.
    mutating func take(_ byte: UInt8) {
        if byte <= Byte.space {
            if byte == Byte.lineFeed {
                if endsLineBadly { isDamaged = true }
            } else if byte == 0 || byte == Byte.carriageReturn {
                isDamaged = true
            }
        }
        last = byte
    }

    /// `true` if no line so far is empty or ends with a space or tab, and there is no NUL or CR.
    var passes: Bool { !isDamaged && !endsLineBadly }

    private var endsLineBadly: Bool {
        last == Byte.lineFeed || last == Byte.space || last == Byte.tab
    }
}

/// Replaces each occurrence of `pattern`, which is not empty.
func replacing(_ pattern: String, with replacement: String, in bytes: [UInt8]) -> [UInt8] {
    let pattern = Array(pattern.utf8)
    guard let first = pattern.first else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
        if bytes[index] == first, bytes[index...].starts(with: pattern) {
            result += replacement.utf8
            index += pattern.count
        } else {
            result.append(bytes[index])
            index += 1
        }
    }
    return result
}
