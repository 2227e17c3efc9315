/// Dates and spans as XML Schema and HLS write them (ISO 8601).
package enum ISO8601: Sendable {
    /// Parses `2010-02-19T14:54:23.031+08:00` as the time since 1970, or returns `nil`.
    ///
    /// A date without a time zone is in UTC.
    package static func date(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            range.upperBound <= bytes.count ? decimalNumber(bytes[range]) : nil
        }
        func stands(_ characters: String, at place: Int) -> Bool {
            bytes.count > place && characters.utf8.contains(bytes[place])
        }
        guard let year = number(0..<4), stands("-", at: 4), let month = number(5..<7),
            stands("-", at: 7), let day = number(8..<10), stands("Tt ", at: 10),
            let hour = number(11..<13), stands(":", at: 13), let minute = number(14..<16),
            (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60
        else { return nil }
        var place = 16
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        if stands(":", at: place) {
            guard let value = number(17..<19), value <= 60 else { return nil }
            seconds = value
            place = 19
            if stands(".,", at: place) {
                let digits = bytes[(place + 1)...].prefix { $0.isDigit }
                guard !digits.isEmpty else { return nil }
                nanoseconds = fraction(digits)
                place += 1 + digits.count
            }
        }
        var zone: Int64 = 0
        if stands("+-", at: place) {
            let hasColon = stands(":", at: place + 3)
            guard let hours = number(place + 1..<place + 3) else { return nil }
            let minutes = number(place + (hasColon ? 4 : 3)..<place + (hasColon ? 6 : 5))
            guard let minutes = minutes ?? (bytes.count == place + 3 ? 0 : nil) else { return nil }
            zone = (hours * 60 + minutes) * (bytes[place] == 0x2B ? 60 : -60)
        }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute
        let total = (minutes * 60 + seconds - zone).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = total.partialValue.addingReportingOverflow(nanoseconds)
        return total.overflow || overflow ? nil : Timestamp(nanoseconds: sum)
    }

    /// `2010-02-19T06:54:23.031Z` for nanoseconds since 1970; milliseconds are rounded down.
    package static func text(_ time: Timestamp) -> String {
        let milliseconds = floor(time.nanoseconds, 1_000_000)
        let seconds = floor(milliseconds, 1000)
        let day = floor(seconds, 86_400)
        // Days since 1 March of the year 0, in eras of 400 years.
        let shifted = day + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        func digits(_ value: Int64, _ width: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let rest = seconds - day * 86_400
        return "\(digits(year, 4))-\(digits((month + 2) % 12 + 1))-"
            + "\(digits(dayOfYear - (153 * month + 2) / 5 + 1))T\(digits(rest / 3600)):"
            + "\(digits(rest / 60 % 60)):\(digits(rest % 60)).\(digits(milliseconds - seconds * 1000, 3))Z"
    }

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }

    /// Days since 1970 in the Gregorian calendar, years counted from March.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The first nine digits as nanoseconds.
    private static func fraction(_ digits: ArraySlice<UInt8>) -> Int64 {
        var value: Int64 = 0
        for place in 0..<9 {
            let index = digits.startIndex + place
            value = value * 10 + (index < digits.endIndex ? Int64(digits[index] - 0x30) : 0)
        }
        return value
    }

    /// Parses `P1DT2H3M4.5S`, or returns `nil`, also for years and months, whose lengths vary.
    package static func span(_ text: String) -> Timestamp? {
        var bytes = Array(text.utf8)[...]
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes.removeFirst() }
        guard bytes.popFirst() == UInt8(ascii: "P"), !bytes.isEmpty else { return nil }
        var total = Int128(0)
        var isTime = false
        while let next = bytes.first {
            if next == UInt8(ascii: "T") {
                guard !isTime else { return nil }
                isTime = true
                bytes.removeFirst()
                continue
            }
            let digits = bytes.prefix { $0.isDigit }
            guard (1...12).contains(digits.count) else { return nil }
            let whole = digits.reduce(Int128(0)) { $0 * 10 + Int128($1 - 0x30) }
            bytes = bytes.dropFirst(digits.count)
            var part = Int128(0)
            if bytes.first == UInt8(ascii: ".") {
                let decimals = bytes.dropFirst().prefix { $0.isDigit }
                part = Int128(fraction(decimals))
                bytes = bytes.dropFirst(1 + decimals.count)
            }
            let seconds: Int128
            switch (bytes.popFirst(), isTime) {
            case (UInt8(ascii: "W"), false): seconds = 604_800
            case (UInt8(ascii: "D"), false): seconds = 86_400
            case (UInt8(ascii: "H"), true): seconds = 3600
            case (UInt8(ascii: "M"), true): seconds = 60
            case (UInt8(ascii: "S"), true): seconds = 1
            case (UInt8(ascii: "Y"), false) where whole == 0 && part == 0: seconds = 0
            case (UInt8(ascii: "M"), false) where whole == 0 && part == 0: seconds = 0
            default: return nil
            }
            total += (whole * 1_000_000_000 + part) * seconds
        }
        return Int64(exactly: isNegative ? -total : total).map(Timestamp.init(nanoseconds:))
    }
}
