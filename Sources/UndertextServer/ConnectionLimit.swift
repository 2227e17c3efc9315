/// How many connections the descriptors of a process suffice for.
///
/// A server that has none left cannot accept connections, nor refuse them, and the system wakes it up again
/// and again for those that wait. So some are kept in reserve.
enum ConnectionLimit {
    /// A connection's socket, and the file that it is sent.
    private static let perConnection = 2
    /// What else is open: standard streams, the listener, files of libraries, requests to an upstream.
    private static let reserve = 64
    /// What an event loop needs, one for each processor; on Linux: epoll, eventfd and timerfd.
    private static let perLoop = 3
    /// Connections beyond the limit, for the time that closing others takes.
    static let slack = 16
    /// Fewer make no server.
    private static let least = 4

    /// The limit.
    ///
    /// - Parameters:
    ///   - wanted: more are not allowed.
    ///   - descriptors: how many may be open.
    ///   - loops: event loops.
    /// - Returns: connections at a time.
    static func connections(_ wanted: Int, descriptors: Int, loops: Int) -> Int {
        let left = descriptors - reserve - perLoop * loops
        return max(least, min(wanted, left / perConnection - slack))
    }

    /// The descriptors that so many connections need.
    static func descriptors(for connections: Int, loops: Int) -> Int {
        (connections + slack) * perConnection + reserve + perLoop * loops
    }
}
