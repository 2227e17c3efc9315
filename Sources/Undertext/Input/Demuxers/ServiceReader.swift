internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats

/// Makes packets of services of the packets of streams that carry several; packets of other streams pass.
final class ServiceReader: PacketReader {
    private let reader: any PacketReader
    /// The indices of the wanted services by the stream that carries them.
    private var services: [Int: [Int]] = [:]
    private let own: Set<Int>
    /// Take the captions out of video; packets of other carriers are those of all their services.
    private var extractors: [Int: CaptionExtractor] = [:]
    /// The services that video turns out to carry.
    private var surveys: [Int: CaptionSurvey] = [:]
    /// The names of the services that are tracks, selected or not.
    private let known: Set<String>
    private let diagnostics: DiagnosticSink
    private var ready = FirstInFirstOut<Packet>()
    /// Memory that is used again.
    private var found: [Packet] = []
    private var isAtEnd = false

    /// Captions that are cut off are reported so often at most.
    private static let reportsAtMost = 1000

    /// Reads from `reader` and makes packets of `services`; packets of the streams `own` come as they are, too.
    ///
    /// `known` has the names of all services that are tracks: others that the video carries are reported.
    init(
        _ reader: any PacketReader, _ services: [StreamDescription], besides own: Set<Int>,
        in streams: [StreamDescription], known: Set<String>, diagnostics: DiagnosticSink
    ) {
        self.reader = reader
        self.own = own
        self.known = known
        self.diagnostics = diagnostics
        for service in services {
            guard let carrier = service.carrier else { continue }
            self.services[carrier, default: []].append(service.index)
        }
        for stream in streams where self.services[stream.index] != nil {
            extractors[stream.index] = CaptionExtractor(
                stream, diagnostics: diagnostics.section(capacity: Self.reportsAtMost))
            surveys[stream.index] = CaptionSurvey()
        }
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        while true {
            if let packet = ready.popFirst() { return packet }
            if isAtEnd { return nil }
            guard let packet = try reader.nextPacket() else {
                isAtEnd = true
                for carrier in extractors.keys.sorted() {
                    extractors[carrier]?.finish(to: &found)
                    handOut(from: carrier)
                }
                reportServices()
                continue
            }
            let carrier = packet.streamIndex
            guard services[carrier] != nil else { return packet }
            if own.contains(carrier) { ready.append(packet) }
            if extractors[carrier] != nil {
                extractors[carrier]?.add(packet, to: &found)
            } else {
                found.append(packet)
            }
            handOut(from: carrier)
        }
    }

    /// Hands out what was found once for each service.
    private func handOut(from carrier: Int) {
        for packet in found {
            surveys[carrier]?.add(packet)
            for service in services[carrier] ?? [] {
                var copy = packet
                copy.streamIndex = service
                ready.append(copy)
            }
        }
        found.removeAll(keepingCapacity: true)
    }

    /// Reports the services that are no tracks, because they began after the part that was searched.
    private func reportServices() {
        for (carrier, survey) in surveys.sorted(by: { $0.key < $1.key }) {
            let others = survey.services.filter { !$0.isText && !known.contains($0.name) }
                .sorted { $0.position < $1.position }.map(\.name)
            guard !others.isEmpty else { continue }
            diagnostics.report(
                Diagnostic(
                    .info, "captions-left-out",
                    "the video also carries closed captions that begin later: "
                        + others.joined(separator: ", "),
                    streamIndex: carrier,
                    remedy: .set(.tracks, to: others.map { $0.lowercased() })))
        }
    }
}

/// Hands out packets that were read already, and then those that follow.
final class ContinuedReader: PacketReader {
    private var packets: ArraySlice<Packet>
    private let reader: any PacketReader

    init(_ packets: [Packet], _ reader: any PacketReader) {
        self.packets = packets[...]
        self.reader = reader
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        if let packet = packets.popFirst() { return packet }
        packets = []
        return try reader.nextPacket()
    }
}
