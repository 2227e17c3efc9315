internal import Synchronization

/// A flag that stops a running job, from any thread or from a signal's handler thread.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates a flag that is not raised.
    public init() {}

    /// Raises the flag: reads that are under way end with ``MediaError/Code/cancelled``.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether the flag was raised.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
