internal import UndertextCore
internal import UndertextIO

/// An HLS presentation: its playlists, and the segments of its subtitles.
final class HLSPlan: PresentationPlan {
    private(set) var content: ContentInfo
    private(set) var texts: [TextStream] = []
    private(set) var diagnostics: [Diagnostic] = []

    let fetcher: StreamFetcher
    let limits: StreamingLimits
    let master: MasterPlaylist?
    /// The playlist of each stream of subtitles, and of the media that their clock comes from.
    private(set) var playlists: [Int: FollowedPlaylist] = [:]
    private(set) var media: FollowedPlaylist?
    let clocks: MediaClocks
    private var budget: PlaylistBudget
    /// The streams whose playlists have been requested.
    private var opened: Set<Int> = []
    private var hasAskedForMedia = false
    /// Stretches of subtitles that the media do not have.
    private var unknownStretches: Set<Int64> = []
    private static let mostUnknown = 100
    let found = DiagnosticSink()
    /// The diagnostics of the plan, which follow those of the clocks.
    let notes: DiagnosticSink
    /// Variants of which a playlist is tried, until one can be read.
    private static let mostVariants = 3
    /// The error of the first of them, which is the selected one.
    private(set) var mediaFailure: UndertextError?
    /// The media that were opened first, on whose timeline live playlists are placed.
    private var timeline: FollowedPlaylist?

    var isLive: Bool {
        (media.map { [$0] } ?? []).contains(where: \.media.isLive)
            || playlists.values.contains(where: \.media.isLive)
    }

    /// Parses a master playlist; ``open(_:)`` opens its playlists.
    init(
        master: MasterPlaylist, _ fetcher: StreamFetcher, limits: StreamingLimits
    ) {
        self.master = master
        self.fetcher = fetcher
        self.limits = limits
        clocks = MediaClocks(fetcher)
        found.add(clocks.takeDiagnostics)
        notes = found.section()
        budget = PlaylistBudget(limits)
        content = ContentInfo(hls: master)
        diagnostics = master.diagnostics
        let all = TextStream.all(of: content)
        texts = all.streams
        if let note = all.note { diagnostics.append(note) }
    }

    /// Uses a media playlist without a master: of subtitles, or of media without subtitle renditions.
    init(media: MediaPlaylist, _ fetcher: StreamFetcher, limits: StreamingLimits) {
        master = nil
        self.fetcher = fetcher
        self.limits = limits
        clocks = MediaClocks(fetcher)
        found.add(clocks.takeDiagnostics)
        notes = found.section()
        budget = PlaylistBudget(limits)
        content = ContentInfo(hls: media)
        diagnostics = media.diagnostics
        // Its first segment determines the content.
        var media = media
        media.text = PlaylistText(lines: [])
        playlists[0] = FollowedPlaylist(media)
        texts = [TextStream(0)]
        content.streams = [MediaStreamInfo(id: 0, type: .text)]
    }

    /// Shares with `earlier` the playlists that another selection leaves in use.
    private init(_ earlier: HLSPlan, _ master: MasterPlaylist, for content: ContentInfo) {
        self.master = master
        self.content = content
        fetcher = earlier.fetcher
        limits = earlier.limits
        budget = earlier.budget
        diagnostics = earlier.diagnostics
        let variants = (
            earlier.master?.choice(for: earlier.content).variant,
            master.choice(for: content).variant
        )
        let keepsVariant = variants.0 == variants.1
        timeline = earlier.timeline
        clocks =
            keepsVariant ? earlier.clocks : MediaClocks(earlier.fetcher, after: earlier.clocks)
        media = keepsVariant ? earlier.media : nil
        hasAskedForMedia = keepsVariant && earlier.hasAskedForMedia
        found.add(clocks.takeDiagnostics)
        notes = found.section()
        for text in earlier.texts {
            let isKept = earlier.address(of: text.index) == address(of: text.index)
            texts.append(isKept ? text : TextStream(text.index))
            guard isKept, earlier.opened.contains(text.index) else { continue }
            opened.insert(text.index)
            playlists[text.index] = earlier.playlists[text.index]
        }
    }

    var settled: @Sendable (ContentInfo) -> ContentInfo {
        { [master] selection in
            var content = selection
            master?.settle(&content)
            return content
        }
    }

    func selecting(_ selection: ContentInfo) -> (plan: any PresentationPlan, reset: Set<Int>) {
        guard let master else { return (self, []) }
        var chosen = content
        chosen.adoptSelection(of: selection)
        chosen = settled(chosen)
        guard chosen != content else { return (self, []) }
        let plan = HLSPlan(self, master, for: chosen)
        return (plan, opened.subtracting(plan.opened))
    }

