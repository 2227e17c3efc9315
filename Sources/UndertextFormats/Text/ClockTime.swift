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

    /// Appends a time as `HH:MM:SS` and its milliseconds after `separator`; negative ones as zero.
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

/// A number with at most three decimals, as text formats write it.
func decimalText(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    // A time that far outside the video needs no precision.
    return decimalText(thousandths: Int((min(max(value, -1e9), 1e9) * 1000).rounded()))
}

/// A number of thousandths as ``decimalText(_:)`` writes it.
func decimalText(thousandths: Int) -> String {
    let magnitude = thousandths.magnitude
    let whole = "\(thousandths < 0 ? "-" : "")\(magnitude / 1000)"
    guard magnitude % 1000 > 0 else { return whole }
    var fraction = zeroPadded(magnitude % 1000, to: 3)
    while fraction.utf8.last == 0x30 { fraction.removeLast() }
    return whole + "." + fraction
}

/// A time as fields of digits, `1:02:03.25`.
struct ClockFields {
    /// The number of fields before the fraction.
    let count: Int
    /// `true` if a fraction follows.
    let hasFraction: Bool
    /// The time, if the last field is seconds.
    let milliseconds: Int64

    /// Reads a time whose fields have a fixed number of digits, which cannot overflow; `nil` if malformed.
    init?(_ text: ArraySlice<UInt8>, digits: ClosedRange<Int>) {
        let halves = text.split(separator: Byte.period, omittingEmptySubsequences: false)
        let fields = halves[0].split(separator: Byte.colon, omittingEmptySubsequences: false)
        guard halves.count <= 2, fields.count <= 3,
            (fields + halves.dropFirst()).allSatisfy({
                digits.contains($0.count) && $0.allSatisfy(\.isDigit)
            })
        else { return nil }
        count = fields.count
        hasFraction = halves.count == 2
        var time = fields.reduce(Int64(0)) { $0 * 60 + (decimalNumber($1) ?? 0) } * 1000
        var unit: Int64 = 100
        for digit in halves.dropFirst().joined() {
            time += Int64(digit - 0x30) * unit
            unit /= 10
        }
        milliseconds = time
    }
}
