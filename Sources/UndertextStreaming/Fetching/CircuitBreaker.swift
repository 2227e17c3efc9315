internal import UndertextIO

/// Limits the requests to servers that have failed several times in a row (the circuit breaker pattern).
///
/// A failure is a resource that could not be fetched for a transient reason. Any response, including one that
/// the file does not exist, resets the count. A short outage is bridged by retries. After a longer one, each
/// further resource is requested only once; a server that does not respond at all is skipped for a while,
/// because each request would take the full timeout. Failures are counted separately for each kind of resource,
/// since a server may have one kind only, and for each server. If many servers fail, servers without any
/// success count as failed too, since a playlist may name any number of them.
final class CircuitBreaker: Sendable {
    /// The permission for a request.
    enum Permission: Hashable {
        /// To ask, and again where that may help.
        case repeatedly
        /// To ask.
        case once
        /// Nothing, for a reason.
        case refused(String)
    }

    private struct Server {
        var hasAnswered = false
        /// The number of consecutive failures, and the time of the first request among them.
        var failures = 0
        var failingSince = Duration.zero
        /// Failures in a row without any answer.
        var silences = 0
        var pauseEnds = Duration.zero
    }

    private struct State {
        var servers: [String: Server] = [:]
        /// The number of failing servers, and of those that do not respond at all.
        var failing = 0
        var silent = 0
        var pauseEnds = Duration.zero

        mutating func change(_ name: String, _ change: (inout Server) -> Void) {
            var server = servers[name] ?? Server()
            failing -= server.failures > 0 ? 1 : 0
            silent -= server.silences > 0 ? 1 : 0
            change(&server)
            failing += server.failures > 0 ? 1 : 0
            silent += server.silences > 0 ? 1 : 0
            servers[name] = server
        }
    }

    private let limit: Int
    private let outage: Duration
    private let pause: Duration
    private let state = Monitor(State())

    /// Creates a circuit breaker.
    ///
    /// - Parameters:
    ///   - limit: the number of consecutive failures after which a server has failed, and the number of failing
    ///     servers.
    ///   - outage: the duration over which retries are allowed.
    ///   - pause: the time after which one more request is allowed.
    init(limit: Int, outage: Duration, pause: Duration) {
        self.limit = max(1, limit)
        self.outage = outage
        self.pause = pause
    }

    /// Returns the permission for a request to a server at a time.
    func permission(for server: String, at time: Duration) -> Permission {
        state.with { state in
            let own = state.servers[server] ?? Server()
            let isSilent = own.silences >= limit
            guard isSilent || !own.hasAnswered && state.silent >= limit else {
                return mayRepeat(own, state, time) ? .repeatedly : .once
            }
            guard time >= (isSilent ? own.pauseEnds : state.pauseEnds) else {
                return .refused(
                    isSilent
                        ? "its server gave no answer \(own.silences) times in a row"
                        : "\(state.silent) servers gave no answer")
            }
            // One request is allowed; the others wait for its result.
            state.change(server) { $0.pauseEnds = time + pause }
            state.pauseEnds = time + pause
            return .once
        }
    }

    /// `true` if another attempt may succeed.
    func allowsRepeating(_ server: String, at time: Duration) -> Bool {
        state.with { mayRepeat($0.servers[server] ?? Server(), $0, time) }
    }

    private func mayRepeat(_ server: Server, _ state: State, _ time: Duration) -> Bool {
        if server.failures >= limit { return time - server.failingSince < outage }
        return server.hasAnswered || state.failing < limit
    }

    /// Records a response of a server.
    func succeeded(_ server: String) {
        state.with { state in
            state.change(server) { $0 = Server(hasAnswered: true) }
        }
    }

    /// Records a failed request.
    ///
    /// - Parameters:
    ///   - server: The server of the failed request.
    ///   - isSilent: `true` if there was no response at all.
    ///   - start: The time of the request.
    ///   - time: the time of the failure.
    func failed(_ server: String, isSilent: Bool, from start: Duration, at time: Duration) {
        state.with { state in
            state.change(server) { server in
                if server.failures == 0 { server.failingSince = start }
                server.failures += 1
                server.silences = isSilent ? server.silences + 1 : 0
                server.pauseEnds = time + pause
            }
            if isSilent { state.pauseEnds = time + pause }
        }
    }
}
