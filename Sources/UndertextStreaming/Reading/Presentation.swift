public import UndertextCore
internal import UndertextFormats

/// An HLS or DASH presentation that was opened: what is in it, and its subtitles as packets.
///
/// Opening reads the playlists and the beginning of each requested subtitle stream, which alone determines its
/// format, but no audio or video. The class is not `Sendable`: one thread at a time.
public final class Presentation {
    /// The contents of the playlists or manifest, in the vocabulary of players, with the selection that is open;
    /// ``select(_:)`` opens another one.
    public var content: ContentInfo { plan.content }
    /// The same as containers are described; streams have the numbers of ``content``.
    public private(set) var description: ContainerDescription
    /// `true` if it is still being made.
    public let isLive: Bool
    /// The diagnostics of the documents opened so far.
    public var diagnostics: [Diagnostic] { plan.diagnostics + notes }

    /// Returns a selection with the tracks that go with it; it may be called while another thread reads.
    package let settled: @Sendable (ContentInfo) -> ContentInfo

    private var plan: any PresentationPlan
    private let fetcher: StreamFetcher
    private let limits: Limits
    private var texts: [Int: TextStream] = [:]
    /// The streams whose beginning was looked at.
    private var known: Set<Int> = []
    private var notes: [Diagnostic] = []
    /// Returns `true` for the subtitle streams to open together with a presentation, judged by its master
    /// playlist or manifest; their kind is not known yet.
    public typealias StreamFilter = (StreamDescription) -> Bool

    /// Enough for the header of WebVTT, a document of TTML, or what precedes fragments.
    private static let beginning = 64 << 10

    /// Returns `true` if `bytes` begin like a playlist or a manifest.
    public static func isPresentation(_ bytes: [UInt8]) -> Bool {
        PlaylistText.hasSignature(bytes[...]) || isManifest(bytes)
    }

    /// `true` if the first element of an XML document is `MPD`, judged by its beginning.
    private static func isManifest(_ bytes: [UInt8]) -> Bool {
        let name = XMLProlog.rootElement(of: bytes[...].withoutByteOrderMark)
        return name?.split(separator: UInt8(ascii: ":")).last?.elementsEqual("MPD".utf8) ?? false
    }

    /// Opens the presentation whose address `fetcher` was made for.
    ///
    /// - Parameters:
    ///   - fetcher: fetches its resources.
    ///   - isWanted: selects the streams to open; other streams are opened when they are read.
    ///   - selection: the selected variant and renditions; `nil` for those that the presentation prefers.
    ///   - limits: limits for subtitles.
    ///   - streamingLimits: limits for playlists.
    /// - Throws: `UndertextError`: `notMedia` if it is neither a playlist nor a manifest, or errors of
    ///   fetching. An unreadable playlist of a stream is not an error but a ``refusal(ofStream:)``.
    public convenience init(
        _ fetcher: StreamFetcher, opening isWanted: StreamFilter = { _ in true },
        selecting selection: ContentInfo? = nil, limits: Limits = Limits(),
        streamingLimits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        let document = try fetcher.fetch(
            StreamResource(fetcher.rule.named), limit: streamingLimits.playlistSize, for: .playlist)
        try self.init(
            document, fetcher, opening: isWanted, selecting: selection, limits: limits,
            streamingLimits: streamingLimits)
    }

    /// Opens a presentation whose master playlist or manifest was fetched already.
    public init(
        _ document: StreamAnswer, _ fetcher: StreamFetcher,
        opening isWanted: StreamFilter = { _ in true }, selecting selection: ContentInfo? = nil,
        limits: Limits = Limits(), streamingLimits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        self.fetcher = fetcher
        self.limits = limits
        var plan: any PresentationPlan
        do throws(UndertextError) {
            plan = try Self.plan(document, fetcher, streamingLimits)
        } catch {
            var error = error
            error.path = error.path ?? fetcher.rule.named
            throw error
        }
        if let selection { plan = plan.selecting(selection).plan }
        let usual = Self.usualCodec(of: plan.content)
        let wanted = plan.content.streams.filter { stream in
            // Of a media playlist nothing is known before it is opened.
            stream.tracks.isEmpty || isWanted(stream.description(facts: nil, usual: usual))
        }
        known = Set(wanted.map(\.id))
        notes = try Self.open(known, of: plan, fetcher, limits)
        if fetcher.cancellation.isCancelled {
            throw UndertextError(.cancelled, "reading was stopped", path: fetcher.rule.named)
        }
        isLive = plan.isLive
        settled = plan.settled
        self.plan = plan
        (texts, description) = Self.described(plan)
    }

    /// The codec assumed for subtitles before their beginning has been read.
    private static func usualCodec(of content: ContentInfo) -> CodecID {
        content.fileFormat == .hls ? .webVTT : .unknown
    }

