internal import Synchronization

/// A flag that cancels a running operation from any thread, such as that of a signal handler.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let parent: Cancellation?

    /// Creates a flag that is not set.
    ///
    /// - Parameter parent: A flag that cancels this one, too, so that a part of an operation can be cancelled alone.
    public init(parent: Cancellation? = nil) { self.parent = parent }

    /// Sets the flag: running reads end with ``UndertextError/Code/cancelled``.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// `true` if the flag or its parent is set.
    public var isCancelled: Bool {
        flag.load(ordering: .relaxed) || parent?.isCancelled == true
    }
}
