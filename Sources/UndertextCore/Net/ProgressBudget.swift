internal import Synchronization

/// The time for which a job may wait for servers without getting anywhere.
///
/// All that waits shares it, so that many resources that never come cost no more than one. Waiting counts once,
/// however many requests wait at the same time; what a job does otherwise does not count. Whoever comes back
/// after as long a time begins anew.
package final class ProgressBudget: Sendable {
    private struct State {
        /// Requests that wait now.
        var waiting = 0
        /// Since when they do, or until when others did.
        var since = Duration.zero
        /// What was waited since the last progress, until `since`.
        var spent = Duration.zero

        func spent(at now: Duration) -> Duration { spent + (waiting > 0 ? now - since : .zero) }
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// Creates a budget that nobody has used.
    package init(limit: Duration) { self.limit = limit }

    /// How long may still be waited; times are those of any clock.
    package func left(at now: Duration) -> Duration {
        state.withLock { state in
            limit - (isOld(state, now) ? .zero : state.spent(at: now))
        }
    }

    private func isOld(_ state: State, _ now: Duration) -> Bool {
        state.waiting == 0 && now - state.since >= limit
    }

    /// Notes that somebody begins to wait; each call is followed by one of ``end(at:)``.
    package func begin(at now: Duration) {
        state.withLock { state in
            if isOld(state, now) { state.spent = .zero }
            if state.waiting == 0 { state.since = now }
            state.waiting += 1
        }
    }

    /// Notes that something came: the whole limit counts again.
    package func progress(at now: Duration) {
        state.withLock { state in
            state.spent = .zero
            state.since = now
        }
    }

    /// Notes that somebody has stopped waiting.
    package func end(at now: Duration) {
        state.withLock { state in
            state.spent = state.spent(at: now)
            state.since = now
            state.waiting -= 1
        }
    }
}
