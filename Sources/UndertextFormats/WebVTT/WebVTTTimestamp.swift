package import UndertextCore

/// WebVTT's timestamps: `[hours:]minutes:seconds.milliseconds`.
///
/// W3C WebVTT, section 6.4, "collect a WebVTT timestamp".
package enum WebVTTTimestamp {
    /// Reads a timestamp at `position` and moves after it.
    ///
    /// `nil`, moving an unspecified distance, if there is none. Hours that do not fit saturate.
    package static func collect(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Timestamp? {
        guard let first = digits(bytes, &position) else { return nil }
        let startsWithHours = first.count != 2 || first.value > 59
        guard colon(bytes, &position), var second = twoDigits(bytes, &position) else { return nil }
        var hours = 0
        var minutes = first.value
        if startsWithHours || (position < bytes.endIndex && bytes[position] == 0x3A) {
            guard colon(bytes, &position), let third = twoDigits(bytes, &position) else {
                return nil
            }
            hours = first.value
            minutes = second
            second = third
        }
        guard position < bytes.endIndex, bytes[position] == 0x2E else { return nil }
        position += 1
        guard let fraction = digits(bytes, &position), fraction.count == 3 else { return nil }
        guard minutes <= 59, second <= 59 else { return nil }
        guard hours < 2_562_047 else { return .distantFuture }
        let milliseconds = hours * 3_600_000 + minutes * 60_000 + second * 1000 + fraction.value
        return .milliseconds(Int64(milliseconds))
    }

    /// The timestamp that is all of `bytes`; `nil` if it is not one.
    package static func parse(_ bytes: ArraySlice<UInt8>) -> Timestamp? {
        var position = bytes.startIndex
        guard let time = collect(bytes, &position), position == bytes.endIndex else { return nil }
        return time
    }

    /// Appends `time` as `HH:MM:SS.mmm`; a negative time becomes zero.
    package static func append(_ time: Timestamp, to output: inout [UInt8]) {
        let milliseconds = max(0, time.roundedMilliseconds)
        func append(_ value: Int64, width: Int) {
            let text = String(value)
            output += repeatElement(0x30, count: max(0, width - text.utf8.count))
            output += text.utf8
        }
        append(milliseconds / 3_600_000, width: 2)
        output.append(0x3A)
        append(milliseconds / 60_000 % 60, width: 2)
        output.append(0x3A)
        append(milliseconds / 1000 % 60, width: 2)
        output.append(0x2E)
        append(milliseconds % 1000, width: 3)
    }

    /// The digits at `position`: how many, and their value, which stops growing at 10¹⁵.
    private static func digits(
        _ bytes: ArraySlice<UInt8>, _ position: inout Int
    ) -> (count: Int, value: Int)? {
        let start = position
        var value = 0
        while position < bytes.endIndex, bytes[position].isDigit {
            if value < 100_000_000_000_000 { value = value * 10 + Int(bytes[position] &- 0x30) }
            position += 1
        }
        return position > start ? (position - start, value) : nil
    }

    private static func twoDigits(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Int? {
        guard let found = digits(bytes, &position), found.count == 2 else { return nil }
        return found.value
    }

    private static func colon(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Bool {
        guard position < bytes.endIndex, bytes[position] == 0x3A else { return false }
        position += 1
        return true
    }
}
