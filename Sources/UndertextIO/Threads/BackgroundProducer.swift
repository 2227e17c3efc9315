package import UndertextCore

/// Makes values on a thread of its own, a few ahead of who takes them.
///
/// Not `Sendable`: one taker at a time.
package final class BackgroundProducer<Value: Sendable> {
    private struct State {
        var values: [(value: Value, weight: Int)] = []
        /// That of all values together.
        var weight = 0
        /// `true` if the maker waits for room.
        var isFull = false
        var hasEnded = false
        var isStopped = false
    }

    private let shared = Monitor(State())
    private var thread: WorkerThread?
    private let make: @Sendable (_ isAhead: Bool) -> Value?
    private let ahead: Int
    private let mostWeight: Int
    private let cancellation: Cancellation?
    private let hasThread: Bool

    /// Starts to make values.
    ///
    /// - Parameters:
    ///   - ahead: values that may wait to be taken.
    ///   - mostWeight: What they may weigh together; one value may wait whatever it weighs.
    ///   - weight: What a value weighs, such as its bytes.
    ///   - cancellation: is raised to end the making of a value that nobody wants any more.
    ///   - make: makes the next value, `nil` behind the last one; called on one thread only, and
    ///     told whether enough values wait, so that it may take over some of the taker's work.
    package init(
        ahead: Int, mostWeight: Int = .max, weight: @escaping @Sendable (Value) -> Int = { _ in 0 },
        cancellation: Cancellation? = nil,
        _ make: @escaping @Sendable (_ isAhead: Bool) -> Value?
    ) {
        self.make = make
        self.cancellation = cancellation
        let ahead = max(1, ahead)
        self.ahead = ahead
        self.mostWeight = mostWeight
        thread = WorkerThread { [shared] in
            var waiting = 0
            while let value = make(waiting > ahead / 2) {
                let added = max(0, weight(value))
                waiting = shared.wait(.producers) { state -> Int? in
                    if state.isStopped { return 0 }
                    // Both are far from the largest number: no value weighs more than memory has bytes.
                    let hasRoom =
                        state.values.isEmpty
                        || state.values.count < ahead && state.weight <= mostWeight - added
                    state.isFull = !hasRoom
                    guard hasRoom else { return nil }
                    state.values.append((value, added))
                    state.weight += added
                    return state.values.count
                }
                guard waiting > 0 else { return }
                if waiting == 1 { shared.wakeAll(.consumers) }
            }
            shared.with { $0.hasEnded = true }
            shared.wakeAll(.consumers)
        }
        hasThread = thread != nil
    }

    deinit { stop() }

    /// The next value; `nil` behind the last one.
    package func next() -> Value? {
        // Without a thread values are made when they are asked for.
        guard hasThread else { return make(false) }
        var hasRoom = false
        let value: Value?? = shared.wait(.consumers) { state in
            if state.isStopped { return .some(nil) }
            if !state.values.isEmpty {
                let (value, weight) = state.values.removeFirst()
                state.weight -= weight
                // Waking the maker for each value would cost more than some values do.
                hasRoom =
                    state.isFull && state.values.count <= ahead / 2
                    && state.weight <= mostWeight / 2
                if hasRoom { state.isFull = false }
                return value
            }
            return state.hasEnded ? .some(nil) : nil
        }
        if hasRoom { shared.wakeAll(.producers) }
        return value ?? nil
    }

    /// Ends the making, and waits for the value that is being made; ``next()`` returns `nil` then.
    package func stop() {
        guard let thread else { return }
        cancellation?.cancel()
        shared.with { $0.isStopped = true }
        shared.wakeAll(.producers)
        thread.join()
        self.thread = nil
    }
}
