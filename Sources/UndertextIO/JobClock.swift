package import UndertextCore

/// The clock and sleep function of waiting jobs, which tests replace to avoid real delays.
package struct JobClock: Sendable {
    /// The time since an arbitrary fixed point.
    package let now: @Sendable () -> Duration
    /// Sleeps for a duration, or until the job is cancelled.
    package let sleep: @Sendable (Duration, Cancellation) -> Void

    /// Creates a clock.
    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration, Cancellation) -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The monotonic system clock; cancellation takes effect within 50 ms.
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
