internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats

/// Finds out which services a stream carries, from the packets in its beginning.
struct ServiceSurvey {
    private var extractor: CaptionExtractor?
    private var unpacker: (any SampleUnpacker)?
    private var captions = CaptionSurvey()
    private var pages = TeletextSubtitlePages()
    private let isTeletext: Bool
    private var ready: [Packet] = []

    /// A survey of video, of a track of captions or of teletext.
    init(_ stream: StreamDescription) {
        let ignored = DiagnosticSink { _ in }
        isTeletext = stream.codec == .teletext
        extractor = CaptionExtractor(stream, diagnostics: ignored)
        unpacker = SubtitleFormat.sampleUnpacker(of: stream)?.init(diagnostics: ignored)
    }

    /// Adds the next packet.
    mutating func add(_ packet: Packet) {
        if isTeletext { return pages.add(packet.data) }
        if extractor != nil {
            extractor?.add(packet, to: &ready)
        } else {
            ready += unpacker?.add(packet) ?? [packet]
        }
        takeReady()
    }

    /// Processes pending data at the end.
    mutating func finish() {
        extractor?.finish(to: &ready)
        takeReady()
    }

    private mutating func takeReady() {
        for packet in ready { captions.add(packet) }
        ready.removeAll(keepingCapacity: true)
    }

    /// The services by their position.
    var services: [CaptionService] {
        (isTeletext ? pages.pages.map(CaptionService.init) : Array(captions.services))
            .sorted { $0.position < $1.position }
    }

    /// The description of the program in the captions, by the names of CTA-608-E.
    var metadata: [MetadataTag] {
        let data = captions.extendedData
        return [
            ("program_name", data.programName), ("content_advisory", data.rating),
            ("network_name", data.networkName), ("call_letters", data.callLetters),
        ].compactMap { key, value in value.map { MetadataTag(key, $0) } }
    }
}
