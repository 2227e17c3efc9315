public import UndertextCore

/// Time as jobs need it that wait for others; tests put their own in its place, so that nothing waits
/// there.
public struct JobClock: Sendable {
    /// The time, since any fixed point.
    public let now: @Sendable () -> Duration
    /// Waits that long, or until the job is stopped.
    public let sleep: @Sendable (Duration, Cancellation) -> Void

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration, Cancellation) -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Real time; a stopped job is noticed within 50 ms.
    public static let system: JobClock = {
        let start = ContinuousClock.now
        return JobClock(now: { ContinuousClock.now - start }) { duration, cancellation in
            let end = ContinuousClock.now + duration
            while !cancellation.isCancelled {
                let left = end - ContinuousClock.now
                guard left > .zero else { return }
                SignalWatcher.pause(min(left, .milliseconds(50)))
            }
        }
    }()
}
