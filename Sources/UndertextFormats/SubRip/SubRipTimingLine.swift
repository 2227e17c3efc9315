internal import UndertextCore

/// A line of a SubRip file with the times of a cue, in any of the spellings that are found.
struct SubRipTimingLine {
    /// The differences of a line from `00:00:00,000 --> 00:00:00,000`.
    struct Oddities: OptionSet {
        let rawValue: UInt16

        /// A point or a colon before the fraction.
        static let point = Oddities(rawValue: 1)
        /// A fraction that has not three digits, or none.
        static let fraction = Oddities(rawValue: 2)
        /// Times without hours.
        static let noHours = Oddities(rawValue: 4)
        /// Minutes or seconds above 59.
        static let overflow = Oddities(rawValue: 8)
        /// An arrow other than `-->`.
        static let arrow = Oddities(rawValue: 16)
        /// A time before zero.
        static let negative = Oddities(rawValue: 32)
        /// The number precedes the times, on the same line.
        static let number = Oddities(rawValue: 64)
    }

    /// Start in milliseconds.
    private(set) var start: Int64 = 0
    /// End in milliseconds, as written.
    private(set) var end: Int64 = 0
    /// The text after the times, without white space around it.
    private(set) var rest: Range<Int>
    /// The oddities.
    private(set) var oddities: Oddities = []

    /// Parses the line at `range`; `nil` if it is not a timing line.
    ///
    /// The caller has seen a `>` in it, which keeps most lines of text from here.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        var position = range.lowerBound
        self.init(bytes, range, &position)
    }

    /// The index of what keeps a line from being a timing line.
    static func fault(in bytes: [UInt8], _ range: Range<Int>) -> Int {
        var position = range.lowerBound
        return SubRipTimingLine(bytes, range, &position) == nil ? position : range.upperBound
    }

    private init?(_ bytes: [UInt8], _ range: Range<Int>, _ position: inout Int) {
        rest = range.upperBound..<range.upperBound
        let usualEnd = range.lowerBound + Self.usualLength
        if range.upperBound == usualEnd
            || range.upperBound > usualEnd && bytes[usualEnd].isSpace,
            let usual = Self.usual(bytes, at: range.lowerBound)
        {
            (start, end) = usual
            if range.upperBound == usualEnd { return }
            position = usualEnd
        } else {
            var scanner = SubRipTimeScanner(bytes, range)
            defer { position = scanner.position }
            guard let start = scanner.start(), scanner.arrow(), let end = scanner.time() else {
                return nil
            }
            (self.start, self.end) = (start, end)
            oddities = scanner.oddities
            position = scanner.position
        }
        guard position == range.upperBound || bytes[position].isSpace else { return nil }
        var (first, last) = (position, range.upperBound)
        while first < last, bytes[first].isSpace { first += 1 }
        while last > first, bytes[last - 1].isSpace { last -= 1 }
        rest = first..<last
    }

    /// The length of `00:00:00,000 --> 00:00:00,000`.
    static let usualLength = 29

    /// The times of `00:00:00,000 --> 00:00:00,000`, which nearly every line is.
    static func usual(_ bytes: [UInt8], at start: Int) -> (start: Int64, end: Int64)? {
        guard start + usualLength <= bytes.count, bytes[start + 12] == Byte.space,
            bytes[start + 13] == Byte.hyphen,
            bytes[start + 14] == Byte.hyphen, bytes[start + 15] == Byte.greater,
            bytes[start + 16] == Byte.space
        else { return nil }
        let begin = clock(bytes, at: start)
        let end = clock(bytes, at: start + 17)
        return begin < 0 || end < 0 ? nil : (begin, end)
    }

    /// The milliseconds of `00:00:00,000`; -1 if malformed.
    private static func clock(_ bytes: [UInt8], at start: Int) -> Int64 {
        guard bytes[start + 2] == Byte.colon, bytes[start + 5] == Byte.colon,
            bytes[start + 8] == Byte.comma
        else { return -1 }
        let hours = two(bytes, at: start)
        let minutes = two(bytes, at: start + 3)
        let seconds = two(bytes, at: start + 6)
        let tenths = bytes[start + 9] &- 0x30
        let rest = two(bytes, at: start + 10)
        guard hours < 100, minutes < 60, seconds < 60, tenths < 10, rest < 100 else { return -1 }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Int64(tenths) * 100 + rest
    }

    /// The number of two digits; 100 and more if they are none.
    private static func two(_ bytes: [UInt8], at start: Int) -> Int64 {
        let (high, low) = (bytes[start] &- 0x30, bytes[start + 1] &- 0x30)
        return high < 10 && low < 10 ? Int64(high) * 10 + Int64(low) : 100
    }
}

