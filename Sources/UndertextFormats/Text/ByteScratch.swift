/// Bytes that are made piece by piece in memory that is used again.
///
/// Appending single bytes to an array asks each time whether the array may be changed and grows.
struct ByteScratch {
    private var bytes: [UInt8] = []
    /// The number of bytes.
    private(set) var count = 0

    /// Begins again, with room for `size` bytes.
    mutating func begin(size: Int) {
        if bytes.count < size { bytes = [UInt8](repeating: 0, count: size) }
        count = 0
    }

    /// The bytes.
    var made: ArraySlice<UInt8> { bytes[..<count] }

    /// Forgets what was made after `count`.
    mutating func goBack(to count: Int) { self.count = count }

    mutating func put(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Puts a number that is not negative.
    mutating func putDecimal(_ value: Int) {
        var digits = 1
        var rest = value
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = value
        for place in (count..<count + digits).reversed() {
            bytes[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Puts `start --> end`.
    mutating func putTimes(_ entry: PlainCues.Entry, separator: UInt8) {
        putTimes(entry.start, entry.end, separator: separator)
    }

    /// Puts `start --> end`, which are milliseconds and not negative.
    mutating func putTimes(_ start: Int64, _ end: Int64, separator: UInt8) {
        putClock(start, separator: separator)
        for byte in Self.arrow { put(byte) }
        putClock(end, separator: separator)
    }

    private static let arrow = Array(" --> ".utf8)

    /// Puts `HH:MM:SS`, the hours with more digits where they need them, and milliseconds after `separator`.
    private mutating func putClock(_ milliseconds: Int64, separator: UInt8) {
        let hours = UInt64(milliseconds) / 3_600_000
        let rest = UInt32(truncatingIfNeeded: milliseconds % 3_600_000)
        if hours > 99 { putDecimal(Int(hours / 100)) }
        let place = count
        count += 12
        let (seconds, thousandths) = (rest / 1000, rest % 1000)
        var span = bytes.mutableSpan
        span[place] = Self.digit(UInt32(hours / 10 % 10))
        span[place + 1] = Self.digit(UInt32(hours % 10))
        span[place + 2] = Byte.colon
        span[place + 3] = Self.digit(seconds / 600)
        span[place + 4] = Self.digit(seconds / 60)
        span[place + 5] = Byte.colon
        span[place + 6] = Self.digit(seconds / 10 % 6)
        span[place + 7] = Self.digit(seconds)
        span[place + 8] = separator
        span[place + 9] = Self.digit(thousandths / 100)
        span[place + 10] = Self.digit(thousandths / 10)
        span[place + 11] = Self.digit(thousandths)
    }

    /// The last digit of a number.
    private static func digit(_ value: UInt32) -> UInt8 {
        0x30 + UInt8(truncatingIfNeeded: value % 10)
    }

    /// Appends the text of plain cues, lines ended by line feeds.
    ///
    /// - Returns: `false`, with nothing appended, if a byte has a special meaning.
    mutating func put(
        wordsAt range: Range<Int>, of text: [UInt8], unless hasMeaning: (UInt8) -> Bool
    ) -> Bool {
        let end = Self.copy(range, of: text, to: &bytes, at: count, unless: hasMeaning)
        count = end ?? count
        return end != nil
    }

    /// Puts words as cue text of WebVTT, tags unchanged.
    mutating func put(escapedWordsOf entry: PlainCues.Entry, in text: [UInt8]) {
        count = Self.escape(entry, of: text, to: &bytes, at: count)
    }

    private static func escape(
        _ entry: PlainCues.Entry, of text: [UInt8], to bytes: inout [UInt8], at start: Int
    ) -> Int {
        let source = text.span
        var span = bytes.mutableSpan
        var place = start
        for index in entry.words {
            let byte = source[index]
            // Without tags there is no `<` at all.
            if byte == Byte.ampersand || byte == Byte.greater && !entry.isTagged {
                span[place] = Byte.ampersand
                let isAmpersand = byte == Byte.ampersand
                span[place + 1] = isAmpersand ? 0x61 : 0x67
                span[place + 2] = isAmpersand ? 0x6D : 0x74
                if isAmpersand { span[place + 3] = 0x70 }
                place += isAmpersand ? 4 : 3
                span[place] = 0x3B
                place += 1
            } else if byte != Byte.carriageReturn {
                span[place] = byte
                place += 1
            }
        }
        return place
    }

    /// Copies text and returns the index after it.
    private static func copy(
        _ range: Range<Int>, of text: [UInt8], to bytes: inout [UInt8], at start: Int,
        unless hasMeaning: (UInt8) -> Bool
    ) -> Int? {
        let source = text.span
        var span = bytes.mutableSpan
        var place = start
        for index in range {
            let byte = source[index]
            if hasMeaning(byte) { return nil }
            span[place] = byte
            if byte != Byte.carriageReturn { place += 1 }
        }
        return place
    }
}
