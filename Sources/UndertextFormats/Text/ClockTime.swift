internal import UndertextCore

extension [UInt8] {
    /// Appends a number that is not negative with at least `digits` digits.
    mutating func appendDecimal(_ value: UInt64, digits: Int = 1) {
        let start = count
        var rest = value
        repeat {
            append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while count - start < digits { append(0x30) }
        self[start...].reverse()
    }

    /// Appends a time as `HH:MM:SS` and its milliseconds behind `separator`; negative ones as zero.
    mutating func appendClock(milliseconds: Int64, separator: UInt8) {
        let value = UInt64(Swift.max(0, milliseconds))
        let hours = value / 3_600_000
        if hours < 100 { appendTwo(hours) } else { appendDecimal(hours) }
        append(0x3A)
        appendTwo(value / 60_000 % 60)
        append(0x3A)
        appendTwo(value / 1000 % 60)
        append(separator)
        append(0x30 + UInt8(value % 1000 / 100))
        appendTwo(value % 100)
    }

    /// Appends a number below 100 with two digits.
    private mutating func appendTwo(_ value: UInt64) {
        append(0x30 + UInt8(value / 10 % 10))
        append(0x30 + UInt8(value % 10))
    }
}

/// The times of a cue as text formats write them: whole milliseconds, never empty.
struct MillisecondSpan: Hashable {
    /// Start, not negative.
    var start: Int64
    /// End, at least one millisecond after ``start``.
    var end: Int64

    /// The times of `cue`, rounded half up.
    init(_ cue: Cue) {
        start = max(0, cue.start.roundedMilliseconds)
        end = max(start + 1, cue.end.roundedMilliseconds)
    }
}
