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
    /// The packetizers of tracks whose frames are encoded, at the places of the batcher's.
    private var tracks: TrackTable<BlockPacketizer>
    /// Packets of one block; the next one is last.
    private var queue: [Packet] = []
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    init(
        pull: @escaping () -> BlockBatch?, tracks: TrackTable<BlockPacketizer>,
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
        while true {
            if let packet = queue.popLast() { return packet }
            switch batch.items.popLast() {
            case .packet(let packet): return packet
            case .diagnostics(let lost): diagnostics.report(lost)
            case .block(let block, let time, let place):
                let made = tracks[place].packets(block, clusterTime: time)
                queue = made.packets.reversed()
                diagnostics.report(made.diagnostics)
            case nil:
                if let failure = batch.failure { throw failure }
                guard let next = pull() else { return nil }
                batch = next
                diagnostics.report(next.diagnostics)
            }
        }
    }
}

extension UndertextError.Code {
    /// The index names a block that is not there.
    package static let indexMismatch = UndertextError.Code(name: "index-mismatch")
}
