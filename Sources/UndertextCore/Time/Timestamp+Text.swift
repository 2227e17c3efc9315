extension Timestamp: CustomStringConvertible {
    /// The time as `01:02:03.500`; nanoseconds follow where there are any, and a minus sign precedes times before zero.
    public var description: String {
        let value = nanoseconds.magnitude
        let fraction = value % 1_000_000_000
        let isWhole = fraction % 1_000_000 == 0
        func padded(_ number: UInt64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let seconds = value / 1_000_000_000
        return (nanoseconds < 0 ? "-" : "") + padded(seconds / 3600, 2) + ":"
            + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + "."
            + (isWhole ? padded(fraction / 1_000_000, 3) : padded(fraction, 9))
    }

    /// The time that `text` states as `description` does; `nil` if it states none.
    ///
    /// Hours may be missing, and the fraction has up to nine digits: `02:03`, `1:02:03.5`, `-00:00:01.000`.
    public init?(parsing text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let halves = rest.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fields = halves[0].split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count) else { return nil }
        var seconds: Int128 = 0
        for (place, field) in fields.enumerated() {
            guard let number = Self.number(field, digits: 1...9), place == 0 || number < 60
            else { return nil }
            seconds = seconds * 60 + Int128(number)
        }
        var fraction: Int128 = 0
        if halves.count == 2 {
            guard let number = Self.number(halves[1], digits: 1...9) else { return nil }
            fraction = Int128(number)
            for _ in halves[1].count..<9 { fraction *= 10 }
        }
        let total = seconds * 1_000_000_000 + fraction
        guard let value = Int64(exactly: isNegative ? -total : total) else { return nil }
        self.init(nanoseconds: value)
    }

    private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> UInt64? {
        guard digits.contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt64(Substring(text))
    }
}

extension Timestamp: ExpressibleByStringLiteral {
    /// The time of a literal, such as `"01:02:03.500"`; one that states no time is a mistake in the program and traps.
    public init(stringLiteral text: String) {
        guard let time = Timestamp(parsing: text) else {
            preconditionFailure("'\(text)' is not a time such as 01:02:03.500")
        }
        self = time
    }
}
