internal import Synchronization

/// The time for which an operation may wait for servers without progress.
///
/// All waiting requests share the budget, so many unresponsive resources cost no more than one. Time during which
/// several requests wait counts once; time without requests does not count. After a break as long as the limit,
/// the budget is reset.
package final class ProgressBudget: Sendable {
    private struct State {
        /// Requests that wait now.
        var waiting = 0
        /// Since when they do, or until when others did.
        var since = Duration.zero
        /// The time waited since the last progress, until `since`.
        var spent = Duration.zero

        func spent(at now: Duration) -> Duration { spent + (waiting > 0 ? now - since : .zero) }
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// Creates an unused budget.
    package init(limit: Duration) { self.limit = limit }

    /// Returns the remaining time; times are those of any clock.
    package func left(at now: Duration) -> Duration {
        state.withLock { state in
            limit - (isOld(state, now) ? .zero : state.spent(at: now))
        }
    }

    private func isOld(_ state: State, _ now: Duration) -> Bool {
        state.waiting == 0 && now - state.since >= limit
    }

    /// Records that a request begins to wait; each call must be followed by one of ``end(at:)``.
    package func begin(at now: Duration) {
        state.withLock { state in
            if isOld(state, now) { state.spent = .zero }
            if state.waiting == 0 { state.since = now }
            state.waiting += 1
        }
    }

    /// Records progress: the entire limit is available again.
    package func progress(at now: Duration) {
        state.withLock { state in
            state.spent = .zero
            state.since = now
        }
    }

    /// Records that a request has stopped waiting.
    package func end(at now: Duration) {
        state.withLock { state in
            state.spent = state.spent(at: now)
            state.since = now
            state.waiting -= 1
        }
    }
}
