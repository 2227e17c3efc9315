/// A point on a media timeline, in nanoseconds.
///
/// Nanoseconds hold ticks of every usual time base to less than half a tick, so a tick converted
/// to a timestamp and back is the same tick. There is no value for "unknown": use an optional.
public struct Timestamp: Hashable, Sendable {
    /// Nanoseconds since the zero of the timeline; may be negative.
    public var nanoseconds: Int64

    /// Creates a timestamp of `nanoseconds`.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Converts `ticks` of `timeBase`, rounding halves away from zero.
    ///
    /// `nil` where the result does not fit or the time base is not positive.
    public init?(ticks: Int64, timeBase: TimeBase) {
        guard let value = rescale(ticks, from: timeBase, to: .nanoseconds) else { return nil }
        nanoseconds = value
    }

    /// The zero of the timeline.
    public static let zero = Timestamp(nanoseconds: 0)
    /// The latest time that can be expressed.
    public static let distantFuture = Timestamp(nanoseconds: .max)

    /// A timestamp of whole milliseconds; saturates where it does not fit.
    public static func milliseconds(_ value: Int64) -> Timestamp {
        Timestamp(nanoseconds: saturatingProduct(value, 1_000_000))
    }

    /// A timestamp of whole seconds; saturates where it does not fit.
    public static func seconds(_ value: Int64) -> Timestamp {
        Timestamp(nanoseconds: saturatingProduct(value, 1_000_000_000))
    }

    /// The time in ticks of `timeBase`, halves away from zero; `nil` where it does not fit.
    public func ticks(in timeBase: TimeBase) -> Int64? {
        rescale(nanoseconds, from: .nanoseconds, to: timeBase)
    }

    /// Milliseconds, halves rounded up (towards later times).
    public var roundedMilliseconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if remainder >= 500_000 { return quotient + 1 }
        if remainder < -500_000 { return quotient - 1 }
        return quotient
    }
}

extension Timestamp: InstantProtocol {
    /// The time `duration` later; saturates at the ends of the range.
    public func advanced(by duration: Duration) -> Timestamp {
        let sum = Int128(nanoseconds) + duration.nanoseconds128
        return Timestamp(nanoseconds: Int64(clamping: sum))
    }

    /// The span from this time to `other`, negative if `other` is earlier.
    public func duration(to other: Timestamp) -> Duration {
        let span = Int128(other.nanoseconds) - Int128(nanoseconds)
        return Duration(
            secondsComponent: Int64(span / 1_000_000_000),
            attosecondsComponent: Int64(span % 1_000_000_000) * 1_000_000_000)
    }

    /// Orders by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds, without loss of range.
    public var nanoseconds128: Int128 {
        Int128(components.seconds) * 1_000_000_000
            + Int128(components.attoseconds) / 1_000_000_000
    }

    /// Converts `ticks` of `timeBase`; `nil` where it does not fit.
    public init?(ticks: Int64, timeBase: TimeBase) {
        guard let value = rescale(ticks, from: timeBase, to: .nanoseconds) else { return nil }
        self = .nanoseconds(value)
    }
}

/// Converts a tick count between time bases, halves away from zero; `nil` where it does not fit.
///
/// The one place where ticks are converted. FFmpeg: `av_rescale_q`.
public func rescale(_ ticks: Int64, from source: TimeBase, to target: TimeBase) -> Int64? {
    guard source.isValid, target.isValid else { return nil }
    let factor = Int128(source.numerator) * Int128(target.denominator)
    let divisor = Int128(source.denominator) * Int128(target.numerator)
    let (product, overflow) = Int128(ticks).multipliedReportingOverflow(by: factor)
    guard !overflow else { return nil }
    let half = divisor / 2
    let rounded = (product >= 0 ? product + half : product - half) / divisor
    return Int64(exactly: rounded)
}

/// The product, or the nearest end of the range.
private func saturatingProduct(_ value: Int64, _ factor: Int64) -> Int64 {
    Int64(clamping: Int128(value) * Int128(factor))
}
