internal import Synchronization

/// The offset that the readers of an input have reached, for threads that display progress.
package final class ReadPosition: Sendable {
    private let offset = Atomic<UInt64>(0)

    /// Creates a position at the start of the input.
    package init() {}

    /// The end of the most recent read, in bytes from the start of the input.
    package var value: UInt64 {
        get { offset.load(ordering: .relaxed) }
        set { offset.store(newValue, ordering: .relaxed) }
    }
}
