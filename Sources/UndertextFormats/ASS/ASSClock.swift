internal import UndertextCore

/// Times of ASS scripts: `H:MM:SS.cc`.
enum ASSClock {
    /// Reads a time; `nil` if it is none.
    ///
    /// Taken as well: a sign, hours of any digits or none, `:` or `;` before the fraction, a
    /// fraction of one to three digits or none. Digits beyond milliseconds are cut off.
    static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var index = text.startIndex
        var end = text.endIndex
        while index < end, text[index].isSpace { index += 1 }
        while index < end, text[end - 1].isSpace { end -= 1 }
        let isNegative = index < end && text[index] == Byte.hyphen
        if isNegative { index += 1 }
        var seconds: Int64 = 0
        var groups = 0
        while true {
            let start = index
            var group: Int64 = 0
            while index < end, text[index].isDigit, index - start < 10 {
                group = group * 10 + Int64(text[index] - 0x30)
                index += 1
            }
            guard (1...9).contains(index - start) else { return nil }
            seconds = seconds * 60 + group
            groups += 1
            guard groups < 3, index < end, text[index] == Byte.colon else { break }
            index += 1
        }
        guard groups >= 2 else { return nil }
        var value = seconds * 1000
        if index < end {
            guard [Byte.colon, Byte.period, 0x3B].contains(text[index]), index + 1 < end else {
                return nil
            }
            var place: Int64 = 100
            for digit in text[(index + 1)..<end] {
                guard digit.isDigit else { return nil }
                value += Int64(digit - 0x30) * place
                place /= 10
            }
        }
        return isNegative ? -value : value
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
