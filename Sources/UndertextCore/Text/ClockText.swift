/// A span as `h:mm:ss.mmm` for people, halves of a millisecond rounded up.
package func clockText(_ span: Duration) -> String {
    let time = Timestamp(nanoseconds: Int64(clamping: span.nanoseconds128))
    let milliseconds = time.roundedMilliseconds
    let magnitude = milliseconds.magnitude
    return (milliseconds < 0 ? "-" : "") + "\(magnitude / 3_600_000):"
        + zeroPadded(magnitude / 60_000 % 60, to: 2) + ":"
        + zeroPadded(magnitude / 1000 % 60, to: 2) + "." + zeroPadded(magnitude % 1000, to: 3)
}

/// A nonnegative number with zeros before it up to `width` digits, those above 9 in lower case.
package func zeroPadded(
    _ value: some BinaryInteger, to width: Int, radix: Int = 10
) -> String {
    let digits = String(value, radix: radix)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
