/// Tests and conversions of single bytes that parsers share.
extension UInt8 {
    /// `true` if it is `0` to `9`.
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

    /// `true` if it is a letter of ASCII.
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// `true` if it is an ASCII letter or digit.
    @inlinable package var isAlphanumeric: Bool { isLetter || isDigit }

    /// Tab, line feed, form feed, carriage return or space.
    @inlinable package var isSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }

    /// The lower case of an ASCII letter; any other byte as it is.
    @inlinable package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    @inlinable package var hexValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = lowercased &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}

/// The number that decimal digits are; `nil` if there are none, other bytes, or more than fit.
package func decimalNumber<Number: FixedWidthInteger>(_ digits: some Sequence<UInt8>) -> Number? {
    var number: Number?
    for digit in digits {
        guard digit.isDigit else { return nil }
        let (tens, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Number(digit &- 0x30))
        guard !overflow, !carry else { return nil }
        number = sum
    }
    return number
}
