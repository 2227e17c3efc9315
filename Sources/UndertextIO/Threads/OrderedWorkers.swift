internal import Glibc
internal import UndertextCore

/// Works on values on several threads; the results come out in the order of the values.
///
/// Those without a number of threads of their own share as many as there are processors, however many of them there
/// are: a file may have a thousand tracks. Not `Sendable`: one giver and taker at a time.
package final class OrderedWorkers<Input: Sendable, Output: Sendable> {
    private let work: @Sendable (Input) -> Output
    private let shared = Monitor(State())
    private let queue: BackgroundQueue
    /// Values that may be inside at the same time.
    private let room: Int

    private struct State {
        var waiting = FirstInFirstOut<(number: Int, input: Input)>()
        var finished: [Int: Output] = [:]
        /// The number of the next value, and of the next result.
        var given = 0
        var taken = 0
        /// Values that are worked on now.
        var running = 0

        /// The result whose turn it is.
        mutating func take() -> Output? {
            guard let output = finished.removeValue(forKey: taken) else { return nil }
            taken += 1
            return output
        }
    }

    /// Prepares to work.
    ///
    /// - Parameters:
    ///   - threadCount: threads of its own, for work that waits; `nil` = the shared ones, for work that computes and
    ///     waits for nothing.
    ///   - work: makes a result.
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

    /// Gives a value to the threads; waits while they have many.
    ///
    /// - Returns: the results that are there by now and come next.
    package func add(_ input: Input) -> [Output] {
        let outputs = shared.wait(.consumers) { [room] state -> [Output]? in
            var outputs: [Output] = []
            while let output = state.take() { outputs.append(output) }
            guard state.given - state.taken < room || !outputs.isEmpty else { return nil }
            state.waiting.append((state.given, input))
            state.given += 1
            return outputs
        }
        // Without a thread it takes longer, and the result is the same.
        if !queue.submit({ [shared, work] in Self.workOnNext(shared, work) }) {
            Self.workOnNext(shared, work)
        }
        return outputs
    }

    /// Waits for the results that were not taken yet.
    package func finish() -> [Output] {
        shared.wait(.consumers) { state -> [Output]? in
            // In their order, so none is missing once all are there.
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
        // Nobody wants the results any more.
        guard let (number, input) = next else { return }
        let output = work(input)
        shared.with { state in
            state.finished[number] = output
            state.running -= 1
        }
        shared.wakeAll(.consumers)
    }
}

/// The threads that all work shares that computes and waits for nothing.
private enum ProcessorThreads {
    /// Processors that this process may run on, at most 64; C: `sysconf`.
    static let count = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64))
    static let queue = BackgroundQueue(threads: count)
}
