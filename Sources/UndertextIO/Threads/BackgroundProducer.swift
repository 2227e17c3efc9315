package import UndertextCore

/// Produces values on a background thread, a few ahead of the consumer.
///
/// The producer is not `Sendable`: it supports one consumer at a time.
package final class BackgroundProducer<Value: Sendable> {
    private struct State {
        var values: [(value: Value, weight: Int)] = []
        /// The total weight of the queued values.
        var weight = 0
        /// `true` if the producer waits for space.
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

    /// Starts producing values.
    ///
    /// - Parameters:
    ///   - ahead: The maximum number of queued values.
    ///   - mostWeight: The maximum total weight of queued values; a single value may exceed it.
    ///   - weight: Returns the weight of a value, such as its size in bytes.
    ///   - cancellation: Cancelled by ``stop()`` to interrupt the production of a value.
    ///   - make: Produces the next value; `nil` after the last one. It is called on one thread only. Its
    ///     argument is `true` if enough values are queued, so that it may do part of the consumer's work.
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
                    // Neither can overflow: a value's weight is at most the size of memory.
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

    /// Returns the next value; `nil` after the last one.
    package func next() -> Value? {
        // If no thread could be started, values are produced on demand.
        guard hasThread else { return make(false) }
        var hasRoom = false
        let value: Value?? = shared.wait(.consumers) { state in
            if state.isStopped { return .some(nil) }
            if !state.values.isEmpty {
                let (value, weight) = state.values.removeFirst()
                state.weight -= weight
                // Waking the producer for each value would cost more than producing some values.
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

    /// Stops production and waits for the value in progress; ``next()`` then returns `nil`.
    package func stop() {
        guard let thread else { return }
        cancellation?.cancel()
        shared.with { $0.isStopped = true }
        shared.wakeAll(.producers)
        thread.join()
        self.thread = nil
    }
}
