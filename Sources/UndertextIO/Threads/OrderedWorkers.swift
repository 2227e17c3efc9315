internal import Glibc
internal import UndertextCore

/// Processes values on several threads, and returns the results in the order of the values.
///
/// Workers without their own number of threads share a pool with one thread for each processor, since a file
/// may have a thousand tracks. The type is not `Sendable`: one thread at a time may add values and take
/// results.
package final class OrderedWorkers<Input: Sendable, Output: Sendable> {
    private let work: @Sendable (Input) -> Output
    private let shared = Monitor(State())
    private let queue: BackgroundQueue
    /// The maximum number of values in progress.
    private let room: Int

    private struct State {
        var waiting = FirstInFirstOut<(number: Int, input: Input)>()
        var finished: [Int: Output] = [:]
        /// The numbers of values added and of results taken.
        var given = 0
        var taken = 0
        /// The number of values being processed.
        var running = 0

        /// Removes the next result in order, if it is available.
        mutating func take() -> Output? {
            guard let output = finished.removeValue(forKey: taken) else { return nil }
            taken += 1
            return output
        }
    }

    /// Creates workers.
    ///
    /// - Parameters:
    ///   - threadCount: The number of dedicated threads for work that blocks; `nil` to use the shared pool for
    ///     work that never blocks.
    ///   - work: Processes a value.
    package init(threadCount: Int? = nil, _ work: @escaping @Sendable (Input) -> Output) {
        self.work = work
        let count = max(1, min(threadCount ?? ProcessorThreads.count, 64))
        queue = threadCount == nil ? ProcessorThreads.queue : BackgroundQueue(threads: count)
        room = 2 * count
    }

    deinit {
        shared.with { $0.waiting = FirstInFirstOut() }
        shared.wait(.consumers) { $0.running == 0 ? () : nil }
    }

    /// Adds a value; waits while too many values are in progress.
    ///
    /// - Returns: The next results in order that are available.
    package func add(_ input: Input) -> [Output] {
        let outputs = shared.wait(.consumers) { [room] state -> [Output]? in
            var outputs: [Output] = []
            while let output = state.take() { outputs.append(output) }
            guard state.given - state.taken < room || !outputs.isEmpty else { return nil }
            state.waiting.append((state.given, input))
            state.given += 1
            return outputs
        }
        // If no thread is available, process the value here.
        if !queue.submit({ [shared, work] in Self.workOnNext(shared, work) }) {
            Self.workOnNext(shared, work)
        }
        return outputs
    }

    /// Waits for the remaining results.
    package func finish() -> [Output] {
        shared.wait(.consumers) { state -> [Output]? in
            // Results are returned in order, so wait for all of them.
            guard state.finished.count == state.given - state.taken else { return nil }
            var outputs: [Output] = []
            while let output = state.take() { outputs.append(output) }
            return outputs
        }
    }

    private static func workOnNext(
        _ shared: Monitor<State>, _ work: @Sendable (Input) -> Output
    ) {
        let next = shared.with { state in
            let next = state.waiting.popFirst()
            if next != nil { state.running += 1 }
            return next
        }
        // The results are no longer needed.
        guard let (number, input) = next else { return }
        let output = work(input)
        shared.with { state in
            state.finished[number] = output
            state.running -= 1
        }
        shared.wakeAll(.consumers)
    }
}

/// The thread pool shared by all non-blocking work.
private enum ProcessorThreads {
    /// The number of processors available to this process, at most 64; C: `sysconf`.
    static let count = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64))
    static let queue = BackgroundQueue(threads: count)
}
