/// A span as `h:mm:ss.mmm` for people, halves of a millisecond rounded up.
public func clockText(_ span: Duration) -> String {
    let time = Timestamp(nanoseconds: Int64(clamping: span.nanoseconds128))
    let milliseconds = time.roundedMilliseconds
    let magnitude = milliseconds.magnitude
    func padded(_ value: UInt64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return (milliseconds < 0 ? "-" : "") + "\(magnitude / 3_600_000):"
        + padded(magnitude / 60_000 % 60, 2) + ":" + padded(magnitude / 1000 % 60, 2) + "."
        + padded(magnitude % 1000, 3)
}
