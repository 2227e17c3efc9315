internal import UndertextCore

/// Some blocks on their way from the thread that reads to the one that makes packets of them.
package struct BlockBatch: Sendable {
    var blocks: [(track: UInt64, block: FoundBlock)] = []
    /// The diagnostics up to these blocks, and after the last one.
    var diagnostics: [Diagnostic] = []
    /// The error that ended reading after these blocks.
    var failure: UndertextError?
    /// The read statistics of the source so far.
    var statistics = ReadStatistics()
    /// Bytes that the blocks hold in memory, with what was decoded of them.
    package internal(set) var byteCount = 0
}

/// Reads blocks and hands them on by the batch.
final class BlockBatcher: @unchecked Sendable {
    // Unchecked: made on one thread and then used by one other only, see `BlockBatch.Puller`.
    private var finder: any BlockIterator
    private let tracks: [UInt64: BlockPacketizer]
    /// The sink of the finder's diagnostics.
    private let found: DiagnosticSink
    private var hasEnded = false

    /// Large enough that handing on costs nothing, small enough that the first cue comes soon.
    private static let blocks = 64
    private static let bytes = 256 << 10
    /// A larger frame is decoded by the one who takes it, so that few such frames are in memory at once: deflate
    /// makes a thousand bytes of one.
    static let decodedFrame = 256 << 10

    /// Creates a batcher of the blocks of `finder`, which reports to `found` while it reads.
    init(
        _ finder: any BlockIterator, tracks: [UInt64: BlockPacketizer],
        found: DiagnosticSink = .init()
    ) {
        self.found = found
        self.finder = finder
        self.tracks = tracks
    }

    /// The next blocks; `nil` after the last ones.
    func nextBatch(hasTime: Bool) -> BlockBatch? {
        guard !hasEnded else { return nil }
        var batch = BlockBatch()
        let most = finder.isLive ? 1 : Self.blocks
        do throws(UndertextError) {
            while batch.blocks.count < most, batch.byteCount < Self.bytes {
                guard case .found(let track, var block) = try step() else { break }
                if case .block(var stored, let time) = block {
                    if hasTime {
                        tracks[track]?.decode(&stored, limit: Self.decodedFrame)
                        block = .block(stored, clusterTime: time)
                    }
                    batch.byteCount += stored.byteCount
                }
                batch.blocks.append((track, block))
            }
        } catch {
            hasEnded = true
            batch.failure = error
        }
        batch.diagnostics = found.take()
        batch.statistics = finder.source.statistics
        return batch
    }

    private func step() throws(UndertextError) -> BlockStep {
        let step = try finder.step()
        if case .end = step { hasEnded = true }
        return step
    }
}

extension BlockBatch {
    /// Pulls batches from the function it is given, at once or from another thread.
    ///
    /// Only the consuming thread may call the function.
    package typealias Puller = (@escaping Maker) -> () -> BlockBatch?

    /// Produces the next batch; `nil` after the last one.
    ///
    /// The argument is `true` if there is time for more work than reading.
    package typealias Maker = @Sendable (_ hasTime: Bool) -> BlockBatch?
}
