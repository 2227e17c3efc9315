internal import UndertextCore

extension TimeBase {
    /// The frame rate for a frame duration as libavformat states it: the nearest fraction whose terms are at most 30,000, such
    /// as 19001/317 for 16683333 ns; `nil` if the duration is not one of frames.
    init?(reportedRatePerNanoseconds nanoseconds: UInt64) {
        guard (1...10_000_000_000).contains(nanoseconds),
            let (numerator, denominator) = nearestFraction(
                1_000_000_000, nanoseconds, termsAtMost: 30_000),
            let numerator = Int32(exactly: numerator), let denominator = Int32(exactly: denominator)
        else { return nil }
        self.init(numerator, denominator)
    }
}

/// The best approximation of a fraction whose terms have a limit: a convergent of its continued fraction, or the last
/// semiconvergent within the limit if that is nearer.
///
/// - Parameters:
///   - numerator: The numerator, above 0 and below 2^62.
///   - denominator: The denominator, above 0 and below 2^62.
///   - limit: The largest term, below 2^31.
/// - Returns: The terms, of which the denominator may be 0; `nil` if there are none.
func nearestFraction(
    _ numerator: UInt64, _ denominator: UInt64, termsAtMost limit: UInt64
) -> (UInt64, UInt64)? {
    guard numerator > 0, denominator > 0, numerator < 1 << 62, denominator < 1 << 62,
        limit < 1 << 31
    else { return nil }
    var (rest, divisor) = (numerator, denominator)
    var (last, this) = ((n: UInt64(0), d: UInt64(1)), (n: UInt64(1), d: UInt64(0)))
    while divisor > 0 {
        let quotient = rest / divisor
        // The largest quotient with which both terms keep to the limit.
        var most = quotient
        if this.n > 0 { most = min(most, (limit - last.n) / this.n) }
        if this.d > 0 { most = min(most, (limit - last.d) / this.d) }
        let next = (n: most * this.n + last.n, d: most * this.d + last.d)
        if most < quotient {
            let isNearer = isNearer(next, than: this, to: (numerator, denominator))
            return isNearer ? (next.n, next.d) : (this.n, this.d)
        }
        (rest, divisor) = (divisor, rest % divisor)
        (last, this) = (this, next)
    }
    return (this.n, this.d)
}

/// `true` if the first fraction is nearer to the last one than the second is.
private func isNearer(
    _ first: (n: UInt64, d: UInt64), than second: (n: UInt64, d: UInt64),
    to exact: (n: UInt64, d: UInt64)
) -> Bool {
    guard second.d > 0 else { return true }
    guard first.d > 0 else { return false }
    func distance(_ fraction: (n: UInt64, d: UInt64)) -> UInt128 {
        let left = UInt128(fraction.n) * UInt128(exact.d)
        let right = UInt128(fraction.d) * UInt128(exact.n)
        return left > right ? left - right : right - left
    }
    // The distances over fraction.d * exact.d.
    return distance(first) * UInt128(second.d) < distance(second) * UInt128(first.d)
}
