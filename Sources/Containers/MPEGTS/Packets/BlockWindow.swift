internal import MediaCore

/// Reads a source from the beginning to the end in large blocks that start where a packet starts.
///
/// One block is held, so that opening a file and reading it ask for its beginning once.
final class BlockWindow {
    /// Bytes of a block: large enough for a network, small enough for the processor's cache.
    static let blockLength = 1 << 20

    /// What is read.
    let source: any ByteSource
    private let cancellation: Cancellation?
    private var held: (offset: UInt64, bytes: [UInt8])?

    init(_ source: any ByteSource, cancellation: Cancellation?) {
        self.source = source
        self.cancellation = cancellation
    }

    /// A block from `offset` on; shorter only at the end of the source.
    func block(at offset: UInt64) throws(MediaError) -> [UInt8] {
        if let held, held.offset == offset { return held.bytes }
        if let cancellation, cancellation.isCancelled {
            throw MediaError(.cancelled, "The job was stopped.", path: source.name)
        }
        // Let go of the old block first: its memory serves the new one.
        held = nil
        let bytes = try source.read(at: offset, count: Self.blockLength)
        held = (offset, bytes)
        return bytes
    }
}
