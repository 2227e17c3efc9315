internal import UndertextContainers
internal import UndertextCore
internal import UndertextFormats

/// A service that the container says a stream carries.
struct DeclaredService: Hashable {
    var service: CaptionService
    var language: LanguageTag?
    /// `true` if it is declared to be for the hard of hearing; captions are in any case.
    var isHearingImpaired = false
    /// Its other properties, by the names of the standard.
    var tags: [MetadataTag] = []
}

/// The services that streams of an input carry, each a separate track.
struct CarriedServices {
    /// The tracks, by the stream that carries them and their position in it.
    private(set) var streams: [StreamDescription] = []
    /// The services that were found in video, by the index of the stream; empty without a survey.
    private(set) var found: [Int: Set<CaptionService>] = [:]
    /// The services that streams of the container are themselves, by the index of the stream: of pages of teletext and of
    /// the services of caption tracks the first.
    private var own: [Int: DeclaredService] = [:]
    /// The services that were found in teletext and in caption tracks, by the index of the stream.
    private var inText: [Int: [CaptionService]] = [:]
    /// The properties of the program that its captions state.
    private(set) var metadata: [MetadataTag] = []

    /// The bytes of the input that are examined for captions by default.
    static let briefSurvey: UInt64 = 2 << 20
    /// The packets of video in which other services are searched for after the first one: ten seconds.
    private static let packetsAfterFirst = 300

    private let count: Int
    private let carriers: [StreamDescription]

    /// Finds the services that are declared, those in the beginning of the video, and those that the caller names.
    ///
    /// - Parameters:
    ///   - demuxer: The container.
    ///   - options: The options of the input; if the video would not be read otherwise, its captions must be
    ///     requested.
    ///   - bytes: The number of bytes to search; `nil` for the default, if the video is read anyway.
    init(of demuxer: any Demuxer, _ options: Media.Options, within bytes: UInt64? = nil) {
        count = demuxer.description.streams.count
        // The codec of a presentation's video is known for sure when its segments are read.
        let isPresentation = demuxer.content != nil
        let all = demuxer.description.streams
        // Caption tracks are last, so that the indices of the services of other streams do not change.
        let tracks = isPresentation ? [] : all.filter(Self.isCaptionTrack)
        carriers =
            all.filter { isPresentation ? $0.kind == .video : Self.carriesServices($0) } + tracks
        let named = options.tracks?.services ?? []
        if demuxer.content != nil {
            let known = Set(demuxer.description.streams.compactMap(\.service))
            add(declared: [:], named: named.filter { $0.isInVideo && !known.contains($0.name) })
        }
        guard let container = demuxer as? ScanningDemuxer, !container.isBeyondLimits else { return }
        let unlisted = carriers.filter {
            $0.kind == .video || $0.codec == .teletext && TeletextPageList($0).entries.isEmpty
        }
        let isNamed = options.tracks?.namesCaptions(besides: count) ?? false
        if !unlisted.isEmpty, container.readsVideo || isNamed || bytes != nil {
            survey(container, unlisted, bytes ?? Self.briefSurvey)
            // Captions may begin long after the video does.
            if options.tracks?.namesAnyCaptions == true, found.values.allSatisfy(\.isEmpty) {
                survey(container, unlisted.filter { $0.kind == .video }, untilFound: true)
            }
        }
        // Over a network, a request for each sample would take longer than it is worth.
        if !tracks.isEmpty, let source = container.source,
            isNamed || source.policy.concurrency <= 1
        {
            survey(container, tracks, bytes ?? Self.briefSurvey)
        }
        add(declared: container.declaredServices, named: named.filter(\.isInVideo))
        addPages(named: named.filter { !$0.isInVideo })
        addServices(of: tracks, named: named.filter(\.isInVideo))
    }

    /// Adds the services to a description of the container.
    func described(_ container: ContainerDescription) -> ContainerDescription {
        var described = container
        // A presentation already lists these services among its own streams.
        described.streams.removeAll { $0.carrier != nil && $0.index >= count }
        for index in described.streams.indices {
            if let service = own[described.streams[index].index] {
                let stored = described.streams[index].disposition
                service.describe(&described.streams[index])
                described.streams[index].impliedDisposition.formUnion(
                    described.streams[index].disposition.subtracting(stored))
            }
        }
        described.streams += streams
        return described
    }

    /// `true` if a stream may carry services that are separate tracks.
    private static func carriesServices(_ stream: StreamDescription) -> Bool {
        stream.codec == .teletext || CaptionExtractor.takes(stream)
    }

    /// `true` for a track of captions, which may have several services.
    private static func isCaptionTrack(_ stream: StreamDescription) -> Bool {
        stream.service == nil && (stream.codec == .cea608 || stream.codec == .cea708)
    }

    /// Damage is for those to report who read the file.
    private mutating func survey(
        _ container: ScanningDemuxer, _ streams: [StreamDescription], _ bytes: UInt64 = .max,
        untilFound: Bool = false
    ) {
        var surveys: [Int: ServiceSurvey] = [:]
        for stream in streams { surveys[stream.index] = ServiceSurvey(stream) }
        var rest: Int?
        try? container.survey(streams, within: bytes) { packet in
            surveys[packet.streamIndex]?.add(packet)
            guard untilFound else { return true }
            if let left = rest {
                rest = left - 1
            } else if surveys[packet.streamIndex]?.services.isEmpty == false {
                rest = Self.packetsAfterFirst
            }
            return rest != 0
        }
        for stream in streams {
            guard var survey = surveys[stream.index] else { continue }
            survey.finish()
            metadata += survey.metadata
            if stream.kind == .video {
                found[stream.index] = Set(survey.services)
            } else {
                inText[stream.index] = survey.services
            }
        }
    }

