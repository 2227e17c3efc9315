internal import UndertextCore
internal import UndertextFormats

/// A stream of subtitles of a presentation that is fetched by itself.
struct TextStream: Sendable {
    /// The index of the stream in the description.
    var index: Int
    /// The properties that its beginning determines; `nil` if it could not be read.
    var facts: TextSummary?
    /// The reason why it cannot be read; `nil` if it can.
    var refusal: UndertextError?

    init(_ index: Int) { self.index = index }

    /// The maximum number of streams that are opened in one presentation.
    static let most = 500

    /// The streams of subtitles of `content` that are fetched by themselves, and a note where there are more
    /// than are opened.
    static func all(of content: ContentInfo) -> (streams: [TextStream], note: Diagnostic?) {
        let all = content.streams(ofType: .text).filter { $0.inStreamID == nil }
        let note =
            all.count > most
            ? Diagnostic(
                .error, "too-many-streams", "only \(most) streams of subtitles are opened") : nil
        return (all.prefix(most).map { TextStream($0.id) }, note)
    }
}

extension ContentInfo {
    /// The video stream that carries captions: the one before them; `nil` for other streams.
    func carrier(of captions: MediaStreamInfo) -> Int? {
        guard captions.inStreamID.flatMap(CaptionService.init(name:)) != nil else { return nil }
        return streams(ofType: .video).last { $0.id < captions.id }?.id
    }
}

extension MediaStreamInfo {
    /// The stream as containers describe theirs.
    ///
    /// - Parameters:
    ///   - facts: the properties found at the beginning of its subtitles.
    ///   - usual: The codec assumed if none is stated.
    /// - Returns: the description.
    func description(facts: TextSummary?, usual: CodecID) -> StreamDescription {
        let kind: MediaKind =
            switch type {
            case .video: .video
            case .audio: .audio
            case .text: facts?.kind ?? .text
            }
        let track = currentTrack ?? tracks.first
        var tags: [MetadataTag] = []
        if let language { tags.append(MetadataTag("language", language.rawValue)) }
        if let name { tags.append(MetadataTag("title", name)) }
        var size = facts?.size
        if let width = track?.width, let height = track?.height, type == .video {
            size = PixelSize(width: width, height: height)
        }
        var stream = StreamDescription(
            index: id, kind: kind,
            codec: facts?.codec ?? representativeCodec ?? (type == .text ? usual : .unknown),
            timeBase: .nanoseconds, language: language, title: name, disposition: disposition,
            codecPrivate: facts?.codecPrivate ?? [], size: size, tags: tags)
        if let service = inStreamID.flatMap(CaptionService.init(name:)) {
            stream.service = service.name
            stream.disposition.formUnion(service.disposition)
        }
        // Times within packets are already on the presentation's timeline.
        if stream.codec == .webVTT { stream.inlineTimeOrigin = .timeline }
        return stream
    }
}

/// The structure of a presentation and the locations of its subtitles.
protocol PresentationPlan: AnyObject {
    /// The description in the words of players.
    var content: ContentInfo { get }
    /// `true` if it is still being made.
    var isLive: Bool { get }
    /// The streams of subtitles that are fetched by themselves.
    var texts: [TextStream] { get }
    /// The diagnostics.
    var diagnostics: [Diagnostic] { get }

    /// Returns a selection with the tracks that go with it.
    var settled: @Sendable (ContentInfo) -> ContentInfo { get }
    /// Returns a plan of the same presentation for another selection, and the streams that it has to open again.
    ///
    /// Readers of this plan continue to use what it has opened.
    func selecting(_ selection: ContentInfo) -> (plan: any PresentationPlan, reset: Set<Int>)
    /// The reason why the playlist of the selected variant cannot be read; `nil` if it can, or none is needed.
    var mediaFailure: UndertextError? { get }
    /// Opens the documents of streams of subtitles, each once.
    ///
    /// - Throws: `UndertextError` when it is cancelled; what cannot be opened is noted.
    func open(_ streams: Set<Int>) throws(UndertextError)
    /// The pieces to examine for the format of a stream.
    func firstPieces(of index: Int) -> [TextPiece]
    /// All available pieces of a stream.
    func pieces(of index: Int) -> [TextPiece]
    /// Records the properties found at the beginning of a stream.
    func note(_ facts: TextSummary?, _ refusal: UndertextError?, ofStream index: Int)
    /// Announces the pieces that will be read, in order, before the first of them is read.
    func expect(_ pieces: [TextPiece])
    /// The clock of the media for a piece; `nil` where there is none.
    func clock(for piece: TextPiece) -> MediaClock?
    /// Collects what could not be found out while the presentation is read.
    var found: DiagnosticSink { get }
    /// Looks for what was added to a live presentation.
    ///
    /// - Returns: the pieces, and how long to wait until it is worth while to look again; `nil` for the
    ///   wait at the end of the presentation.
    func update(_ streams: Set<Int>) throws(UndertextError) -> (
        pieces: [TextPiece], wait: Duration?
    )
    /// The wait until a missing piece may be available; `nil` if it never will be.
    func patience(with piece: TextPiece) -> Duration?
}

extension PresentationPlan {
    /// Announcements only help if clocks are read from media segments.
    func expect(_ pieces: [TextPiece]) {}

    /// Segments in a playlist are available.
    func patience(with piece: TextPiece) -> Duration? { nil }
}

extension PresentationPlan {
    var mediaFailure: UndertextError? { nil }

    var settled: @Sendable (ContentInfo) -> ContentInfo { { $0 } }

    /// A single document describes all streams, so there is nothing to open.
    func open(_ streams: Set<Int>) throws(UndertextError) {}
}
