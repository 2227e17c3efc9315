internal import UndertextIO

/// How far a server is asked that has failed several times in a row (the pattern of that name).
///
/// Failures are resources that could not be had for reasons that may pass; an answer, also one that there is no such
/// file, lets the counting begin anew. A short outage is waited out by repeating. After a longer one each further
/// resource is asked for once, which costs little while the server says at once that it cannot; one that says nothing
/// at all costs all the time that it is given, and is not asked any more for a while. Kinds of resources are counted
/// apart, since a server that lacks one may have the other, and so may be servers: where many fail, those that never
/// had anything are asked as if they had failed as well, since a playlist may name as many as it likes.
final class CircuitBreaker: Sendable {
    /// What is allowed to who wants to ask.
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
        /// Those in a row, and when the first of them was asked for.
        var failures = 0
        var failingSince = Duration.zero
        /// Failures in a row without any answer.
        var silences = 0
        var pauseEnds = Duration.zero
    }

    private struct State {
        var servers: [String: Server] = [:]
        /// How many of them fail, and how many do so without any answer.
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

    /// Creates one.
    ///
    /// - Parameters:
    ///   - limit: so many failures in a row count, and so many servers that fail.
    ///   - outage: repeating is to help over so long.
    ///   - pause: after that time one more request is allowed.
    init(limit: Int, outage: Duration, pause: Duration) {
        self.limit = max(1, limit)
        self.outage = outage
        self.pause = pause
    }

    /// What is allowed at a time.
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
            // One tries, the others go on waiting for what becomes of it.
            state.change(server) { $0.pauseEnds = time + pause }
            state.pauseEnds = time + pause
            return .once
        }
    }

    /// `true` if asking once more may help.
    func allowsRepeating(_ server: String, at time: Duration) -> Bool {
        state.with { mayRepeat($0.servers[server] ?? Server(), $0, time) }
    }

    private func mayRepeat(_ server: Server, _ state: State, _ time: Duration) -> Bool {
        if server.failures >= limit { return time - server.failingSince < outage }
        return server.hasAnswered || state.failing < limit
    }

    /// Notes that a server has answered.
    func succeeded(_ server: String) {
        state.with { state in
            state.change(server) { $0 = Server(hasAnswered: true) }
        }
    }

    /// Notes that a resource could not be had.
    ///
    /// - Parameters:
    ///   - server: who was asked.
    ///   - isSilent: whether there was no answer at all.
    ///   - start: when it was asked.
    ///   - time: when that was over.
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
