internal import SubtitleCodecs

/// Makes cues of the samples of WebVTT tracks in MP4; packets of other streams pass.
final class WVTTPacketReader: PacketReader {
    private let reader: any PacketReader
    private var unpackers: [Int: WVTTUnpacker]
    private var ready = FirstInFirstOut<Packet>()
    private var isAtEnd = false

    /// Reads from `reader`, where the streams of those indices are to be unpacked.
    init(_ reader: any PacketReader, _ streams: [Int]) {
        self.reader = reader
        unpackers = Dictionary(uniqueKeysWithValues: streams.map { ($0, WVTTUnpacker()) })
    }

    func nextPacket() throws(MediaError) -> Packet? {
        while true {
            if let packet = ready.popFirst() { return packet }
            if isAtEnd { return nil }
            guard let packet = try reader.nextPacket() else {
                isAtEnd = true
                for index in unpackers.keys.sorted() {
                    for packet in unpackers[index]?.finish() ?? [] { ready.append(packet) }
                }
                continue
            }
            guard let cues = unpackers[packet.streamIndex]?.add(packet) else { return packet }
            for cue in cues { ready.append(cue) }
        }
    }

    func takeDiagnostics() -> [Diagnostic] {
        var diagnostics = reader.takeDiagnostics()
        for index in unpackers.keys.sorted() {
            diagnostics += unpackers[index]?.takeDiagnostics() ?? []
        }
        return diagnostics
    }
}

extension StreamDescription {
    /// Whether its packets are boxes with cues of WebVTT, as in MP4.
    var isBoxedWebVTT: Bool { codec == .webVTT && details?.codecTagString == "wvtt" }
}
