package import UndertextCore

/// Does pieces of work on threads of its own, a few at a time, in the order in which they come.
///
/// A thread ends when nothing waits, so that an idle queue costs nothing; nobody waits for the
/// threads, and work that was given is done even when the queue itself is gone.
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

    /// Creates a queue of at most so many threads.
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

    /// Does `work` soon, never on the caller's thread.
    ///
    /// - Returns: `false` if the queue has no thread and the system starts none; `work` is not done in that case.
    package func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        shared.with { state in
            // A new thread waits for the state, so nothing is lost between here and there.
            if state.threads < limit, start({ [shared] in Self.run(shared) }) { state.threads += 1 }
            guard state.threads > 0 else { return false }
            state.waiting.append(work)
            return true
        }
    }

    /// The error of work that was not done.
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
