/// A change of all times: stretched first, then shifted.
public struct Retiming: Hashable, Sendable {
    /// What times are multiplied with; 1/1 = nothing changes.
    public var speed: TimeBase
    /// What is added to them then; negative = earlier.
    public var shift: Duration

    /// Changes nothing.
    public static let none = Retiming()

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - speed: a positive fraction, such as 25/24 for subtitles that were made for a film at 25
    ///     frames a second, which is shown at 24 here.
    ///   - shift: what is added.
    public init(speed: TimeBase = TimeBase(1, 1), shift: Duration = .zero) {
        self.speed = speed
        self.shift = shift
    }

    /// Whether nothing changes.
    public var isNone: Bool { !isStretching && shift == .zero }

    /// Whether times within a cue change too.
    public var isStretching: Bool { speed.isValid && speed.numerator != speed.denominator }

    /// When what was at `time` comes, to the nearest nanosecond; saturates.
    public func applied(to time: Timestamp) -> Timestamp {
        guard isStretching else { return time.advanced(by: shift) }
        return Self.scaled(time, Int128(speed.numerator), Int128(speed.denominator))
            .advanced(by: shift)
    }

    /// When what comes at `time` was before the change.
    public func undone(at time: Timestamp) -> Timestamp {
        let unshifted = time.advanced(by: .zero - shift)
        guard isStretching else { return unshifted }
        return Self.scaled(unshifted, Int128(speed.denominator), Int128(speed.numerator))
    }

    private static func scaled(_ time: Timestamp, _ up: Int128, _ down: Int128) -> Timestamp {
        let (quotient, remainder) = (Int128(time.nanoseconds) * up)
            .quotientAndRemainder(dividingBy: down)
        var rounded = quotient
        if remainder.magnitude * 2 >= down.magnitude { rounded += remainder < 0 ? -1 : 1 }
        return Timestamp(nanoseconds: Int64(clamping: rounded))
    }
}

extension Retiming {
    /// Reads `A:B`: subtitles made for A frames a second are shown with B.
    ///
    /// Each side is a decimal number; 23.976, 29.97, 47.952, 59.94 and 119.88 mean the NTSC rates
    /// 24000/1001 and so on.
    ///
    /// - Returns: the speed A/B, or `nil` where a side is no positive number.
    public static func speed(parsing text: String) -> TimeBase? {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false)
        guard sides.count == 2, let from = rate(sides[0]), let to = rate(sides[1]) else {
            return nil
        }
        let (up, overflowUp) = from.up.multipliedReportingOverflow(by: to.down)
        let (down, overflowDown) = from.down.multipliedReportingOverflow(by: to.up)
        guard !overflowUp, !overflowDown, up > 0, down > 0 else { return nil }
        // More than a thousandfold is a slip of the pen, and would leave no cue where anybody looks.
        guard up / 1000 <= down, down / 1000 <= up else { return nil }
        let divisor = greatestCommonDivisor(up, down)
        guard let numerator = Int32(exactly: up / divisor),
            let denominator = Int32(exactly: down / divisor)
        else { return nil }
        return TimeBase(numerator, denominator)
    }

    private static func greatestCommonDivisor(_ one: Int64, _ other: Int64) -> Int64 {
        var (large, small) = (one, other)
        while small > 0 { (large, small) = (small, large % small) }
        return large
    }

    private static let ntsc: [String: Int64] = [
        "23.976": 24_000, "29.97": 30_000, "47.952": 48_000, "59.94": 60_000, "119.88": 120_000,
    ]

    private static func rate(_ text: Substring) -> (up: Int64, down: Int64)? {
        if let frames = ntsc[String(text)] { return (frames, 1001) }
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.count <= 6 }),
            parts.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let whole = Int64(String(parts[0]) ?? "")
        else { return nil }
        guard parts.count == 2 else { return whole > 0 ? (whole, 1) : nil }
        var scale: Int64 = 1
        for _ in parts[1] { scale *= 10 }
        guard let fraction = Int64(String(parts[1]) ?? "") else { return nil }
        let value = whole * scale + fraction
        return value > 0 ? (value, scale) : nil
    }
}
