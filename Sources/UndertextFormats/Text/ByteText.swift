internal import UndertextCore

extension ArraySlice<UInt8> {
    /// The bytes without white space at either end.
    package var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first.isSpace { slice = slice.dropFirst() }
        while let last = slice.last, last.isSpace { slice = slice.dropLast() }
        return slice
    }

    /// Returns `true` if the bytes equal `text`, which is lowercase, ignoring the case of ASCII letters.
    package func equalsIgnoringCase(_ text: String) -> Bool {
        // The first byte nearly always differs.
        guard count == text.utf8.count, first?.lowercased == text.utf8.first else { return false }
        var index = startIndex
        for byte in text.utf8 {
            guard self[index].lowercased == byte else { return false }
            index += 1
        }
        return true
    }

    /// `true` if the bytes start with those of `text`.
    package func hasPrefix(_ text: String) -> Bool { starts(with: text.utf8) }

    /// The bytes as text.
    package var text: String { String(decoding: self, as: UTF8.self) }

    /// The leading decimal number with an optional sign, white space before it skipped.
    ///
    /// Saturates where it does not fit; `nil` without a digit.
    package var leadingInteger: Int? {
        var position = startIndex
        while position < endIndex, self[position].isSpace { position += 1 }
        var isNegative = false
        if position < endIndex, self[position] == 0x2D || self[position] == 0x2B {
            isNegative = self[position] == 0x2D
            position += 1
        }
        guard position < endIndex, self[position].isDigit else { return nil }
        var value = 0
        while position < endIndex, self[position].isDigit {
            if value < 1 << 53 { value = value * 10 + Int(self[position] &- 0x30) }
            position += 1
        }
        return isNegative ? -value : value
    }

    /// The leading decimal number with an optional sign and fraction; `nil` without a digit.
    package var leadingNumber: Double? {
        let slice = trimmed
        var end = slice.startIndex
        if end < slice.endIndex, slice[end] == 0x2D || slice[end] == 0x2B { end += 1 }
        let digits = end
        while end < slice.endIndex, slice[end].isDigit || slice[end] == 0x2E { end += 1 }
        guard end > digits else { return nil }
        var body = slice[slice.startIndex..<end]
        // Number parsers require a digit at either side of the point, and only one point.
        if let first = body.firstIndex(of: 0x2E) {
            let next = body[(first + 1)...].firstIndex(of: 0x2E) ?? body.endIndex
            body = body[..<next]
            if body.last == 0x2E { body = body.dropLast() }
        }
        guard body.contains(where: \.isDigit) else { return nil }
        var text = body.text
        if text.hasPrefix("+") { text.removeFirst() }
        if text.hasPrefix(".") { text = "0" + text }
        if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

extension [UInt8] {
    /// The range without the white space at either end of it.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isSpace { start += 1 }
        while end > start, self[end - 1].isSpace { end -= 1 }
        return start..<end
    }
}
