internal import UndertextCore

/// The times of a cue as scripts write them: whole centiseconds, never empty.
struct CentisecondSpan: Hashable {
    /// Start, not negative.
    var start: Int64
    /// End, at least one centisecond after ``start``.
    var end: Int64

    /// The times of `cue`, rounded half up.
    init(_ cue: Cue) {
        start = max(0, Self.rounded(cue.start))
        end = max(start + 1, Self.rounded(cue.end))
    }

    /// Centiseconds, halves rounded up.
    static func rounded(_ time: Timestamp) -> Int64 {
        let unit: Int64 = 10_000_000
        let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: unit)
        if remainder >= unit / 2 { return quotient + 1 }
        return remainder < -unit / 2 ? quotient - 1 : quotient
    }
}
