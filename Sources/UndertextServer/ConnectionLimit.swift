/// The number of connections for which a process has enough file descriptors.
///
/// A server that has none left cannot accept connections, nor refuse them, and the system wakes it up again
/// and again for those that wait. So some are kept in reserve.
enum ConnectionLimit {
    /// A connection's socket, and the file that it is sent.
    private static let perConnection = 2
    /// Descriptors for other uses: standard streams, the listener, library files, upstream requests.
    private static let reserve = 64
    /// The descriptors of an event loop, one loop for each processor; on Linux: epoll, eventfd and timerfd.
    private static let perLoop = 3
    /// Connections beyond the limit, for the time that closing others takes.
    static let slack = 16
    /// Fewer make no server.
    private static let least = 4

    /// The connection limit.
    ///
    /// - Parameters:
    ///   - wanted: the requested maximum.
    ///   - descriptors: the limit for open file descriptors.
    ///   - loops: the number of event loops.
    /// - Returns: the maximum number of connections.
    static func connections(_ wanted: Int, descriptors: Int, loops: Int) -> Int {
        let left = descriptors - reserve - perLoop * loops
        return max(least, min(wanted, left / perConnection - slack))
    }

    /// The number of descriptors that `connections` connections need.
    static func descriptors(for connections: Int, loops: Int) -> Int {
        (connections + slack) * perConnection + reserve + perLoop * loops
    }
}
