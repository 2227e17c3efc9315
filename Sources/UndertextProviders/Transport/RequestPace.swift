internal import Synchronization

/// A rate limiter that allows a number of requests within a sliding window.
final class RequestPace: Sendable {
    private let limit: Int
    private let window: Duration
    private let state = Mutex(State())

    private struct State {
        /// The times of the latest and scheduled requests, at most `limit` of them.
        var times: [Duration] = []
        /// No request before that, by the server's own word.
        var heldUntil = Duration.zero
    }

    init(_ limit: Int, in window: Duration) {
        self.limit = max(1, limit)
        self.window = window
    }

    /// Enters a request; how long it has to wait first.
    func reserve(at now: Duration) -> Duration {
        state.withLock { state in
            var time = max(now, state.heldUntil)
            if state.times.count >= limit {
                time = max(time, state.times[state.times.count - limit] + window)
            }
            state.times.append(time)
            state.times.removeFirst(max(0, state.times.count - limit))
            return time - now
        }
    }

    /// Returns the remaining pause that the server requested.
    func held(at now: Duration) -> Duration {
        state.withLock { max(.zero, $0.heldUntil - now) }
    }

    /// Keeps back further requests until then.
    func hold(until time: Duration) {
        state.withLock { $0.heldUntil = max($0.heldUntil, time) }
    }
}
