internal import UndertextCore

/// Times of ASS scripts: `H:MM:SS.cc`.
enum ASSClock {
    /// Reads a time; `nil` if it is none.
    ///
    /// Taken as well: a sign, hours of any digits or none, `:` or `;` before the fraction, a
    /// fraction of one to three digits or none. Digits beyond milliseconds are cut off.
    static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var rest = text.trimmed
        let isNegative = rest.first == Byte.hyphen
        if isNegative { rest = rest.dropFirst() }
        var seconds: Int64 = 0
        var groups = 0
        var fraction: Int64 = 0
        while true {
            let digits = rest.prefix(while: \.isDigit)
            guard (1...9).contains(digits.count), groups < 3 else { return nil }
            seconds = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } + seconds * 60
            groups += 1
            rest = rest.dropFirst(digits.count)
            guard let separator = rest.first else { break }
            rest = rest.dropFirst()
            if separator == Byte.colon, groups < 3 { continue }
            guard [Byte.colon, Byte.period, 0x3B].contains(separator), !rest.isEmpty,
                rest.allSatisfy(\.isDigit)
            else { return nil }
            fraction = thousandths(rest)
            break
        }
        guard groups >= 2 else { return nil }
        let value = seconds * 1000 + fraction
        return isNegative ? -value : value
    }

    private static func thousandths(_ digits: ArraySlice<UInt8>) -> Int64 {
        var value: Int64 = 0
        for place in 0..<3 {
            let index = digits.startIndex + place
            value = value * 10 + (index < digits.endIndex ? Int64(digits[index] - 0x30) : 0)
        }
        return value
    }

    /// `true` if `text` is what ``append(centiseconds:to:)`` writes.
    static func isCanonical(_ text: ArraySlice<UInt8>) -> Bool {
        let hours = text.count - 9
        guard hours >= 1 else { return false }
        let base = text.startIndex
        for (place, byte) in text.enumerated() {
            switch place - hours {
            case 0, 3: guard byte == Byte.colon else { return false }
            case 6: guard byte == Byte.period else { return false }
            case 1, 4: guard (0x30...0x35).contains(byte) else { return false }
            default: guard byte.isDigit else { return false }
            }
        }
        return hours == 1 || text[base] != 0x30
    }

    /// Appends `H:MM:SS.cc`; negative times as zero.
    static func append(centiseconds: Int64, to output: inout [UInt8]) {
        let value = UInt64(max(0, centiseconds))
        output.appendDecimal(value / 360_000)
        output.append(Byte.colon)
        output.appendDecimal(value / 6000 % 60, digits: 2)
        output.append(Byte.colon)
        output.appendDecimal(value / 100 % 60, digits: 2)
        output.append(Byte.period)
        output.appendDecimal(value % 100, digits: 2)
    }
}

/// The times of a cue as scripts write them: whole centiseconds, never empty.
struct CentisecondSpan: Hashable {
    /// Start, not negative.
    var start: Int64
    /// End, at least one centisecond after ``start``.
    var end: Int64

    /// The times of `cue`, rounded half up.
    init(_ cue: Cue) {
        start = max(0, Self.rounded(cue.start))
        end = max(start + 1, Self.rounded(cue.end))
    }

    /// Centiseconds, halves rounded up.
    static func rounded(_ time: Timestamp) -> Int64 {
        let unit: Int64 = 10_000_000
        let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: unit)
        if remainder >= unit / 2 { return quotient + 1 }
        return remainder < -unit / 2 ? quotient - 1 : quotient
    }
}
