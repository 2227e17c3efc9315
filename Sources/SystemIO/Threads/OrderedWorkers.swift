internal import Glibc
internal import MediaCore

/// Works on values on several threads; the results come out in the order of the values.
///
/// Not `Sendable`: one giver and taker at a time.
public final class OrderedWorkers<Input: Sendable, Output: Sendable> {
    private let work: @Sendable (Input) -> Output
    private let shared = Monitor(State())
    private var threads: [WorkerThread] = []
    /// Values that may be inside at the same time.
    private let room: Int

    private struct State {
        var waiting = FirstInFirstOut<(number: Int, input: Input)>()
        var finished: [Int: Output] = [:]
        /// The number of the next value, and of the next result.
        var given = 0
        var taken = 0
        var isClosed = false

        /// The result whose turn it is.
        mutating func take() -> Output? {
            guard let output = finished.removeValue(forKey: taken) else { return nil }
            taken += 1
            return output
        }
    }

    /// Starts threads, one for each processor if `threadCount` is `nil`.
    public init(threadCount: Int? = nil, _ work: @escaping @Sendable (Input) -> Output) {
        self.work = work
        let count = max(1, min(threadCount ?? Self.processorCount, 64))
        room = 2 * count
        for _ in 0..<count {
            let thread = WorkerThread { [shared] in
                while let (number, input) = Self.next(shared) {
                    let output = work(input)
                    shared.with { $0.finished[number] = output }
                    shared.wakeOne(.takers)
                }
            }
            guard let thread else { break }
            threads.append(thread)
        }
    }

    deinit {
        shared.with { state in
            state.isClosed = true
            state.waiting = FirstInFirstOut()
        }
        shared.wakeAll(.makers)
        for thread in threads { thread.join() }
    }

    /// Gives a value to the threads; waits while they have many.
    ///
    /// - Returns: the results that are there by now and come next.
    public func add(_ input: Input) -> [Output] {
        // Without threads the work is done here.
        guard !threads.isEmpty else { return [work(input)] }
        let outputs = shared.wait(.takers) { [room] state -> [Output]? in
            var outputs: [Output] = []
            while let output = state.take() { outputs.append(output) }
            guard state.given - state.taken < room || !outputs.isEmpty else { return nil }
            state.waiting.append((state.given, input))
            state.given += 1
            return outputs
        }
        shared.wakeOne(.makers)
        return outputs
    }

    /// Waits for the results that were not taken yet.
    public func finish() -> [Output] {
        shared.wait(.takers) { state -> [Output]? in
            // In their order, so none is missing once all are there.
            guard state.finished.count == state.given - state.taken else { return nil }
            var outputs: [Output] = []
            while let output = state.take() { outputs.append(output) }
            return outputs
        }
    }

    private static func next(_ shared: Monitor<State>) -> (Int, Input)? {
        shared.wait(.makers) { state -> (Int, Input)?? in
            if state.isClosed { return .some(nil) }
            guard let (number, input) = state.waiting.popFirst() else { return nil }
            return .some((number, input))
        }
    }

    /// Processors that this process may run on; C: `sysconf`.
    private static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
