internal import UndertextCore

/// The finding at the position of an expected block.
enum FoundBlock {
    /// A block, and the timestamp of its cluster.
    case block(StoredBlock, clusterTime: UInt64)
    /// Nothing: the source ends before.
    case cutOff(at: UInt64)
}

/// Finds the blocks of chosen tracks one after another.
protocol BlockIterator {
    /// The source of bytes.
    var source: any RandomAccessSource { get }

    /// `true` if the next block may take long to arrive, so that each is returned immediately.
    var isLive: Bool { get }

    /// The ranges that were announced to the source and not read yet.
    var announced: [ByteRange] { get }

    /// Goes on to the next block, or some way towards it.
    mutating func step() throws(UndertextError) -> BlockStep
}

extension BlockIterator {
    var isLive: Bool { false }
    var announced: [ByteRange] { [] }
}

/// The position of a ``BlockIterator``.
enum BlockStep {
    /// A block of the track with that number.
    case found(track: UInt64, FoundBlock)
    /// Nothing yet, after many elements.
    case pause
    /// There are no more.
    case end
}
