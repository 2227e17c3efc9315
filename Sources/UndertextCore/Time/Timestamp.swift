/// A point on a media timeline, in nanoseconds.
///
/// Nanoseconds represent ticks of all common time bases to less than half a tick, so converting a tick
/// to a timestamp and back is lossless. There is no value for "unknown": use an optional.
public struct Timestamp: Hashable, Sendable {
    /// The nanoseconds since the zero of the timeline; may be negative.
    public var nanoseconds: Int64

    /// Creates a timestamp of `nanoseconds`.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Converts `ticks` of `timeBase`, rounding halves away from zero.
    ///
    /// Returns `nil` if the result is out of range or the time base is not positive.
    @inlinable package init?(ticks: Int64, timeBase: TimeBase) {
        guard let value = rescale(ticks, from: timeBase, to: .nanoseconds) else { return nil }
        nanoseconds = value
    }

    /// The zero of the timeline.
    public static let zero = Timestamp(nanoseconds: 0)
    /// The latest time that can be expressed.
    package static let distantFuture = Timestamp(nanoseconds: .max)

    /// Creates a timestamp from milliseconds; saturates.
    public static func milliseconds(_ value: Int64) -> Timestamp {
        Timestamp(nanoseconds: saturatingProduct(value, 1_000_000))
    }

    /// Creates a timestamp from seconds; saturates.
    public static func seconds(_ value: Int64) -> Timestamp {
        Timestamp(nanoseconds: saturatingProduct(value, 1_000_000_000))
    }

    /// Creates a timestamp from seconds with fractions, such as the clock of a player; saturates.
    ///
    /// The result is rounded to nanoseconds; NaN becomes zero.
    @_disfavoredOverload public static func seconds(_ value: Double) -> Timestamp {
        let nanoseconds = (value * 1e9).rounded()
        guard !nanoseconds.isNaN else { return .zero }
        guard nanoseconds < 0x1p63 else { return Timestamp(nanoseconds: .max) }
        return Timestamp(nanoseconds: nanoseconds > -0x1p63 ? Int64(nanoseconds) : .min)
    }

    /// Returns the time in ticks of `timeBase`, halves rounded away from zero, or `nil` if out of range.
    @inlinable package func ticks(in timeBase: TimeBase) -> Int64? {
        rescale(nanoseconds, from: .nanoseconds, to: timeBase)
    }

    /// The time in milliseconds, halves rounded up.
    @inlinable package var roundedMilliseconds: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if remainder >= 500_000 { return quotient + 1 }
        if remainder < -500_000 { return quotient - 1 }
        return quotient
    }
}

extension Timestamp: InstantProtocol {
    /// Returns the time `duration` later; saturates.
    public func advanced(by duration: Duration) -> Timestamp {
        let sum = Int128(nanoseconds) + duration.nanoseconds128
        return Timestamp(nanoseconds: Int64(clamping: sum))
    }

    /// Returns the duration from this time to `other`, negative if `other` is earlier.
    public func duration(to other: Timestamp) -> Duration {
        Duration(
            attoseconds: (Int128(other.nanoseconds) - Int128(nanoseconds)) * 1_000_000_000)
    }

    /// Returns `true` if the first time is earlier than the second.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The total number of nanoseconds, without overflow.
    @inlinable package var nanoseconds128: Int128 { attoseconds / 1_000_000_000 }

    /// Converts `ticks` of `timeBase`; `nil` where it does not fit.
    @inlinable package init?(ticks: Int64, timeBase: TimeBase) {
        guard let value = rescale(ticks, from: timeBase, to: .nanoseconds) else { return nil }
        self = .nanoseconds(value)
    }
}

/// Converts a tick count between time bases, halves away from zero; `nil` if it overflows.
///
/// All tick conversions use this function. FFmpeg: `av_rescale_q`.
public func rescale(_ ticks: Int64, from source: TimeBase, to target: TimeBase) -> Int64? {
    guard source.isValid, target.isValid else { return nil }
    // Products of 32-bit numbers.
    let factor = Int64(source.numerator) * Int64(target.denominator)
    let divisor = Int64(source.denominator) * Int64(target.numerator)
    let half = divisor / 2
    // Usual times fit in 64 bits, which are divided in half the time.
    let (product, overflow) = ticks.multipliedReportingOverflow(by: factor)
    if !overflow {
        let (sum, overflow) = product.addingReportingOverflow(product >= 0 ? half : -half)
        if !overflow { return sum / divisor }
    }
    let wide = Int128(ticks) * Int128(factor)
    return Int64(exactly: (wide >= 0 ? wide + Int128(half) : wide - Int128(half)) / Int128(divisor))
}

/// The product, or the nearest end of the range.
private func saturatingProduct(_ value: Int64, _ factor: Int64) -> Int64 {
    Int64(clamping: Int128(value) * Int128(factor))
}
