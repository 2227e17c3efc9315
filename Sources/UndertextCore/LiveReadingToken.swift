internal import Synchronization

/// Ends the following of live presentations from another thread, so that what was read is kept;
/// ``Cancellation`` drops it.
public final class LiveReadingToken: Sendable {
    private struct State {
        var readers: [Cancellation] = []
        var isAsked = false
    }

    private let state = Mutex(State())

    /// Creates one that was not asked for.
    public init() {}

    /// Asks those who follow a presentation to finish with what they have.
    ///
    /// - Returns: whether somebody will; `false` if nothing is followed, or this was asked before.
    public func ask() -> Bool {
        state.withLock { state in
            guard !state.isAsked, !state.readers.isEmpty else { return false }
            state.isAsked = true
            for reader in state.readers { reader.cancel() }
            return true
        }
    }

    /// `true` if following was ended so.
    public var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Notes that a presentation is followed, until ``end(_:)``.
    ///
    /// - Parameter job: what stops the reader altogether.
    /// - Returns: raised when following is to end, and with `job`.
    public func begin(_ job: Cancellation) -> Cancellation {
        let reader = Cancellation(parent: job)
        state.withLock { state in
            if state.isAsked { reader.cancel() }
            state.readers.append(reader)
        }
        return reader
    }

    /// Notes that a presentation is followed no more.
    public func end(_ reader: Cancellation) {
        state.withLock { $0.readers.removeAll { $0 === reader } }
    }
}
