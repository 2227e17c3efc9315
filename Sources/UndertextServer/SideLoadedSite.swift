public import UndertextCore
internal import UndertextIO
public import UndertextStreaming

/// Another provider's presentation with added subtitles: `/master.m3u8` and its resources on this server.
///
/// Only the specified upstream is used, and only its playlists and the beginnings of some segments are fetched,
/// whatever clients request. Responses are cached: the master playlist for half a minute; a live media playlist
/// for half its target duration, at most ten seconds; an ended one for half a minute, since encoders may
/// resume; a VOD playlist forever; a failure for one second.
///
/// If the upstream fails, cached responses remain valid: for a live stream for another minute, for an ended one
/// without limit.
public final class SideLoadedSite: ServerSite {
    /// Options in addition to the upstream and the subtitles.
    public struct Options: Hashable, Sendable {
        /// The media clock at the beginning if the media have no time, in ticks of 90 kHz; `nil` to omit the
        /// time map of such segments.
        ///
        /// Not for live streams that forget their beginning.
        public var mediaStart: Int64?
        /// The date at which the subtitles' times begin, nanoseconds since 1970; `nil` = the first
        /// segment that is seen.
        public var zeroDate: Timestamp?

        /// The defaults.
        public init() {}
    }

    private let reader: UpstreamReader
    private let side: SubtitleInjection
    private let options: Options
    private let report: @Sendable (Diagnostic) -> Void
    private let master: RefreshingCache<PreparedMaster>
    private let timeline: RefreshingCache<PreparedTimeline>

    /// The path of the master playlist.
    public static let masterPath = "/master.m3u8"
    private static let masterAge = Duration.seconds(30)
    /// The bounds of a live playlist's cache time, which is half its target duration.
    private static let liveAge = Duration.milliseconds(500)...Duration.seconds(10)
    /// The target duration of a playlist that states none.
    private static let usualTarget = Duration.seconds(6)
    /// The time for which a live stream's cached playlist is used while the upstream fails.
    private static let liveGrace = Duration.seconds(60)
    private static let patience = Duration.seconds(30)

    /// Creates a site without sending any request.
    ///
    /// - Parameters:
    ///   - reader: the upstream.
    ///   - side: the subtitles.
    ///   - options: further options.
    ///   - report: receives warnings, from any thread, each kind once.
    public convenience init(
        _ reader: UpstreamReader, _ side: SubtitleInjection, options: Options = Options(),
        report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) {
        self.init(reader, side, options: options, clock: .system, report: report)
    }

    init(
        _ reader: UpstreamReader, _ side: SubtitleInjection, options: Options, clock: JobClock,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.reader = reader
        self.side = side
        self.options = options
        let reported = Monitor(ReportedDiagnostics())
        let report: @Sendable (Diagnostic) -> Void = { diagnostic in
            if reported.with({ $0.isNew(diagnostic) }) { report(diagnostic) }
        }
        self.report = report
        let bridged: @Sendable (UndertextError) -> Void = { report(Self.trouble($0)) }
        master = RefreshingCache(patience: Self.patience, clock: clock, bridged: bridged)
        timeline = RefreshingCache(patience: Self.patience, clock: clock, bridged: bridged)
    }

    /// Opens the upstream, so that errors are reported before the server starts.
    ///
    /// - Throws: `UndertextError`: what the upstream's failure is, `unsupported` for ``Options/mediaStart`` with a
    ///   live stream whose beginning goes.
    public func open() throws(UndertextError) {
        let now: InjectionTimeline
        do throws(RefreshingCacheFailure) {
            for diagnostic in try currentMaster().diagnostics { report(diagnostic) }
            now = try currentTimeline().timeline
        } catch {
            throw error.error
        }
        guard !now.media.isLive else {
            // The playlist of an event keeps its first segment; a window starts with another one each time.
            guard options.mediaStart == nil || now.media.keepsBeginning else {
                throw UndertextError(
                    .unsupported,
                    "the stream is live, and its first segment depends on when this server starts; a "
                        + "media start would shift subtitles each time",
                    path: reader.url, remedy: .omit([.mediaStart]))
            }
            return
        }
        for index in side.subtitles.indices {
            let lost = side.cuesOutside(now, of: index).count
            if lost > 0 {
                report(
                    Diagnostic(
                        .warning, "cues-outside",
                        "'\(side.subtitles[index].name)': \(lost) cues are outside the media"))
            }
        }
    }

    /// The answer to a request.
    public func answer(_ request: ServerRequest) -> ServerAnswer {
        guard let path = request.path else { return Self.missing }
        do throws(RefreshingCacheFailure) {
            switch path.count {
            case 1 where path[0] == "master.m3u8": return try masterAnswer()
            case 1: return try playlistAnswer(path[0])
            case 2: return try segmentAnswer(path[0], path[1])
            default: return Self.missing
            }
        } catch {
            // Details are reported to the server's operator only.
            let text = "the presentation cannot be had now"
            switch error {
            case .busy:
                var answer = ServerAnswer(503, saying: text)
                answer.headers.append(HTTPHeader("Retry-After", "2"))
                return answer
            case .failed(let error):
                report(Self.trouble(error))
                return ServerAnswer(error.code == .timeout ? 504 : 502, saying: text)
            }
        }
    }

