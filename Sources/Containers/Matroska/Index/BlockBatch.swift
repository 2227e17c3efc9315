internal import MediaCore

/// Some blocks that were read by the index, on their way from the thread that reads to the one
/// that makes packets of them.
public struct BlockBatch: Sendable {
    var blocks: [(target: IndexTarget, block: IndexedBlock)] = []
    /// What ended the reading behind these blocks.
    var failure: MediaError?
    /// What the source of the blocks was asked for up to here.
    var statistics = ReadStatistics()
}

/// Reads blocks and hands them on by the batch.
final class BlockBatcher: @unchecked Sendable {
    // Unchecked: made on one thread and then used by one other only, see `BlockBatch.Puller`.
    private var reader: IndexedBlockReader
    private let tracks: [UInt64: TrackPackets]
    private var hasEnded = false

    /// Large enough that handing on costs nothing, small enough that the first cue comes soon.
    private static let blocks = 64
    private static let bytes = 256 << 10

    init(_ reader: IndexedBlockReader, tracks: [UInt64: TrackPackets]) {
        self.reader = reader
        self.tracks = tracks
    }

    /// The next blocks; `nil` behind the last ones.
    func nextBatch(hasTime: Bool) -> BlockBatch? {
        guard !hasEnded else { return nil }
        var batch = BlockBatch()
        var size = 0
        do throws(MediaError) {
            while batch.blocks.count < Self.blocks, size < Self.bytes {
                guard let (target, found) = try reader.nextBlock() else {
                    hasEnded = true
                    break
                }
                var block = found
                if case .block(var stored, let time) = block {
                    size += stored.data.count
                    if hasTime {
                        tracks[target.track]?.decode(&stored)
                        block = .block(stored, clusterTime: time)
                    }
                }
                batch.blocks.append((target, block))
            }
        } catch {
            hasEnded = true
            batch.failure = error
        }
        batch.statistics = reader.source.statistics
        return batch
    }
}

extension BlockBatch {
    /// Pulls batches from the function it is given, at once or from another thread.
    ///
    /// That thread alone may call the function.
    public typealias Puller = (@escaping Maker) -> () -> BlockBatch?

    /// Makes the next batch, `nil` behind the last one; told whether there is time to do more of
    /// the work than reading.
    public typealias Maker = @Sendable (_ hasTime: Bool) -> BlockBatch?
}
