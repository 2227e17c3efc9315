package import UndertextCore

/// The packets of chosen tracks, whichever way their blocks are found.
///
/// By the index, every target is checked before its packet comes out: element, track and time. Where
/// one is not what the index says, ``nextPacket()`` throws ``UndertextError/Code/indexMismatch``, and
/// the caller reads the file another way. On a walk, damage costs the rest of its cluster at most.
package final class MatroskaPacketReader: PacketReader {
    /// The read statistics of the source up to the last packet.
    package var statistics: ReadStatistics { batch.statistics }

    private let pull: () -> BlockBatch?
    private var batch = BlockBatch()
    private var place = 0
    private var tracks: [UInt64: BlockPacketizer]
    private var queue: [Packet] = []
    private var queueStart = 0
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    init(
        pull: @escaping () -> BlockBatch?, tracks: [UInt64: BlockPacketizer],
        diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        self.pull = pull
        self.tracks = tracks
    }

    /// The next packet in the order of the file, or `nil` after the last one.
    ///
    /// - Throws: ``UndertextError`` with code ``UndertextError/Code/indexMismatch``, `io` or `cancelled`.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while queueStart == queue.count {
            guard try readNextBlock() else { return nil }
        }
        defer { queueStart += 1 }
        return queue[queueStart]
    }

    private func nextBlock() throws(UndertextError) -> (track: UInt64, block: FoundBlock)? {
        while place == batch.blocks.count {
            if let failure = batch.failure { throw failure }
            guard let next = pull() else { return nil }
            batch = next
            diagnostics.report(next.diagnostics)
            place = 0
        }
        defer { place += 1 }
        return batch.blocks[place]
    }

    /// `true` if there was a block.
    private func readNextBlock() throws(UndertextError) -> Bool {
        queue = []
        queueStart = 0
        guard let (track, block) = try nextBlock() else { return false }
        switch block {
        case .cutOff(let position):
            diagnostics.report(
                .error, "truncated", "The file ends before or within a block.",
                streamIndex: tracks[track]?.streamIndex, byteOffset: position)
        case .block(let block, let clusterTime):
            guard let result = tracks[track]?.packets(block, clusterTime: clusterTime)
            else { break }
            queue = result.packets
            diagnostics.report(result.diagnostics)
        }
        return true
    }
}

extension UndertextError.Code {
    /// The index names a block that is not there.
    package static let indexMismatch = UndertextError.Code(name: "index-mismatch")
}
