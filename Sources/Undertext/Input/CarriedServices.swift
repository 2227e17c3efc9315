internal import UndertextContainers
internal import UndertextFormats

/// A service that the container says a stream carries.
struct DeclaredService: Hashable {
    var service: CaptionService
    var language: LanguageTag?
    /// Its other properties, by the names of the standard.
    var tags: [MetadataTag] = []
}

/// The services that streams of an input carry, each a track of its own.
struct CarriedServices {
    /// The tracks, by the stream that carries them and their position in it.
    private(set) var streams: [StreamDescription] = []
    /// The services that were found in video, by the index of the stream; empty without a survey.
    private(set) var found: [Int: Set<CaptionService>] = [:]

    /// The bytes of the input that are examined for captions by default.
    static let briefSurvey: UInt64 = 2 << 20
    /// The bytes of the input that are examined if captions are requested.
    ///
    /// Captions are sent with every frame, padding included. 64 MiB are six seconds of the densest disc and a
    /// minute of television.
    static let deepSurvey: UInt64 = 64 << 20

    private let count: Int
    private let carriers: [StreamDescription]

    /// Finds the services that are declared, those in the beginning of the video, and those that the caller names.
    ///
    /// - Parameters:
    ///   - demuxer: The container.
    ///   - options: How it is opened; where the video would not be read otherwise, captions in it have to be named.
    ///   - bytes: The bytes of the input to look into; `nil` = as few as usual, if the video is read anyway.
    init(of demuxer: any Demuxer, _ options: Media.Options, within bytes: UInt64? = nil) {
        count = demuxer.description.streams.count
        carriers = demuxer.description.streams.filter(Self.carriesServices)
        guard let container = demuxer as? ScanningDemuxer, !container.isBeyondLimits else { return }
        let video = carriers.filter(CaptionExtractor.takes)
        guard !video.isEmpty else { return }
        let isNamed = options.tracks?.namesCaptions(besides: count) ?? false
        if container.readsVideo || isNamed || bytes != nil {
            survey(container, video, bytes ?? Self.briefSurvey)
        }
        add(declared: container.declaredServices, named: options.tracks?.servicesInVideo ?? [])
    }

    /// `true` if a stream may carry services that are tracks of their own.
    private static func carriesServices(_ stream: StreamDescription) -> Bool {
        stream.codec == .teletext || CaptionExtractor.takes(stream)
    }

    /// Damage is for those to report who read the file.
    private mutating func survey(
        _ container: ScanningDemuxer, _ video: [StreamDescription], _ bytes: UInt64
    ) {
        var extractors: [Int: CaptionExtractor] = [:]
        var surveys: [Int: CaptionSurvey] = [:]
        for stream in video {
            extractors[stream.index] = CaptionExtractor(
                stream, diagnostics: DiagnosticSink { _ in })
            surveys[stream.index] = CaptionSurvey()
        }
        var ready: [Packet] = []
        func take(_ stream: Int) {
            for packet in ready { surveys[stream]?.add(packet) }
            ready.removeAll(keepingCapacity: true)
        }
        try? container.survey(video, within: bytes) { packet in
            extractors[packet.streamIndex]?.add(packet, to: &ready)
            take(packet.streamIndex)
        }
        for stream in video {
            extractors[stream.index]?.finish(to: &ready)
            take(stream.index)
        }
        found = surveys.mapValues(\.services)
    }

    private mutating func add(
        declared: [Int: [DeclaredService]], named: [CaptionService]
    ) {
        for carrier in carriers {
            let declared = declared[carrier.index] ?? []
            var services = Set(declared.map(\.service))
            // Text of line 21 is data for programs rather than captions: it has to be named.
            services.formUnion((found[carrier.index] ?? []).filter { !$0.isText })
            if carrier.index == carriers.first(where: { $0.kind == .video })?.index {
                services.formUnion(named)
            }
            for service in services.sorted(by: { $0.position < $1.position }) {
                var stream = service.stream(in: carrier, index: index(of: service, in: carrier))
                let declaration = declared.first { $0.service == service }
                stream.language = declaration?.language
                stream.tags = declaration?.tags ?? []
                streams.append(stream)
            }
        }
    }

    /// The index of a service: the same however much of the input was looked into.
    private func index(of service: CaptionService, in carrier: StreamDescription) -> Int {
        let place = carriers.firstIndex { $0.index == carrier.index } ?? 0
        return count + place * CaptionService.positions + service.position
    }

    /// The names of the kinds of captions in the video, by the index of the stream.
    var captionNames: [Int: [String]] {
        found.mapValues { services in
            Set(services.map(\.codec)).map { $0 == .cea608 ? "CEA-608" : "CEA-708" }.sorted()
        }
    }
}

extension Media {
    /// Reports captions that are there and not extracted, one diagnostic a stream.
    ///
    /// Looking into video that an extraction does not read costs more than it is worth, unless there is no other
    /// track.
    func captionDiagnostics() -> [Diagnostic] {
        let isSurveyed = !services.found.isEmpty
        guard isSurveyed || subtitleTracks.isEmpty else { return [] }
        let services =
            isSurveyed
            ? services : CarriedServices(of: demuxer, options, within: CarriedServices.briefSurvey)
        return services.found.sorted { $0.key < $1.key }.compactMap { index, found in
            let known = Set(description.streams.filter { $0.carrier == index }.map(\.service))
            let leftOut = found.filter { !known.contains($0.name) && !$0.isText }
            guard !leftOut.isEmpty else { return nil }
            let names = leftOut.sorted { $0.position < $1.position }.map(\.name)
            return Diagnostic(
                .info, "captions-left-out",
                "the video carries closed captions (\(names.joined(separator: ", "))); they are extracted only "
                    + "if they are selected, because all of the video has to be read for them",
                streamIndex: index, remedy: .set(.tracks, to: ["cc"]))
        }
    }
}

extension DeclaredService {
    /// A service of a caption_service_descriptor; captions of line 21 are the first ones of their field.
    init?(_ declared: TransportCaptionService) {
        let name = declared.number.map { "SERVICE\($0)" } ?? (declared.field == 0 ? "CC1" : "CC3")
        guard let service = CaptionService(name: name) else { return nil }
        self.init(
            service: service, language: LanguageTag(declared.language),
            tags: (declared.isEasyToRead ? [MetadataTag("easy_reader", "1")] : [])
                + (declared.isWide ? [MetadataTag("wide_aspect_ratio", "1")] : []))
    }
}
