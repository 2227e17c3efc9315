package import UndertextCore

/// Time as jobs need it that wait for others; tests put their own in its place, so that nothing waits
/// there.
package struct JobClock: Sendable {
    /// The time, since any fixed point.
    package let now: @Sendable () -> Duration
    /// Waits that long, or until the job is stopped.
    package let sleep: @Sendable (Duration, Cancellation) -> Void

    /// Creates a clock.
    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration, Cancellation) -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Real time; a stopped job is noticed within 50 ms.
    package static let system: JobClock = {
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
