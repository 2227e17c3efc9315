extension Timestamp {
    /// Parses a time such as `90`, `90.5`, `.5`, `1:30` or `01:02:03.25`.
    ///
    /// Returns `nil` if malformed; digits after the ninth decimal are ignored.
    package init?(clock text: String) {
        let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let clock = whole.count == 2 && whole[0].isEmpty ? "0" : whole[0]
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds: Int64 = 0
        for (place, part) in parts.enumerated() {
            guard let value = Self.digits(part), place == 0 || value < 60 else { return nil }
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 60)
            let (sum, carried) = product.addingReportingOverflow(value)
            guard !overflow, !carried else { return nil }
            seconds = sum
        }
        var fraction: Int64 = 0
        if whole.count == 2 {
            guard let value = Self.digits(whole[1].prefix(9)), Self.areDigits(whole[1]) else {
                return nil
            }
            fraction = value
            for _ in whole[1].utf8.prefix(9).count..<9 { fraction *= 10 }
        }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = nanoseconds.addingReportingOverflow(fraction)
        guard !overflow, !carried else { return nil }
        self.init(nanoseconds: sum)
    }

    private static func areDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isDigit }
    }

    private static func digits(_ text: Substring) -> Int64? {
        areDigits(text) ? Int64(text) : nil
    }
}

extension Timestamp: CustomStringConvertible {
    /// The time as `01:02:03.500`, with nine digits after the point if it is not a whole number of milliseconds.
    public var description: String {
        let magnitude = nanoseconds.magnitude
        let seconds = magnitude / 1_000_000_000
        let fraction = magnitude % 1_000_000_000
        let digits =
            fraction % 1_000_000 == 0
            ? zeroPadded(fraction / 1_000_000, to: 3) : zeroPadded(fraction, to: 9)
        return (nanoseconds < 0 ? "-" : "") + zeroPadded(seconds / 3600, to: 2) + ":"
            + zeroPadded(seconds / 60 % 60, to: 2) + ":" + zeroPadded(seconds % 60, to: 2) + "."
            + digits
    }
}

extension Timestamp: ExpressibleByStringLiteral {
    /// Creates a timestamp from a literal such as `"01:02:03.500"`, from seconds to hours.
    ///
    /// - Precondition: The literal is a time.
    public init(stringLiteral text: String) {
        guard let time = Timestamp(clock: text) else {
            // trap: only a literal in source code comes here, never input.
            preconditionFailure("'\(text)' is not a time such as 01:02:03.500")
        }
        self = time
    }
}
