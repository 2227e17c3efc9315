import Synchronization
import UndertextCore
import UndertextIO

@testable import UndertextProviders

/// A clock that waits for nothing and notes what was to be waited for.
final class ManualClock: Sendable {
    private let state = Mutex((now: Duration.zero, sleeps: [Duration]()))

    /// The durations of all waits, in order.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// The clock for a provider.
    var clock: JobClock {
        JobClock(
            now: { self.state.withLock { $0.now } },
            sleep: { duration, _ in
                self.state.withLock { state in
                    state.now += duration
                    state.sleeps.append(duration)
                }
            })
    }
}
