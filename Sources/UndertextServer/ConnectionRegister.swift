#if Server
    internal import NIOCore
    internal import Synchronization

    /// The connections of a server.
    ///
    /// Every client is accepted: if there are too many connections, the one that has been idle the longest is
    /// closed. Connections with a request in progress are never closed for others.
    final class ConnectionRegister: Sendable {
        private struct Entry {
            let channel: any Channel
            /// Its position in the order in which connections became idle; `nil` during a request.
            var idle: UInt64?
        }

        private struct State {
            var entries: [ObjectIdentifier: Entry] = [:]
            var order: UInt64 = 0

            /// The connection that has been idle the longest, except for the newest one.
            mutating func removeIdlest() -> (any Channel)? {
                let idle = entries.filter { $0.value.idle.map { $0 < order } ?? false }
                guard let oldest = idle.min(by: { $0.value.idle ?? 0 < $1.value.idle ?? 0 }) else {
                    return nil
                }
                return entries.removeValue(forKey: oldest.key)?.channel
            }
        }

        private let state = Mutex(State())
        private let most: Int

        /// Creates a register.
        ///
        /// - Parameter most: more connections are not kept open while one of them is idle.
        init(most: Int) { self.most = max(1, most) }

        /// The number of open connections.
        var count: Int { state.withLock { $0.entries.count } }

        /// Records a new or idle connection that waits for a request.
        func waits(_ channel: any Channel) {
            let victim: (any Channel)? = state.withLock { state in
                state.order += 1
                state.entries[ObjectIdentifier(channel)] = Entry(
                    channel: channel, idle: state.order)
                return state.entries.count > most ? state.removeIdlest() : nil
            }
            victim?.close(promise: nil)
        }

        /// Records a connection with a request in progress.
        func isAnswered(_ channel: any Channel) {
            state.withLock { $0.entries[ObjectIdentifier(channel)]?.idle = nil }
        }

        /// Forgets a connection.
        func closed(_ channel: any Channel) {
            state.withLock { _ = $0.entries.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }
#endif
