/// Packets of chosen streams, and how they are found.
public final class TrackPacketReader: PacketReader {
    private let reader: FallingBackReader
    private let indexProof: String?
    private let statistics: () -> ReadStatistics
    private let place: () -> UInt64?
    private var watch = ClockWatch()
    private var diagnostics: [Diagnostic] = []

    init(
        reader: FallingBackReader, proof: String?,
        statistics: @escaping () -> ReadStatistics, position: @escaping () -> UInt64?
    ) {
        self.reader = reader
        indexProof = proof
        self.statistics = statistics
        place = position
    }

    /// How packets are found; a wrong index turns it into a walk on the way.
    public var path: ReadPath { reader.path }

    /// What proved the index complete; `nil` without an index.
    public var proof: String? { reader.path == .index ? indexProof : nil }

    /// Paths that were not taken, or given up, and why.
    public var refused: [ReadSummary.Refusal] { reader.refused }

    /// The next packet, or `nil` at the end of the input.
    public func nextPacket() throws(MediaError) -> Packet? {
        guard let packet = try reader.nextPacket() else { return nil }
        if let jump = watch.check(packet) { diagnostics.append(jump) }
        if packet.isCorrupt {
            diagnostics.append(
                Diagnostic(
                    .error, "corrupt-packet", "a packet is cut off or damaged",
                    streamIndex: packet.streamIndex, time: packet.start,
                    byteOffset: packet.position))
        }
        return packet
    }

    /// What went wrong since the last call, without having ended the reading.
    public func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics + reader.takeDiagnostics()
    }

    /// How the input has been read so far.
    public var summary: ReadSummary {
        ReadSummary(path: path, proof: proof, refused: refused, statistics: statistics())
    }

    /// Where a walk or a scan has got to, in bytes; `nil` with an index.
    public var position: UInt64? { place() }
}
