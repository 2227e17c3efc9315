/// Unwraps the times of a clock that restarts after a period: each time continues from the previous one.
///
/// A step back by more than half a period is a wrap. So is a step from the first minute to the
/// last one: files begin at zero with what is decoded shortly before. Any other step is kept: where
/// files were put together, the times after the joint are the stored ones.
struct RunningClock {
    private static let minute: Int64 = 60 * 90_000

    private let period: Int64
    private var latest: Int64?

    /// A clock of 90 kHz with `bits` bits that has shown nothing yet.
    init(bits: Int64) { period = 1 << bits }

    /// The next time.
    ///
    /// - Parameter time: as it is stored: 0 or more, below the period.
    /// - Returns: the time on the clock that runs on.
    mutating func unwrapped(_ time: Int64) -> Int64 {
        let time = latest.map { nearest(time, to: $0) } ?? time
        latest = time
        return time
    }

    /// A stored time that belongs to `other`, as that of decoding to that of presentation.
    func nearest(_ time: Int64, to other: Int64) -> Int64 {
        let bound = other - period / 2
        guard time >= bound else {
            return time + (bound - time + period - 1) / period * period
        }
        let isBeforeZero = time - other > period / 2 && time >= period - Self.minute
        return isBeforeZero ? time - period : time
    }
}