/// Reads unusual spellings of times.
struct SubRipTimeScanner {
    private let bytes: [UInt8]
    private let limit: Int
    /// The next byte, or the one that does not fit.
    private(set) var position: Int
    /// The oddities so far.
    private(set) var oddities: SubRipTimingLine.Oddities = []

    /// Hours whose nanoseconds still fit 64 bits.
    private static let mostHours: Int64 = 2_562_047

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        limit = range.upperBound
        position = range.lowerBound
        // A byte order mark within the text: files were joined.
        if range.count >= 3, bytes[position] == 0xEF, bytes[position + 1] == 0xBB,
            bytes[position + 2] == 0xBF
        {
            position += 3
        }
    }

    /// The first time of a line, a number before it skipped.
    mutating func start() -> Int64? {
        let begin = position
        if let time = time() { return time }
        let fault = position
        position = begin
        skipSpace()
        guard number() != nil, let next = peek, next.isSpace else {
            position = max(fault, position)
            return nil
        }
        oddities.insert(.number)
        if let time = time() { return time }
        return nil
    }

    /// An arrow: hyphens or dashes, spaces among them, and `>`.
    mutating func arrow() -> Bool {
        skipSpace()
        let begin = position
        var dashes = 0
        while let byte = peek {
            if byte == Byte.hyphen || byte == 0x3D {
                dashes += 1
                position += 1
            } else if byte == 0xE2, position + 2 < limit, bytes[position + 1] == 0x80,
                (0x90...0x95).contains(bytes[position + 2])
            {
                dashes += 1
                position += 3
            } else if byte.isSpace, dashes > 0 {
                position += 1
            } else {
                break
            }
        }
        guard dashes > 0, peek == Byte.greater else { return false }
        while peek == Byte.greater { position += 1 }
        let isUsual =
            position - begin == 3 && bytes[begin] == Byte.hyphen
            && bytes[begin + 1] == Byte.hyphen
        if !isUsual { oddities.insert(.arrow) }
        return true
    }

    /// A time in milliseconds: two or three numbers with colons, and a fraction.
    mutating func time() -> Int64? {
        skipSpace()
        var isNegative = false
        if let sign = peek, sign == Byte.hyphen || sign == 0x2B {
            isNegative = sign == Byte.hyphen
            position += 1
        }
        guard let first = number(), take(Byte.colon), let second = number() else { return nil }
        var (hours, minutes, seconds) = (Int64(0), first.value, second.value)
        if take(Byte.colon) {
            guard let third = number() else { return nil }
            (hours, minutes, seconds) = (first.value, second.value, third.value)
        } else {
            oddities.insert(.noHours)
        }
        guard hours < Self.mostHours, minutes < 1_000_000, seconds < 1_000_000 else { return nil }
        if minutes > 59 || seconds > 59 { oddities.insert(.overflow) }
        var time = ((hours * 60 + minutes) * 60 + seconds) * 1000
        time += fraction()
        if isNegative, time > 0 { oddities.insert(.negative) }
        return isNegative ? -time : time
    }

    /// The fraction as milliseconds, halves rounded up; 0 if there is none.
    private mutating func fraction() -> Int64 {
        let begin = position
        skipSpace()
        guard let separator = peek,
            separator == Byte.comma || separator == Byte.period || separator == Byte.colon
        else {
            position = begin
            oddities.insert(.fraction)
            return 0
        }
        position += 1
        skipSpace()
        guard let next = peek, next.isDigit else {
            // Text after the separator is not a part of the time.
            if separator == Byte.colon { position = begin }
            oddities.insert(.fraction)
            return 0
        }
        if separator != Byte.comma { oddities.insert(.point) }
        var value: Int64 = 0
        var count = 0
        while let byte = peek, byte.isDigit {
            if count < 3 { value = value * 10 + Int64(byte &- 0x30) }
            if count == 3, byte >= 0x35 { value += 1 }
            count += 1
            position += 1
        }
        if count != 3 { oddities.insert(.fraction) }
        if count == 1 { value *= 100 }
        if count == 2 { value *= 10 }
        return value
    }

    /// Digits; the value stops growing at a billion.
    private mutating func number() -> (value: Int64, count: Int)? {
        let begin = position
        var value: Int64 = 0
        while let byte = peek, byte.isDigit {
            if value < 1_000_000_000 { value = value * 10 + Int64(byte &- 0x30) }
            position += 1
        }
        return position > begin ? (value, position - begin) : nil
    }

    /// Consumes `byte` and the spaces around it; consumes nothing if another byte follows.
    private mutating func take(_ byte: UInt8) -> Bool {
        let begin = position
        skipSpace()
        guard peek == byte else {
            position = begin
            return false
        }
        position += 1
        skipSpace()
        return true
    }

    private var peek: UInt8? { position < limit ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte.isSpace { position += 1 }
    }
}
