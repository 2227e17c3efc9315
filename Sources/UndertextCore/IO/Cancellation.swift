internal import Synchronization

/// A flag that stops a running job, from any thread or from a signal's handler thread.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let parent: Cancellation?

    /// Creates a flag that is not raised.
    ///
    /// - Parameter parent: counts as raised here too; a part of a job can be stopped by itself.
    public init(parent: Cancellation? = nil) { self.parent = parent }

    /// Raises the flag: reads that are under way end with ``UndertextError/Code/cancelled``.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// `true` if the flag was raised.
    public var isCancelled: Bool {
        flag.load(ordering: .relaxed) || parent?.isCancelled == true
    }
}
