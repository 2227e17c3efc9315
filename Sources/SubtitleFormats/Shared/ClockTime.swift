internal import CueModel
internal import MediaCore

extension [UInt8] {
    /// Appends a number that is not negative with at least `digits` digits.
    mutating func appendDecimal(_ value: UInt64, digits: Int = 1) {
        let text = String(value).utf8
        append(contentsOf: repeatElement(0x30, count: Swift.max(0, digits - text.count)))
        append(contentsOf: text)
    }

    /// Appends a time as `HH:MM:SS` and its milliseconds behind `separator`; negative ones as zero.
    mutating func appendClock(milliseconds: Int64, separator: UInt8) {
        let value = UInt64(Swift.max(0, milliseconds))
        appendDecimal(value / 3_600_000, digits: 2)
        append(0x3A)
        appendDecimal(value / 60_000 % 60, digits: 2)
        append(0x3A)
        appendDecimal(value / 1000 % 60, digits: 2)
        append(separator)
        appendDecimal(value % 1000, digits: 3)
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