    private static func described(
        _ plan: any PresentationPlan
    ) -> (texts: [Int: TextStream], description: ContainerDescription) {
        let content = plan.content
        let texts = Dictionary(plan.texts.map { ($0.index, $0) }) { first, _ in first }
        let length = content.totalPlayTime.map { Timestamp.zero.advanced(by: $0) }
        let description = ContainerDescription(
            formatName: content.fileFormat == .hls ? "hls" : "dash",
            duration: length.flatMap { $0.ticks(in: .microseconds) },
            isSeekable: content.isSeekable,
            streams: content.streams.map { stream in
                var described = stream.description(
                    facts: texts[stream.id]?.facts, usual: usualCodec(of: content))
                described.carrier = content.carrier(of: stream)
                return described
            })
        return (texts, description)
    }

    /// Opens what a selection uses, and has later readers use it.
    ///
    /// These are the playlist of the selected variant, and the playlist and the beginning of the selected
    /// subtitles in the variant's rendition group, unless they are already open. Existing readers are not
    /// affected.
    ///
    /// - Parameter selection: A description of this presentation after ``UndertextCore/ContentInfo/select(video:audio:text:attributes:)``
    ///   and the like.
    /// - Throws: `UndertextError`: a part of it cannot be opened; nothing has changed then.
    public func select(_ selection: ContentInfo) throws(UndertextError) {
        try select(selection, isRequired: true)
    }

    /// Opens what a selection uses; if it is not required, what cannot be opened is left to readers.
    package func select(_ selection: ContentInfo, isRequired: Bool) throws(UndertextError) {
        let (plan, reset) = plan.selecting(selection)
        var open = known.subtracting(reset)
        // Readers open the streams that they read.
        let text = plan.texts.first { $0.index == plan.content.currentTextStreamID }?.index
        let new = isRequired ? Set([text].compactMap(\.self)).subtracting(open) : []
        guard plan !== self.plan || !new.isEmpty else { return }
        let found = try Self.open(new, of: plan, fetcher, limits)
        open.formUnion(new)
        if isRequired {
            let refusal = plan.texts.first { $0.index == text }?.refusal
            if let error = plan.mediaFailure ?? refusal { throw error }
        }
        self.plan = plan
        known = open
        notes += found
        (texts, description) = Self.described(plan)
    }

    private static func plan(
        _ document: StreamAnswer, _ fetcher: StreamFetcher, _ limits: StreamingLimits
    ) throws(UndertextError) -> any PresentationPlan {
        guard !isManifest(document.bytes) else {
            return try DASHPlan(document, fetcher, limits: limits)
        }
        switch try HLSPlaylist(document.bytes, url: document.url, limits: limits) {
        case .master(let master): return HLSPlan(master: master, fetcher, limits: limits)
        case .media(let media): return HLSPlan(media: media, fetcher, limits: limits)
        }
    }

    /// Opens streams of subtitles and looks at their beginnings.
    ///
    /// - Returns: The number of resources not requested because their server is unavailable.
    private static func open(
        _ streams: Set<Int>, of plan: any PresentationPlan, _ fetcher: StreamFetcher,
        _ limits: Limits
    ) throws(UndertextError) -> [Diagnostic] {
        let unasked = fetcher.unasked
        try plan.open(streams)
        let playlists = fetcher.unasked - unasked
        look(at: plan, streams, fetcher, limits)
        let beginnings = fetcher.unasked - unasked - playlists
        var notes: [Diagnostic] = []
        func report(_ count: UInt64, _ severity: Diagnostic.Severity, _ name: String) {
            guard count > 0 else { return }
            notes.append(
                Diagnostic(
                    severity, "server-gone",
                    "a server that does not respond is no longer queried: \(count) \(name)"
                ))
        }
        report(playlists, .error, playlists == 1 ? "playlist" : "playlists")
        report(
            beginnings, .warning,
            beginnings == 1 ? "segment that identifies a format" : "segments that identify a format"
        )
        return notes
    }

    /// Finds out by the beginning of each stream of subtitles what it is made of.
    private static func look(
        at plan: any PresentationPlan, _ streams: Set<Int>, _ fetcher: StreamFetcher,
        _ limits: Limits
    ) {
        func report(_ glance: Glance) {
            // A stream without segments has nothing to report or read.
            guard let refusal = glance.refusal else { return }
            plan.note(nil, refusal, ofStream: glance.stream)
        }
        var waiting = plan.texts.filter { streams.contains($0.index) && $0.refusal == nil }
            .map { Glance(stream: $0.index, pieces: plan.firstPieces(of: $0.index)) }
        // If one piece is damaged, the next ones may still determine the format.
        for _ in 0..<TextPiece.lookedAt where !waiting.isEmpty {
            var asked: [(glance: Glance, piece: TextPiece, places: [StreamResource])] = []
            var next: [Glance] = []
            for glance in waiting {
                var glance = glance
                guard var piece = glance.nextPiece() else {
                    report(glance)
                    continue
                }
                piece.locate(by: fetcher)
                if let refusal = piece.refusal {
                    glance.refusal = glance.refusal ?? refusal
                    next.append(glance)
                } else if !piece.identifyingPlaces.isEmpty {
                    asked.append((glance, piece, piece.identifyingPlaces.map { beginning(of: $0) }))
                }
            }
            let results = fetcher.fetchAll(
                asked.compactMap(\.places.first), limit: limits.textFileSize)
            for ((glance, piece, places), result) in zip(asked, results) {
                var glance = glance
                do throws(UndertextError) {
                    let answer = try fetcher.settled(
                        result, else: Array(places.dropFirst()), limit: limits.textFileSize
                    ).answer
                    let (facts, refusal) = try facts(
                        of: answer, piece, glance.stream, limits)
                    plan.note(facts, refusal, ofStream: glance.stream)
                } catch {
                    // A segment may be missing while others are available.
                    let isLost = error.code == .notMedia || error.code == .nestedOpen
                    glance.refusal = glance.refusal ?? (isLost ? error : nil)
                    if isLost || glance.refusal != nil {
                        next.append(glance)
                    } else {
                        plan.note(nil, nil, ofStream: glance.stream)
                    }
                }
            }
            waiting = next
        }
        for glance in waiting { report(glance) }
    }

