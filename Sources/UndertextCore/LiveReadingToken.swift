internal import Synchronization

/// A token that ends reading live presentations from another thread and keeps what was read.
///
/// ``Cancellation`` discards it instead.
public final class LiveReadingToken: Sendable {
    private struct State {
        var readers: [Cancellation] = []
        var isAsked = false
    }

    private let state = Mutex(State())

    /// Creates a token that has not been used.
    public init() {}

    /// Requests that readers of live presentations finish with what they have read.
    ///
    /// - Returns: `true` if a reader will finish, `false` if there is none or this was requested before.
    public func ask() -> Bool {
        state.withLock { state in
            guard !state.isAsked, !state.readers.isEmpty else { return false }
            state.isAsked = true
            for reader in state.readers { reader.cancel() }
            return true
        }
    }

    /// `true` if finishing was requested.
    public var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Registers a reader of a live presentation until ``end(_:)``.
    ///
    /// - Parameter job: The flag that cancels the reader.
    /// - Returns: A flag that is set when the reader must finish or `job` is cancelled.
    public func begin(_ job: Cancellation) -> Cancellation {
        let reader = Cancellation(parent: job)
        state.withLock { state in
            if state.isAsked { reader.cancel() }
            state.readers.append(reader)
        }
        return reader
    }

    /// Unregisters a reader of a live presentation.
    public func end(_ reader: Cancellation) {
        state.withLock { $0.readers.removeAll { $0 === reader } }
    }
}
