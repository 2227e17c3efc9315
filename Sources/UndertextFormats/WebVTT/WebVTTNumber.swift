internal import UndertextCore

/// Numbers as WebVTT's settings write them.
enum WebVTTNumber {
    /// A percentage such as `12.5%`, 0 to 100; `nil` if malformed.
    ///
    /// W3C WebVTT, section 6.3, "parse a percentage string".
    static func percentage(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.last == 0x25 else { return nil }
        let number = text.dropLast()
        guard isDigitsWithFraction(number), let value = Double(number.text) else { return nil }
        return (0...100).contains(value) ? value : nil
    }

    /// A line number such as `-1` or `2.5`; `nil` if malformed.
    static func line(_ text: ArraySlice<UInt8>) -> Double? {
        let digits = text.first == 0x2D ? text.dropFirst() : text
        guard isDigitsWithFraction(digits), let value = Double(text.text), value.isFinite else {
            return nil
        }
        return value
    }

    /// A non-negative integer; saturates where it does not fit.
    static func integer(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty, text.allSatisfy(\.isDigit) else { return nil }
        return Int(text.text) ?? Int.max
    }

    /// `true` if the text is digits, and if it has a point, digits after that.
    private static func isDigitsWithFraction(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: 0x2E, maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
    }
}