    private mutating func add(
        declared: [Int: [DeclaredService]], named: [CaptionService]
    ) {
        for carrier in carriers where carrier.kind == .video {
            let declared = declared[carrier.index] ?? []
            var services = Set(declared.map(\.service))
            // Text of line 21 is data for programs rather than captions: it has to be named.
            services.formUnion((found[carrier.index] ?? []).filter { !$0.isText })
            if carrier.index == carriers.first(where: { $0.kind == .video })?.index {
                services.formUnion(named)
            }
            for service in services.sorted(by: { $0.position < $1.position }) {
                add(
                    declared.first { $0.service == service } ?? DeclaredService(service: service),
                    to: carrier)
            }
        }
    }

    /// Adds the pages of teletext: listed ones, otherwise those that were found; and the requested ones.
    private mutating func addPages(named: [CaptionService]) {
        let carriers = carriers.filter { $0.codec == .teletext }
        var known: Set<CaptionService> = []
        for carrier in carriers {
            var pages = TeletextPageList(carrier).entries.map(DeclaredService.init)
            if pages.isEmpty {
                // The first page is of contents rather than subtitles: it has to be named.
                pages = (inText[carrier.index] ?? []).filter { $0.position > 0 }
                    .map { DeclaredService(service: $0, language: carrier.language) }
            }
            own[carrier.index] = pages.first
            for page in pages.dropFirst() { add(page, to: carrier) }
            known.formUnion(pages.map(\.service))
        }
        for page in named where known.insert(page).inserted {
            for carrier in carriers { add(DeclaredService(service: page), to: carrier) }
        }
    }

    /// Adds the services of caption tracks beside the first one, which the track is itself.
    private mutating func addServices(of tracks: [StreamDescription], named: [CaptionService]) {
        for track in tracks {
            var services = (inText[track.index] ?? []).filter { !$0.isText }
            let usual = CaptionService(name: track.codec == .cea608 ? "CC1" : "SERVICE1")
            let first = services.first { $0.codec == track.codec } ?? usual
            own[track.index] = first.map { DeclaredService(service: $0) }
            if track.index == carriers.first(where: { $0.codec != .teletext })?.index {
                services += named
            }
            for service in Set(services).sorted(by: { $0.position < $1.position })
            where service != first {
                add(DeclaredService(service: service), to: track)
            }
        }
    }

    private mutating func add(_ declared: DeclaredService, to carrier: StreamDescription) {
        let service = declared.service
        var stream = service.stream(in: carrier, index: index(of: service, in: carrier))
        declared.describe(&stream)
        streams.append(stream)
    }

    /// The index of a service: the same however much of the input was looked into.
    private func index(of service: CaptionService, in carrier: StreamDescription) -> Int {
        let place = carriers.firstIndex { $0.index == carrier.index } ?? 0
        return count + place * CaptionService.positions + service.position
    }

    /// The streams of video that may carry captions and were not searched for them.
    var unsearched: Set<Int> {
        Set(carriers.filter { $0.kind == .video && found[$0.index] == nil }.map(\.index))
    }

    /// The names of the kinds of captions in the video, by the index of the stream.
    var captionNames: [Int: [String]] {
        found.mapValues { services in
            Set(services.map(\.codec)).map { $0 == .cea608 ? "CEA-608" : "CEA-708" }.sorted()
        }
    }
}

extension Media {
    /// Reports captions that exist but are not extracted, with one diagnostic per stream.
    ///
    /// Searching video that the extraction does not read takes too long, unless there is no other track.
    ///
    /// - Parameter tracks: The requested tracks.
    /// - Returns: The diagnostics.
    func captionDiagnostics(_ tracks: TrackSelection) -> [Diagnostic] {
        if isPresentation {
            let leftOut = description.streams.filter(tracks.takes).filter { stream in
                !streams(for: tracks).contains { $0.index == stream.index }
            }
            return Dictionary(grouping: leftOut) { $0.carrier ?? $0.index }
                .sorted { $0.key < $1.key }
                .map { .captionsLeftOut($1.compactMap(\.service), ofStream: $0) }
        }
        guard tracks == .all || subtitleTracks.isEmpty else { return [] }
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
            return .captionsLeftOut(names, ofStream: index)
        }
    }

    /// The streams, for an extraction of tracks: captions for which all of the video has to be fetched have to be named.
    package func streams(for tracks: TrackSelection) -> [StreamDescription] {
        guard isPresentation else { return description.streams }
        return description.streams.filter { $0.carrier == nil || tracks.namesService($0) }
    }
}

extension Diagnostic {
    fileprivate static func captionsLeftOut(_ names: [String], ofStream index: Int) -> Diagnostic {
        Diagnostic(
            .info, "captions-left-out",
            "the video carries closed captions (\(names.joined(separator: ", "))); they are extracted only "
                + "if they are selected, because all of the video has to be read for them",
            streamIndex: index, remedy: .set(.tracks, to: ["cc"]))
    }
}

extension DeclaredService {
    /// A page of subtitles that a stream of teletext lists.
    init(_ entry: TeletextPageList.Entry) {
        self.init(
            service: CaptionService(entry.page), language: entry.language,
            isHearingImpaired: entry.isHearingImpaired)
    }

    /// Adds to a description of the track what is declared.
    func describe(_ stream: inout StreamDescription) {
        stream.service = service.name
        stream.language = language ?? stream.language
        stream.disposition.formUnion(service.disposition)
        if isHearingImpaired { stream.disposition.insert(.hearingImpaired) }
        stream.tags += tags
    }

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