    private static func trouble(_ error: UndertextError) -> Diagnostic {
        Diagnostic(.error, "upstream", error.description)
    }

    private static let missing = ServerAnswer(404, saying: "there is nothing of that name")

    private static func playlistURI(_ index: Int) -> String { "subtitles-\(index).m3u8" }

    private func masterAnswer() throws(RefreshingCacheFailure) -> ServerAnswer {
        ServerAnswer(try currentMaster().bytes, type: MediaTypes.playlist, maxAge: 10)
    }

    private func playlistAnswer(_ name: String) throws(RefreshingCacheFailure) -> ServerAnswer {
        guard let index = side.subtitles.indices.first(where: { Self.playlistURI($0) == name })
        else {
            return Self.missing
        }
        let now = try currentTimeline()
        let bytes = now.playlist(of: index) {
            let prefix = "subtitles-\(index)/" + Self.segmentPrefix(now.timeline)
            return side.playlist(beside: now.timeline, prefix: prefix).bytes
        }
        return ServerAnswer(
            bytes, type: MediaTypes.playlist, maxAge: now.timeline.media.isLive ? 1 : 60)
    }

    private func segmentAnswer(
        _ folder: String, _ name: String
    ) throws(RefreshingCacheFailure) -> ServerAnswer {
        guard let index = side.subtitles.indices.first(where: { "subtitles-\($0)" == folder }),
            name.hasSuffix(".vtt")
        else { return Self.missing }
        let now = try currentTimeline().timeline
        let prefix = Self.segmentPrefix(now)
        guard let sequence = Int64(name.dropFirst(prefix.count).dropLast(4)),
            name == prefix + "\(sequence).vtt", let segment = now.segment(numbered: sequence),
            let file = side.segment(of: index, beside: segment, in: now)
        else { return Self.missing }
        return ServerAnswer(file.bytes, type: MediaTypes.webVTT, maxAge: 60)
    }

    /// The part of a segment's name before its number, which differs after a restart of the encoder because of
    /// caches.
    private static func segmentPrefix(_ timeline: InjectionTimeline) -> String {
        timeline.generation == 0 ? "" : "\(timeline.generation)-"
    }

    // MARK: The upstream

    /// The time for which cached data are used without newer ones; `nil` for no limit.
    private var grace: Duration? {
        timeline.latest.map { $0.timeline.media.isLive ? Self.liveGrace : nil } ?? Self.liveGrace
    }

    private func currentMaster() throws(RefreshingCacheFailure) -> PreparedMaster {
        try master.value(keeping: grace) { (_) throws(UndertextError) in
            (PreparedMaster(try reader.master(), side, uri: Self.playlistURI), Self.masterAge)
        }
    }

    private func currentTimeline() throws(RefreshingCacheFailure) -> PreparedTimeline {
        try timeline.value(keeping: grace) { (old) throws(UndertextError) in
            let media: MediaPlaylist
            do throws(UndertextError) {
                media = try latestMedia(old?.timeline.media)
            } catch {
                // News of what has ended is not awaited more often than that.
                guard let old, !old.timeline.media.isLive else { throw error }
                report(Self.trouble(error))
                return (old, Self.masterAge)
            }
            if let old, old.isComplete, old.timeline.media.text == media.text {
                return (old, Self.age(of: old))
            }
            var new = followed(old?.timeline, media)
            let limit = new.media.isLive ? 64 : 2000
            let isLimited = new.segmentsWithoutClock.count > limit
            let notes = try reader.readClocks(
                of: &new, mediaStart: options.mediaStart, limit: limit)
            for diagnostic in notes + new.takeDiagnostics() { report(diagnostic) }
            let isComplete = !isLimited && !notes.contains { $0.code == "segment-not-read" }
            let prepared = PreparedTimeline(
                new, isComplete: isComplete, count: side.subtitles.count)
            return (prepared, Self.age(of: prepared))
        }
    }

    /// The cache time of a version.
    private static func age(of prepared: PreparedTimeline) -> Duration {
        let media = prepared.timeline.media
        guard !media.isLive else {
            let half = (media.plausibleTargetDuration ?? usualTarget) / 2
            return min(max(liveAge.lowerBound, half), liveAge.upperBound)
        }
        return media.type == .vod && prepared.isComplete ? .seconds(1 << 40) : masterAge
    }

    /// The latest version of the playlist; what is of the type VOD does not change.
    private func latestMedia(_ known: MediaPlaylist?) throws(UndertextError) -> MediaPlaylist {
        if let known, known.type == .vod { return known }
        let upstream: MasterPlaylist
        do throws(RefreshingCacheFailure) {
            upstream = try currentMaster().upstream
        } catch {
            throw error.error
        }
        return try reader.media(of: upstream)
    }

    /// The timeline with a version of the playlist.
    private func followed(_ old: InjectionTimeline?, _ media: MediaPlaylist) -> InjectionTimeline {
        guard let old else { return InjectionTimeline(media, zeroDate: options.zeroDate) }
        var new = old
        new.update(media)
        // A playlist of another video is not appended.
        let isReplaced = !old.media.isLive && !media.isLive && new.generation != old.generation
        return isReplaced ? old : new
    }
}
