package import UndertextCore

/// Reads the packets of chosen subtitle streams, and of everything else the packet headers.
///
/// Made by ``TransportStreamFile/packetReader(for:window:source:puller:)``.
package final class TransportPacketReader: PacketReader {
    private let pull: () -> TransportBatch?
    private var batch = TransportBatch()
    private var next = 0
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    init(pull: @escaping () -> TransportBatch?, diagnostics: DiagnosticSink) {
        self.pull = pull
        // A file that is damaged throughout must not fill memory.
        self.diagnostics = diagnostics.section(capacity: 1000)
    }

    /// The position of reading in bytes.
    package var position: UInt64 { batch.position }

    /// The read statistics of a separate source so far; empty if the reader shares the file's source.
    package var statistics: ReadStatistics { batch.statistics }

    /// The next packet of a chosen stream, or `nil` at the end of the file.
    ///
    /// - Throws: ``UndertextCore/UndertextError`` with code `io` or `cancelled`.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while next == batch.packets.count {
            if let failure = batch.failure { throw failure }
            guard let fresh = pull() else { return nil }
            batch = fresh
            next = 0
            diagnostics.report(fresh.diagnostics)
        }
        defer { next += 1 }
        return batch.packets[next]
    }
}

/// The packets of a part of a transport stream, passed on by the reading thread.
package struct TransportBatch: Sendable {
    var packets: [Packet] = []
    var diagnostics: [Diagnostic] = []
    /// The error that ended reading after these packets.
    var failure: UndertextError?
    /// The position of reading in bytes.
    var position: UInt64 = 0
    /// The read statistics of a separate source so far.
    var statistics = ReadStatistics()

    /// Bytes of the packets.
    package var byteCount: Int { packets.reduce(0) { $0 + $1.data.count } }

    /// Makes the next batch, `nil` after the last one.
    package typealias Maker = @Sendable () -> TransportBatch?

    /// Pulls batches from the function it is given, at once or from another thread.
    ///
    /// Only the consuming thread may call the function.
    package typealias Puller = (@escaping Maker) -> () -> TransportBatch?
}
