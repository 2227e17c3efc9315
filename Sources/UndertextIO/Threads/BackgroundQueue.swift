internal import UndertextCore

/// Does pieces of work on threads of its own, a few at a time, in the order in which they come.
///
/// A thread ends when nothing waits, so that an idle queue costs nothing; nobody waits for the
/// threads, and work that was given is done even when the queue itself is gone.
package final class BackgroundQueue: Sendable {
    private struct State {
        var waiting = FirstInFirstOut<@Sendable () -> Void>()
        var threads = 0
    }

    private let shared = Monitor(State())
    private let limit: Int

    /// Creates a queue of at most so many threads.
    package init(threads: Int) { limit = max(1, threads) }

    /// Does `work` soon; at once and here, where the system has no thread left.
    package func submit(_ work: @escaping @Sendable () -> Void) {
        let needsThread = shared.with { state in
            state.waiting.append(work)
            guard state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        guard needsThread else { return }
        let run: @Sendable () -> Void = { [shared] in
            while let work = shared.with(Self.next) { work() }
        }
        if !WorkerThread.startDetached(run) { run() }
    }

    private static func next(_ state: inout State) -> (@Sendable () -> Void)? {
        if let work = state.waiting.popFirst() { return work }
        state.threads -= 1
        return nil
    }
}