    /// The detection of a stream's format, piece by piece.
    private struct Glance {
        let stream: Int
        /// The reason why the first piece does not determine the format.
        var refusal: UndertextError?
        private var pieces: ArraySlice<TextPiece>

        init(stream: Int, pieces all: [TextPiece]) {
            self.stream = stream
            let named = all.filter { $0.reference != nil }
            // Prefer readable streams; otherwise, report why the first one is not.
            let readable = named.filter { $0.refusal == nil }
            pieces = Array((readable.isEmpty ? named : readable).prefix(TextPiece.lookedAt))[...]
        }

        mutating func nextPiece() -> TextPiece? { pieces.popFirst() }
    }

    private static func beginning(of place: TextPiece.Place) -> StreamResource {
        let range = place.resource.range ?? ByteRange(offset: 0, count: beginning)
        return StreamResource(
            place.resource.url,
            range: ByteRange(offset: range.offset, count: min(range.count, beginning)))
    }

    private static func facts(
        of answer: StreamAnswer, _ piece: TextPiece, _ stream: Int, _ limits: Limits
    ) throws(UndertextError) -> (TextSummary, UndertextError?) {
        let facts =
            piece.initializations.isEmpty
            ? TextSummary(beginning: answer.bytes, limits: limits)
            : TextSummary(initialization: answer.bytes, limits: limits)
        guard let facts else {
            throw UndertextError(
                .notMedia, "it contains no subtitles: neither WebVTT, TTML nor text in MP4",
                path: answer.url, streamIndex: stream)
        }
        let refusal = facts.refusal.map {
            UndertextError(
                facts.codec == .unknown ? .encrypted : .unsupported, $0, path: answer.url,
                streamIndex: stream)
        }
        return (facts, refusal)
    }

    /// The reason why a subtitle stream cannot be read at all; `nil` if it probably can.
    public func refusal(ofStream index: Int) -> UndertextError? {
        open([index])
        return texts[index]?.refusal
    }

    /// Opens streams that were not requested at first.
    private func open(_ streams: Set<Int>) {
        let new = streams.subtracting(known).intersection(texts.keys)
        // Cancellation is reported when packets are read.
        guard !new.isEmpty, let found = try? Self.open(new, of: plan, fetcher, limits) else {
            return
        }
        known.formUnion(new)
        notes += found
        (texts, description) = Self.described(plan)
    }

    /// Creates a reader for the packets of some subtitle streams.
    ///
    /// Times are nanoseconds from the beginning of the presentation; for a live presentation, from the
    /// beginning of the media that are available when it is opened.
    ///
    /// - Parameters:
    ///   - streams: the indices of streams; a video stream returns its captions as packets of `cc_data`
    ///     triplets.
    ///   - window: the part of the timeline; segments outside of it are not fetched.
    ///   - duration: the time for which a live presentation is followed; `nil` to read only the available
    ///     segments.
    ///   - stop: ends following earlier; packets read so far are kept.
    ///   - namesSegments: `true` if packets name their segment in side data.
    /// - Returns: The reader, which fetches no segment before its first packet is read.
    public func reader(
        for streams: Set<Int>, window: TimeWindow = .all, following duration: Duration? = nil,
        stop: LiveReadingToken = LiveReadingToken(), namesSegments: Bool = false
    ) -> PresentationReader {
        open(streams)
        let chosen = texts.filter { streams.contains($0.key) }
        let carriers = streams.intersection(plan.content.streams(ofType: .video).map(\.id))
        // Another selection may have left the media unopened.
        if !carriers.isEmpty { try? plan.open([]) }
        return PresentationReader(
            plan, fetcher, headers: chosen.mapValues { $0.facts?.codecPrivate ?? [] },
            carriers: carriers, window: window, following: isLive ? duration : nil, stop: stop,
            namesSegments: namesSegments, limits: limits)
    }

    /// The requests so far.
    public var statistics: ReadStatistics { fetcher.statistics }
}