    func open(_ streams: Set<Int>) throws(UndertextError) {
        guard let master else { return }
        var wanted: [(stream: Int?, uri: String)] = []
        for stream in content.streams where streams.contains(stream.id) {
            guard texts.contains(where: { $0.index == stream.id }),
                opened.insert(stream.id).inserted
            else { continue }
            if let uri = address(of: stream.id) {
                wanted.append((stream.id, uri))
            } else {
                note(
                    nil,
                    UndertextError(
                        .malformed, "the playlist has no URL", path: master.url,
                        streamIndex: stream.id), ofStream: stream.id)
            }
        }
        let isFirst = !hasAskedForMedia
        hasAskedForMedia = true
        openPlaylists(wanted, withMedia: isFirst, master)
        if fetcher.cancellation.isCancelled {
            throw UndertextError(.cancelled, "reading was stopped", path: fetcher.rule.named)
        }
        guard isFirst else { return }
        let described = media?.media ?? playlists.min { $0.key < $1.key }?.value.media
        let selection = content
        content = ContentInfo(hls: master, media: described)
        content.adoptSelection(of: selection)
        timeline = media ?? timeline
        if let media { clocks.add(media.segments, of: media.media) }
    }

    private func openPlaylists(
        _ wanted: [(stream: Int?, uri: String)], withMedia: Bool, _ master: MasterPlaylist
    ) {
        guard withMedia else { return open(wanted, master) }
        // Any variant will do: all of them have one clock.
        var variants = master.variants.indices.filter { !master.variants[$0].isIFrameOnly }
        if let chosen = master.choice(for: content).variant, variants.contains(chosen) {
            variants.removeAll { $0 == chosen }
            variants.insert(chosen, at: 0)
        }
        open(variants.prefix(1).map { (nil, master.variants[$0].uri) } + wanted, master)
        for variant in variants.dropFirst().prefix(Self.mostVariants - 1) where media == nil {
            open([(nil, master.variants[variant].uri)], master)
        }
        guard media == nil, let mediaFailure else { return }
        report(
            "no-media-time",
            "the subtitles have no media clock to refer to: no variant's playlist can be read: "
                + "\(mediaFailure)")
    }

    /// The address of a stream's playlist: its current track is the rendition of the variant's group.
    private func address(of stream: Int) -> String? {
        guard let master, let stream = content.streams.first(where: { $0.id == stream }) else {
            return nil
        }
        let ids = [stream.currentTrackID].compactMap(\.self) + stream.tracks.map(\.id)
        return ids.lazy.filter(master.renditions.indices.contains)
            .compactMap { master.renditions[$0].uri }.first
    }

    private func open(_ wanted: [(stream: Int?, uri: String)], _ master: MasterPlaylist) {
        var rest = wanted[...]
        var unread = 0
        let fetching = OrderedFetching<(stream: Int?, refusal: UndertextError?)>(
            fetcher, parallel: min(fetcher.options.parallel, wanted.count)
        ) {
            guard let (stream, uri) = rest.popFirst() else { return nil }
            guard !self.budget.isSpent else {
                return .init(nil, tag: (stream, self.budget.refusal))
            }
            do throws(UndertextError) {
                let resource = try self.fetcher.resource(uri, in: master.url)
                return .init(
                    resource, limit: self.limits.playlistSize, for: .playlist,
                    tag: (stream, nil))
            } catch {
                return .init(nil, tag: (stream, error))
            }
        }
        // One at a time, so that only the playlists in progress are kept as text.
        while let outcome = fetching.nextOutcome() {
            let (stream, refusal) = outcome.tag
            do throws(UndertextError) {
                if let refusal { throw refusal }
                guard let answer = try outcome.result?.get() else { continue }
                if budget.isSpent { throw budget.refusal }
                try take(answer, for: stream, imports: master.variables)
            } catch {
                if error == budget.refusal { unread += 1 }
                fail(stream, error)
            }
        }
        guard unread > 0 else { return }
        diagnostics.append(
            Diagnostic(
                .error, "playlists-too-long",
                "\(unread) \(unread == 1 ? "playlist is" : "playlists are") not read: \(budget.bounds)"
            ))
    }

    private func take(
        _ answer: StreamAnswer, for stream: Int?, imports: [String: String]
    ) throws(UndertextError) {
        let playlist = try playlist(answer, for: stream, imports: imports)
        guard let stream else {
            media = FollowedPlaylist(playlist, on: timeline)
            return
        }
        playlists[stream] = FollowedPlaylist(playlist, on: timeline)
        diagnostics += playlist.diagnostics.map { note in
            var note = note
            note.streamIndex = stream
            return note
        }
    }

