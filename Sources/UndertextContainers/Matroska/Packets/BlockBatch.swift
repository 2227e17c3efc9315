internal import UndertextCore

/// Some blocks on their way from the thread that reads to the one that takes packets.
package struct BlockBatch: Sendable {
    /// The result of reading a block.
    enum Item {
        case packet(Packet)
        /// The diagnostics of a block.
        case diagnostics([Diagnostic])
        /// A block whose frames are encoded, and the place of its track.
        case block(StoredBlock, clusterTime: UInt64, place: Int)
    }

    /// The items; the next one is last.
    var items: [Item] = []
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
    private var tracks: TrackTable<BlockPacketizer>
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
        _ finder: any BlockIterator, tracks: TrackTable<BlockPacketizer>,
        found: DiagnosticSink = .init()
    ) {
        self.found = found
        self.finder = finder
        self.tracks = tracks
    }

    // An abandoned reader leaves the ranges that it announced.
    deinit { finder.source.withdraw(finder.announced) }

    /// The next blocks; `nil` after the last ones.
    func nextBatch(hasTime: Bool) -> BlockBatch? {
        guard !hasEnded else { return nil }
        var batch = BlockBatch()
        let most = finder.isLive ? 1 : Self.blocks
        batch.items.reserveCapacity(most)
        var count = 0
        do throws(UndertextError) {
            while count < most, batch.byteCount < Self.bytes {
                guard case .found(let track, let block) = try step() else { break }
                count += 1
                switch block {
                case .cutOff(let position): cutOff(at: position, track: track, &batch)
                case .block(let block, let time):
                    add(block, clusterTime: time, track: track, &batch, hasTime: hasTime)
                }
            }
        } catch {
            hasEnded = true
            batch.failure = error
        }
        batch.items.reverse()
        batch.diagnostics = found.take()
        batch.statistics = finder.source.statistics
        return batch
    }

    private func step() throws(UndertextError) -> BlockStep {
        let step = try finder.step()
        if case .end = step { hasEnded = true }
        return step
    }

    private func cutOff(at position: UInt64, track: UInt64, _ batch: inout BlockBatch) {
        let stream = tracks.place(of: track).map { tracks[$0].streamIndex }
        batch.items.append(
            .diagnostics([
                Diagnostic(
                    .error, "truncated", "The file ends before or within a block.",
                    streamIndex: stream, byteOffset: position)
            ]))
    }

    /// Makes packets of a block, unless they may take time and memory to decode.
    private func add(
        _ block: StoredBlock, clusterTime: UInt64, track: UInt64, _ batch: inout BlockBatch,
        hasTime: Bool
    ) {
        guard let place = tracks.place(of: track) else { return }
        if let packet = tracks[place].packet(block, clusterTime: clusterTime) {
            batch.byteCount += packet.data.count
            batch.items.append(.packet(packet))
        } else if tracks[place].isPlain {
            let made = tracks[place].packets(block, clusterTime: clusterTime)
            if !made.diagnostics.isEmpty { batch.items.append(.diagnostics(made.diagnostics)) }
            for packet in made.packets {
                batch.items.append(.packet(packet))
                batch.byteCount += packet.data.count
                batch.byteCount += packet.sideData.reduce(0) { $0 + $1.bytes.count }
            }
        } else {
            var block = block
            if hasTime { tracks[place].decode(&block, limit: Self.decodedFrame) }
            batch.byteCount += block.byteCount
            batch.items.append(.block(block, clusterTime: clusterTime, place: place))
        }
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
