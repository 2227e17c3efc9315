internal import Synchronization

/// Where the readers of an input are, for threads that show it.
public final class ReadPosition: Sendable {
    private let offset = Atomic<UInt64>(0)

    /// Creates the position of an input that nothing was read of.
    public init() {}

    /// The end of the bytes that were read last, as an offset in the input.
    public var value: UInt64 {
        get { offset.load(ordering: .relaxed) }
        set { offset.store(newValue, ordering: .relaxed) }
    }
}
