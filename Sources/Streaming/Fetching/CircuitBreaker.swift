internal import SystemIO

/// Which servers are asked: one that failed several times in a row is not asked again for a while, so that what is
/// gone costs its waiting a few times and not for each resource (the pattern of that name).
///
/// What counts are resources that could not be had for reasons that may pass; an answer, also one that there is no such
/// file, tells that the server is there. All servers together have a bound of their own, since a playlist may name as
/// many as it likes.
final class CircuitBreaker: Sendable {
    /// What is allowed to who wants to ask.
    enum Permission: Hashable {
        /// To ask, and again where that may help.
        case repeatedly
        /// To ask.
        case once
        /// Nothing: there were so many failures in a row.
        case refused(failures: Int)
    }

    private struct State {
        var servers: [String: Failures] = [:]
        var all = Failures()
    }

    /// Those in a row, and when it may be tried again whether that goes on.
    private struct Failures {
        var count = 0
        var pauseEnds = Duration.zero
    }

    private let limit: Int
    private let pause: Duration
    private let state = Monitor(State())
    /// As many servers as this may be gone before nobody is asked any more.
    private static let mostServers = 4

    /// Creates one.
    ///
    /// - Parameters:
    ///   - limit: so many failures in a row of one server end the asking; half as many end the repeating.
    ///   - pause: after that time one more request is allowed.
    init(limit: Int, pause: Duration) {
        self.limit = max(1, limit)
        self.pause = pause
    }

    /// What is allowed at a time.
    func permission(for server: String, at time: Duration) -> Permission {
        state.with { state in
            let own = state.servers[server] ?? Failures()
            let (most, overflow) = limit.multipliedReportingOverflow(by: Self.mostServers)
            let mostOfAll = overflow ? .max : most
            let isGone = own.count >= limit
            guard isGone || state.all.count >= mostOfAll else {
                return own.count >= (limit + 1) / 2 || state.all.count >= limit
                    ? .once : .repeatedly
            }
            let pauseEnds = isGone ? own.pauseEnds : state.all.pauseEnds
            guard time >= pauseEnds else {
                return .refused(failures: isGone ? own.count : state.all.count)
            }
            // One tries, the others go on waiting for what becomes of it.
            state.servers[server]?.pauseEnds = time + pause
            state.all.pauseEnds = time + pause
            return .once
        }
    }

    /// Whether asking once more may help.
    func allowsRepeating(_ server: String) -> Bool {
        state.with { state in
            (state.servers[server]?.count ?? 0) < (limit + 1) / 2 && state.all.count < limit
        }
    }

    /// Notes that a server has answered.
    func succeeded(_ server: String) {
        state.with { state in
            state.servers[server] = nil
            state.all = Failures()
        }
    }

    /// Notes that a resource could not be had.
    func failed(_ server: String, at time: Duration) {
        state.with { state in
            state.servers[server, default: Failures()].count += 1
            state.servers[server]?.pauseEnds = time + pause
            state.all.count += 1
            state.all.pauseEnds = time + pause
        }
    }
}
