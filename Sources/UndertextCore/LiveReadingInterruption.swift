internal import Synchronization

/// Interrupts a reader of a live presentation while it waits for new segments, so that other work on the input can run.
///
/// An interrupted reader throws ``UndertextError/Code/interrupted`` and can be read again.
package final class LiveReadingInterruption: Sendable {
    private struct State {
        var requests = 0
        /// The flag of the read whose caller handles interruptions.
        var read: Cancellation?
        var wait: Cancellation?

        /// Ends the wait in progress if it should not go on.
        func interruptIfNeeded() {
            guard let read, requests > 0 || read.isCancelled else { return }
            wait?.cancel()
        }
    }

    private let state = Mutex(State())

    /// Creates an interruption that is not requested.
    package init() {}

    /// A request for an interruption.
    package final class Request: Sendable {
        private let interruption: LiveReadingInterruption
        private let hasEnded = Atomic<Bool>(false)

        fileprivate init(_ interruption: LiveReadingInterruption) {
            self.interruption = interruption
        }

        /// Ends the request; further calls have no effect.
        package func end() {
            guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
            interruption.state.withLock { $0.requests -= 1 }
        }
    }

    /// Requests that a reader does not wait, until the request ends.
    package func request() -> Request {
        state.withLock { state in
            state.requests += 1
            state.interruptIfNeeded()
        }
        return Request(self)
    }

    /// Ends a wait of a read that was cancelled.
    package func readWasCancelled() { state.withLock { $0.interruptIfNeeded() } }

    /// Runs `read`, whose caller reads again after an interruption.
    ///
    /// - Parameters:
    ///   - cancellation: The flag that cancels the read.
    ///   - read: The read.
    /// - Returns: The result of `read`.
    /// - Throws: ``UndertextError`` of `read`.
    package func accepted<Value>(
        _ cancellation: Cancellation, _ read: () throws(UndertextError) -> Value
    ) throws(UndertextError) -> Value {
        state.withLock { $0.read = cancellation }
        defer { state.withLock { $0.read = nil } }
        return try read()
    }

    /// Runs `wait` with a flag that ends the wait.
    ///
    /// - Parameters:
    ///   - job: The flag that cancels the wait in any case.
    ///   - wait: Waits until the flag is set.
    /// - Throws: ``UndertextError`` with code `interrupted` if the wait was interrupted.
    package func interruptible(
        _ job: Cancellation, _ wait: (Cancellation) -> Void
    ) throws(UndertextError) {
        let flag = Cancellation(parent: job)
        state.withLock { state in
            state.wait = flag
            state.interruptIfNeeded()
        }
        wait(flag)
        state.withLock { $0.wait = nil }
        if flag.isCancelled, !job.isCancelled {
            throw UndertextError(.interrupted, "waiting for segments was interrupted")
        }
    }
}
