package import UndertextCore

/// Runs work items in order on a limited number of background threads.
///
/// A thread ends when the queue is empty, so an idle queue has no cost. The threads are detached, and submitted
/// work is completed even after the queue has been deinitialized.
package final class BackgroundQueue: Sendable {
    private struct State {
        var waiting = FirstInFirstOut<@Sendable () -> Void>()
        var threads = 0
    }

    /// Runs work on a new thread; returns `false` if the system has none.
    package typealias ThreadStarter = @Sendable (_ work: @escaping @Sendable () -> Void) -> Bool

    private let shared = Monitor(State())
    private let limit: Int
    private let start: ThreadStarter

    /// Creates a queue with a maximum number of threads.
    ///
    /// - Parameters:
    ///   - threads: The maximum number of threads.
    ///   - start: Starts a thread; tests pass one that fails.
    package init(
        threads: Int,
        start: @escaping ThreadStarter = { WorkerThread.startDetached($0) }
    ) {
        limit = max(1, threads)
        self.start = start
    }

    /// Schedules `work`, which never runs on the caller's thread.
    ///
    /// - Returns: `false` if the queue has no thread and cannot start one; `work` is then not performed.
    package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        shared.with { state in
            // The new thread waits for the lock, so it sees the work that is added below.
            if state.threads < limit, start({ [shared] in Self.run(shared) }) { state.threads += 1 }
            guard state.threads > 0 else { return false }
            state.waiting.append(work)
            return true
        }
    }

    /// The error for work that could not be performed.
    package static var noThread: UndertextError {
        UndertextError(.limit, "the system has no thread left for reading")
    }

    private static func run(_ shared: Monitor<State>) {
        while let work = shared.with(next) { work() }
    }

    private static func next(_ state: inout State) -> (@Sendable () -> Void)? {
        if let work = state.waiting.popFirst() { return work }
        state.threads -= 1
        return nil
    }
}