    /// Parses a playlist; its text is not kept.
    func playlist(
        _ answer: StreamAnswer, for stream: Int?, imports: [String: String]
    ) throws(UndertextError) -> MediaPlaylist {
        var playlist = try MediaPlaylist(
            PlaylistText(answer.bytes, limits: limits), url: answer.url, imports: imports,
            limits: limits)
        try budget.take(stream, bytes: answer.bytes.count, segments: playlist.segments.count)
        playlist.text = PlaylistText(lines: [])
        return playlist
    }

    private func fail(_ stream: Int?, _ error: UndertextError) {
        if let stream {
            note(nil, error, ofStream: stream)
        } else {
            mediaFailure = mediaFailure ?? error
        }
    }

    private func report(_ code: String, _ message: String) {
        diagnostics.append(Diagnostic(.warning, code, message))
    }

    func note(_ facts: TextSummary?, _ refusal: UndertextError?, ofStream index: Int) {
        guard let place = texts.firstIndex(where: { $0.index == index }) else { return }
        texts[place].facts = facts
        texts[place].refusal = refusal
        guard master == nil else { return }
        // Without a master playlist, only the segments reveal their type.
        if facts == nil, refusal?.code == .notMedia {
            texts = []
            media = playlists.removeValue(forKey: 0)
            if let media { clocks.add(media.segments, of: media.media) }
            content.streams = [MediaStreamInfo(id: 0, type: .video)]
            content.currentVideoStreamID = 0
        }
    }

    // MARK: Pieces

    func firstPieces(of index: Int) -> [TextPiece] {
        guard let followed = playlists[index] else { return [] }
        let named = followed.segments.filter { !$0.isGap }
        let clear = named.lazy.filter(\.keys.isEmpty).prefix(TextPiece.lookedAt)
        let first = clear.isEmpty ? Array(named.prefix(TextPiece.lookedAt)) : Array(clear)
        return pieces(first[...], of: followed.media, stream: index)
    }

    func pieces(of index: Int) -> [TextPiece] {
        guard let followed = playlists[index] ?? (isVideo(index) ? media : nil) else { return [] }
        return pieces(followed.segments, of: followed.media, stream: index)
    }

    /// `true` for video, whose segments are those of the media.
    func isVideo(_ index: Int) -> Bool {
        content.streams.contains { $0.id == index && $0.type == .video }
    }

    func pieces(
        _ segments: ArraySlice<HLSSegment>, of media: MediaPlaylist, stream: Int
    ) -> [TextPiece] {
        segments.map { segment in
            var piece = TextPiece(
                stream: stream, parent: media.url, start: segment.start, end: segment.end,
                number: segment.sequence, placement: .clock(stretch: segment.discontinuity))
            if segment.isGap { return piece }
            piece.reference = .init(uri: segment.uri, range: segment.range)
            piece.refusal = segment.keys.first.map(Self.encrypted)
            piece.initializationReference = segment.map.map { map in
                .init(uri: media.maps[map].uri, range: media.maps[map].range)
            }
            return piece
        }
    }

    private static func encrypted(_ key: HLSKey) -> UndertextError {
        UndertextError(
            .encrypted,
            "it is encrypted (\(key.method), key format \(key.format)), which is not undone")
    }

    // MARK: Times

    func clock(for piece: TextPiece) -> MediaClock? {
        guard case .clock(let stretch) = piece.placement, media != nil else { return nil }
        // The subtitles may be ahead of the media, which is looked for once for each stretch.
        if !clocks.knows(stretch), !unknownStretches.contains(stretch),
            unknownStretches.count < Self.mostUnknown
        {
            try? followMedia()
        }
        if !clocks.knows(stretch), unknownStretches.count < Self.mostUnknown,
            unknownStretches.insert(stretch).inserted
        {
            notes.report(
                .warning, "no-media-time",
                "the subtitles have no media clock to refer to: the media have no matching discontinuity "
                    + "sequence", streamIndex: piece.stream,
                time: piece.start)
        }
        return clocks.clock(of: stretch)
    }

    func expect(_ pieces: [TextPiece]) {
        guard media != nil else { return }
        clocks.expect(
            pieces.lazy.compactMap { piece in
                if case .clock(let stretch) = piece.placement { stretch } else { nil }
            })
    }

    /// Looks for what was added to the media: a stretch begins where those before it end, so that none
    /// of their segments may be missed.
    private func followMedia() throws(UndertextError) {
        _ = try update([])
    }
}
