internal import UndertextFormats

/// Packets of chosen streams, and how they are found.
public final class TrackPacketReader: PacketReader {
    private let reader: any DemuxerReader
    /// The same reader if it may know cues that need no decoding.
    private let plainReader: (any PlainCueReader)?
    /// `nil` for text files, where cues may stand in any order.
    private var watch: TimestampDiscontinuityDetector?
    private var hasEnded = false
    private var diagnostics: [Diagnostic] = []
    private var window: PacketWindow?
    private var ready = FirstInFirstOut<Packet>()
    private var preparation: PacketTextPreparation?
    /// The indices of the text streams.
    private let texts: Set<Int>

    init(
        _ reader: any DemuxerReader, window: PacketWindow?, streams: [StreamDescription],
        preparation: PacketTextPreparation?, isOrdered: Bool
    ) {
        self.preparation = preparation
        texts = Set(streams.filter { $0.kind == .text }.map(\.index))
        watch = isOrdered ? TimestampDiscontinuityDetector(streams) : nil
        self.window = window
        self.reader = reader
        plainReader = reader as? any PlainCueReader
    }

    /// How packets are found; a wrong index turns it into a walk on the way.
    public var path: ReadPath { reader.path }

    /// What proved the index complete; `nil` without an index.
    public var proof: String? { reader.proof }

    /// Paths that were not taken, or given up, and why.
    public var refused: [ReadSummary.Refusal] { reader.refused }

    /// The next packet, or `nil` at the end of the input.
    public func nextPacket() throws(UndertextError) -> Packet? {
        guard var packet = try nextInWindow() else {
            checkEnd()
            return nil
        }
        if let jump = watch?.check(packet) { diagnostics.append(jump) }
        if packet.hasNegativeLength, watch != nil, texts.contains(packet.streamIndex) {
            packet.duration = nil
            diagnostics.append(
                Diagnostic(
                    .warning, "negative-duration",
                    "a packet ends before it starts: it lasts until the next one",
                    streamIndex: packet.streamIndex, time: packet.start,
                    byteOffset: packet.position))
        }
        if packet.isCorrupt {
            diagnostics.append(
                Diagnostic(
                    .error, "corrupt-packet", "a packet is cut off or damaged",
                    streamIndex: packet.streamIndex, time: packet.start,
                    byteOffset: packet.position))
        }
        return preparation?.prepared(packet) ?? packet
    }

    /// Cues that need no decoding, where the next ones of a text file are such; `nil` = take the next packet.
    func nextPlainCues() -> PlainCues? {
        guard window == nil, preparation == nil else { return nil }
        return plainReader?.nextPlainCues(atMost: Self.plainCuesAtOnce)
    }

    /// Some tens of kilobytes, which stay in the processor's cache.
    private static let plainCuesAtOnce = 1024

    private func checkEnd() {
        guard !hasEnded else { return }
        hasEnded = true
        diagnostics += reader.losses(isWhole: window?.isDone != true)
    }

    private func nextInWindow() throws(UndertextError) -> Packet? {
        guard window != nil else { return try reader.nextPacket() }
        while true {
            if let packet = ready.popFirst() { return packet }
            guard window?.isDone == false, let packet = try reader.nextPacket() else { break }
            for packet in window?.add(packet) ?? [] { ready.append(packet) }
        }
        for packet in window?.finish() ?? [] { ready.append(packet) }
        return ready.popFirst()
    }

    /// The diagnostics since the last call, without having ended the reading.
    public func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics + reader.takeDiagnostics() + (preparation?.takeDiagnostics() ?? [])
    }

    /// How the input has been read so far.
    public var summary: ReadSummary {
        ReadSummary(path: path, proof: proof, refused: refused, statistics: reader.statistics)
    }
}
