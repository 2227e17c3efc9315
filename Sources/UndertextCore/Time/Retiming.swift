/// A change of all times: scaled first, then shifted, by one offset or by one for each part of the timeline.
package struct Retiming: Hashable, Sendable {
    /// A change of the offset on the way.
    package struct Break: Hashable, Sendable {
        /// The first original time that has the new offset.
        package var from: Timestamp
        /// The offset from there on.
        package var shift: Duration

        /// Creates a break.
        package init(from: Timestamp, shift: Duration) {
            self.from = from
            self.shift = shift
        }
    }

    /// The factor for times; 1/1 means no change.
    package var speed: TimeBase
    /// The offset that is added afterwards; negative means earlier.
    package var shift: Duration
    /// The changes of the offset, by ascending time.
    package var breaks: [Break]
    /// `true` if no time before a break may come after it: of images, what ends would end what began.
    package var keepsOrder = false

    /// No change.
    package static let none = Retiming()

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - speed: A positive fraction, such as 25/24 for subtitles made for 25 frames per second that are
    ///     shown at 24 frames per second.
    ///   - shift: The offset that is added.
    ///   - breaks: The changes of the offset, by ascending time.
    package init(speed: TimeBase = TimeBase(1, 1), shift: Duration = .zero, breaks: [Break] = []) {
        self.speed = speed
        self.shift = shift
        self.breaks = breaks
    }

    /// `true` if nothing changes.
    package var isNone: Bool { !isStretching && shift == .zero && breaks.isEmpty }

    /// `true` if times within a cue change, too.
    package var isStretching: Bool { speed.isValid && speed.numerator != speed.denominator }

    /// Returns the new time for `time`, to the nearest nanosecond; saturates.
    ///
    /// - Parameters:
    ///   - time: The original time.
    ///   - start: The start of the event that it belongs to, which moves as a whole; `nil` for `time` itself.
    /// - Returns: The new time.
    package func applied(to time: Timestamp, inEventAt start: Timestamp? = nil) -> Timestamp {
        guard !breaks.isEmpty else { return moved(time, by: shift) }
        let following = position(of: start ?? time)
        let new = moved(time, by: following == 0 ? shift : breaks[following - 1].shift)
        guard keepsOrder, following < breaks.count else { return new }
        return min(new, moved(breaks[following].from, by: breaks[following].shift))
    }

    /// Returns the original time of the new time `time`.
    package func undone(at time: Timestamp) -> Timestamp {
        let latest = breaks.last { moved($0.from, by: $0.shift) <= time }
        let unshifted = time.advanced(by: .zero - (latest?.shift ?? shift))
        guard isStretching else { return unshifted }
        return Self.scaled(unshifted, Int128(speed.denominator), Int128(speed.numerator))
    }

    /// The number of breaks up to a time.
    private func position(of time: Timestamp) -> Int {
        var (low, high) = (0, breaks.count)
        while low < high {
            let middle = (low + high) / 2
            if breaks[middle].from <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func moved(_ time: Timestamp, by shift: Duration) -> Timestamp {
        guard isStretching else { return time.advanced(by: shift) }
        return Self.scaled(time, Int128(speed.numerator), Int128(speed.denominator))
            .advanced(by: shift)
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
    /// Parses `A:B`, for subtitles made for A frames per second that are shown at B frames per second.
    ///
    /// Each side is a decimal number or a fraction such as `24000/1001`; 23.976, 29.97, 47.952, 59.94
    /// and 119.88 mean the NTSC rates 24000/1001 and so on.
    ///
    /// - Returns: The speed A/B.
    /// - Throws: ``UndertextError`` with code `invalid-value`.
    package static func speed(parsing text: String) throws(UndertextError) -> TimeBase {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false)
        guard sides.count == 2 else {
            throw UndertextError(
                .invalidValue, "it is not two frame rates with a colon between them")
        }
        let (from, to) = (try rate(sides[0]), try rate(sides[1]))
        let (up, overflowUp) = from.up.multipliedReportingOverflow(by: to.down)
        let (down, overflowDown) = from.down.multipliedReportingOverflow(by: to.up)
        let tooLong = UndertextError(.invalidValue, "its rates have too many digits")
        guard !overflowUp, !overflowDown else { throw tooLong }
        // A factor of more than a thousand is a mistake, and would move all cues out of reach.
        guard up / 1000 <= down, down / 1000 <= up else {
            throw UndertextError(.invalidValue, "one rate is more than a thousand times the other")
        }
        let divisor = greatestCommonDivisor(up, down)
        guard let numerator = Int32(exactly: up / divisor),
            let denominator = Int32(exactly: down / divisor)
        else { throw tooLong }
        return TimeBase(numerator, denominator)
    }

    /// Parses a frame rate in the syntax of one side of ``speed(parsing:)``, or returns `nil`.
    package static func frameRate(parsing text: String) -> TimeBase? {
        guard let (up, down) = try? rate(Substring(text)) else { return nil }
        let divisor = greatestCommonDivisor(up, down)
        guard let frames = Int32(exactly: up / divisor),
            let seconds = Int32(exactly: down / divisor)
        else { return nil }
        return TimeBase(frames, seconds)
    }

    private static func greatestCommonDivisor(_ one: Int64, _ other: Int64) -> Int64 {
        var (large, small) = (one, other)
        while small > 0 { (large, small) = (small, large % small) }
        return large
    }

    private static let ntsc: [String: Int64] = [
        "23.976": 24_000, "29.97": 30_000, "47.952": 48_000, "59.94": 60_000, "119.88": 120_000,
    ]

    /// A frame rate that is positive, as a fraction.
    private static func rate(_ text: Substring) throws(UndertextError) -> (up: Int64, down: Int64) {
        if let frames = ntsc[String(text)] { return (frames, 1001) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        var values: [(up: Int64, down: Int64)] = []
        for part in parts {
            guard let value = decimal(part) else {
                let isNegative = part.first == "-" && decimal(part.dropFirst()) != nil
                throw UndertextError(
                    .invalidValue,
                    isNegative
                        ? "frame rates are positive" : "'\(text)' is not a frame rate")
            }
            guard value.up > 0 else {
                throw UndertextError(.invalidValue, "frame rates are positive")
            }
            values.append(value)
        }
        switch values.count {
        case 1: return values[0]
        // Six digits on either side of a point, so nothing overflows.
        case 2: return (values[0].up * values[1].down, values[0].down * values[1].up)
        default:
            throw UndertextError(.invalidValue, "'\(text)' is not a frame rate")
        }
    }

    /// Parses an unsigned number with at most six digits before and after the decimal point.
    private static func decimal(_ text: Substring) -> (up: Int64, down: Int64)? {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ (1...6).contains($0.count) }),
            parts.allSatisfy({ $0.allSatisfy { $0.isDigit } }),
            let whole = Int64(String(parts[0]) ?? "")
        else { return nil }
        guard parts.count == 2 else { return (whole, 1) }
        var scale: Int64 = 1
        for _ in parts[1] { scale *= 10 }
        return Int64(String(parts[1]) ?? "").map { (whole * scale + $0, scale) }
    }
}
