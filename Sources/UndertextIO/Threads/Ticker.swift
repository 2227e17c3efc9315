/// Calls a function at a fixed interval on a background thread.
package final class Ticker: Sendable {
    private let isStopped = Monitor(false)
    private let thread: WorkerThread?

    /// Starts to call `work` every `interval`.
    package init(every interval: Duration, _ work: @escaping @Sendable () -> Void) {
        thread = WorkerThread { [isStopped] in
            while isStopped.wait(.consumers, timeout: interval, for: { $0 ? true : nil }) == nil {
                work()
            }
        }
    }

    deinit { stop() }

    /// Stops the calls and returns after the call in progress, if any, has ended.
    package func stop() {
        let wasStopped = isStopped.with { state in
            defer { state = true }
            return state
        }
        guard !wasStopped else { return }
        isStopped.wakeAll(.consumers)
        thread?.join()
    }
}
