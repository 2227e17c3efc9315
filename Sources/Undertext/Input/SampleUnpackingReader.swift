internal import UndertextFormats

/// Makes cues and documents of the samples of WebVTT and TTML tracks in MP4; packets of other streams
/// pass.
final class SampleUnpackingReader: PacketReader {
    private enum Unpacker {
        case webVTT(WVTTUnpacker)
        case ttml(STPPUnpacker)

        mutating func add(_ packet: Packet) -> [Packet] {
            switch self {
            case .webVTT(var unpacker):
                defer { self = .webVTT(unpacker) }
                return unpacker.add(packet)
            case .ttml(var unpacker):
                defer { self = .ttml(unpacker) }
                return unpacker.add(packet)
            }
        }

        mutating func finish() -> ([Packet], [Diagnostic]) {
            switch self {
            case .webVTT(var unpacker):
                defer { self = .webVTT(unpacker) }
                return (unpacker.finish(), unpacker.takeDiagnostics())
            case .ttml(var unpacker):
                defer { self = .ttml(unpacker) }
                return (unpacker.finish(), unpacker.takeDiagnostics())
            }
        }

        mutating func takeDiagnostics() -> [Diagnostic] {
            switch self {
            case .webVTT(var unpacker):
                defer { self = .webVTT(unpacker) }
                return unpacker.takeDiagnostics()
            case .ttml(var unpacker):
                defer { self = .ttml(unpacker) }
                return unpacker.takeDiagnostics()
            }
        }
    }

    private let reader: any PacketReader
    private var unpackers: [Int: Unpacker] = [:]
    private var ready = FirstInFirstOut<Packet>()
    private var diagnostics: [Diagnostic] = []
    private var isAtEnd = false

    /// Reads from `reader`, where those of `streams` that are boxed or documents are unpacked.
    init(_ reader: any PacketReader, _ streams: [StreamDescription]) {
        self.reader = reader
        for stream in streams {
            if stream.isBoxedWebVTT { unpackers[stream.index] = .webVTT(WVTTUnpacker()) }
            if stream.isSampledTTML { unpackers[stream.index] = .ttml(STPPUnpacker()) }
        }
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        while true {
            if let packet = ready.popFirst() { return packet }
            if isAtEnd { return nil }
            guard let packet = try reader.nextPacket() else {
                isAtEnd = true
                for index in unpackers.keys.sorted() {
                    guard let (packets, notes) = unpackers[index]?.finish() else { continue }
                    for packet in packets { ready.append(packet) }
                    diagnostics += notes
                }
                continue
            }
            guard let found = unpackers[packet.streamIndex]?.add(packet) else { return packet }
            for packet in found { ready.append(packet) }
        }
    }

    func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        var all = reader.takeDiagnostics() + diagnostics
        for index in unpackers.keys.sorted() {
            all += unpackers[index]?.takeDiagnostics() ?? []
        }
        return all
    }
}

extension StreamDescription {
    /// Whether its packets are boxes with cues of WebVTT, as in MP4.
    var isBoxedWebVTT: Bool { codec == .webVTT && details?.codecTagString == "wvtt" }

    /// Whether its packets are documents with images behind them, as in MP4.
    var isSampledTTML: Bool { codec == .ttml && details?.codecTagString == "stpp" }

    /// Whether its packets are samples that cues may begin and end within.
    var isSampled: Bool { isBoxedWebVTT || isSampledTTML }
}
