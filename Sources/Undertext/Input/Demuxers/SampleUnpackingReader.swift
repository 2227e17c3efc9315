internal import UndertextCore
internal import UndertextFormats

/// Unpacks the samples of the streams that have to be unpacked; packets of other streams pass.
final class SampleUnpackingReader: PacketReader {
    private let reader: any PacketReader
    private var unpackers: [Int: any SampleUnpacker] = [:]
    private var ready = FirstInFirstOut<Packet>()
    private var isAtEnd = false

    /// Reads from `reader` and unpacks the packets of those of `streams` that are samples.
    init(
        _ reader: any PacketReader, _ streams: [StreamDescription], diagnostics: DiagnosticSink
    ) {
        self.reader = reader
        for stream in streams.sorted(by: { $0.index < $1.index }) {
            unpackers[stream.index] = SubtitleFormat.sampleUnpacker(of: stream)?
                .init(diagnostics: diagnostics.section())
        }
    }

    func nextPacket() throws(UndertextError) -> Packet? {
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
            guard let found = unpackers[packet.streamIndex]?.add(packet) else { return packet }
            for packet in found { ready.append(packet) }
        }
    }
}

extension StreamDescription {
    /// `true` if its packets are samples that cues may begin and end within.
    var isSampled: Bool { SubtitleFormat.sampleUnpacker(of: self) != nil }
}
