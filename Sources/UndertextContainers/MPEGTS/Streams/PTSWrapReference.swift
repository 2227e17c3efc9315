/// The 33-bit time after which the times of a program are regarded as wrapped, by libavformat's rule.
///
/// The first time of a program decides: times more than a minute before it are regarded as later ones, after
/// the wrap. If the wrap follows within a minute, the times before it become negative instead. FFmpeg:
/// `pts_wrap_reference`, `pts_wrap_behavior`.
struct PTSWrapReference: Hashable {
    private static let minute: Int64 = 60 * 90_000

    private static let period: Int64 = 1 << 33
    private let threshold: Int64
    private let subtracts: Bool

    /// The reference that the first time of a program sets.
    init(first: Int64) {
        let time = first & (Self.period - 1)
        threshold = time - Self.minute
        subtracts = time >= Self.period - Self.minute
    }

    /// A time without its wrap.
    func unwrapped(_ time: Int64) -> Int64 {
        if subtracts { return time >= threshold ? time - Self.period : time }
        return time < threshold ? time + Self.period : time
    }
}

/// Makes the times of a stream's packets what libavformat makes of them.
struct StreamTimes {
    private static let halfPeriod: Int64 = 1 << 32
    private var latest: Int64?

    /// Completes a pair of times: a subtitle is decoded when it is shown unless both are stored.
    mutating func complete(_ pts: Int64?, _ dts: Int64?) -> (pts: Int64?, dts: Int64?) {
        guard var shown = pts ?? dts else { return (nil, nil) }
        var decoded = dts ?? shown
        if decoded - Self.halfPeriod > shown {
            // One of both wrapped.
            if latest.map({ decoded - Self.halfPeriod > $0 }) ?? true {
                decoded -= 2 * Self.halfPeriod
            } else {
                shown += 2 * Self.halfPeriod
            }
        }
        if shown <= decoded { decoded = shown }
        latest = max(latest ?? decoded, decoded)
        return (shown, decoded)
    }
}
