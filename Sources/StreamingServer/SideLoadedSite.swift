public import MediaCore
public import Streaming
internal import SystemIO

/// A presentation of somebody else with subtitles added: `/master.m3u8` and what it leads to here.
///
/// Only the upstream that was named is asked, and only for its playlists and the beginnings of some
/// segments, whatever clients ask for. What it answered is kept: its master for half a minute, a live
/// media playlist for half its target duration, one that has ended for good; a failure for a second.
public final class SideLoadedSite: ServerSite {
    /// What is to be known beside the upstream and the subtitles.
    public struct Options: Hashable, Sendable {
        /// What the clock of the media shows at its beginning, where its headers do not tell: ticks
        /// of 90 kHz; `nil` = such segments get no time map.
        public var mediaStart: Int64?
        /// The date at which the subtitles' times begin, nanoseconds since 1970; `nil` = the first
        /// segment that is seen.
        public var zeroDate: Timestamp?

        /// The defaults.
        public init() {}
    }

    private let reader: UpstreamReader
    private let side: SideLoading
    private let options: Options
    private let report: @Sendable (Diagnostic) -> Void
    private let master: SharedValue<MasterPlaylist>
    private let timeline: SharedValue<SideTimeline>

    /// The path of the master playlist.
    public static let masterPath = "/master.m3u8"
    private static let masterAge = Duration.seconds(30)

    /// Creates a site; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - reader: the upstream.
    ///   - side: the subtitles.
    ///   - options: what else is to be known.
    ///   - report: gets what is doubtful, from any thread, each kind once.
    public init(
        _ reader: UpstreamReader, _ side: SideLoading, options: Options = Options(),
        report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) {
        self.reader = reader
        self.side = side
        self.options = options
        let told = Monitor<Set<String>>([])
        self.report = { diagnostic in
            let isNew = told.with { $0.insert(diagnostic.code + diagnostic.message).inserted }
            if isNew { report(diagnostic) }
        }
        master = SharedValue(patience: .seconds(30))
        timeline = SharedValue(patience: .seconds(30))
    }

    /// Asks the upstream, so that what is wrong is told before anybody is served.
    public func open() throws(MediaError) {
        let upstream = try currentMaster()
        for diagnostic in side.master(upstream, uri: Self.playlistURI).diagnostics {
            report(diagnostic)
        }
        let now = try currentTimeline()
        if !now.media.isLive {
            for index in side.subtitles.indices {
                let lost = side.cuesOutside(now, of: index).count
                if lost > 0 {
                    report(
                        Diagnostic(
                            .warning, "cues-outside",
                            "'\(side.subtitles[index].name)': \(lost) cues lie outside the media"))
                }
            }
        }
    }

    /// The answer to a request.
    public func answer(_ request: ServerRequest) -> ServerAnswer {
        guard let path = request.path else { return Self.missing }
        do throws(MediaError) {
            switch path.count {
            case 1 where path[0] == "master.m3u8": return try masterAnswer()
            case 1: return try playlistAnswer(path[0])
            case 2: return try segmentAnswer(path[0], path[1])
            default: return Self.missing
            }
        } catch {
            report(Diagnostic(.error, "upstream", error.description))
            // What exactly failed is for whoever runs the server.
            let status = error.code == .timeout ? 504 : 502
            return ServerAnswer(status, saying: "the presentation cannot be had now")
        }
    }

    private static let missing = ServerAnswer(404, saying: "there is nothing of that name")

    private static func playlistURI(_ index: Int) -> String { "subtitles-\(index).m3u8" }

    private func masterAnswer() throws(MediaError) -> ServerAnswer {
        let text = side.master(try currentMaster(), uri: Self.playlistURI).text
        return ServerAnswer(text.bytes, type: MediaTypes.playlist, maxAge: 10)
    }

    private func playlistAnswer(_ name: String) throws(MediaError) -> ServerAnswer {
        guard let index = side.subtitles.indices.first(where: { Self.playlistURI($0) == name })
        else {
            return Self.missing
        }
        let now = try currentTimeline()
        return ServerAnswer(
            side.playlist(beside: now, prefix: "subtitles-\(index)/").bytes,
            type: MediaTypes.playlist, maxAge: now.media.isLive ? 1 : 60)
    }

    private func segmentAnswer(
        _ folder: String, _ name: String
    ) throws(MediaError) -> ServerAnswer {
        guard let index = side.subtitles.indices.first(where: { "subtitles-\($0)" == folder }),
            name.hasSuffix(".vtt"), let sequence = Int64(name.dropLast(4)),
            name == "\(sequence).vtt"
        else { return Self.missing }
        let now = try currentTimeline()
        guard let segment = now.segment(numbered: sequence),
            let file = side.segment(of: index, beside: segment, in: now)
        else { return Self.missing }
        return ServerAnswer(file.bytes, type: MediaTypes.webVTT, maxAge: 60)
    }

    private func currentMaster() throws(MediaError) -> MasterPlaylist {
        try master.value { (_) throws(MediaError) in
            (try reader.master(), Self.masterAge)
        }
    }

    private func currentTimeline() throws(MediaError) -> SideTimeline {
        let upstream = try currentMaster()
        return try timeline.value { (old) throws(MediaError) in
            var new: SideTimeline
            if let old, old.media.isEnded { return (old, .seconds(1 << 40)) }
            let media = try reader.media(of: upstream)
            if var old {
                old.update(media)
                new = old
            } else {
                new = SideTimeline(media, zeroDate: options.zeroDate)
            }
            readClocks(of: &new)
            for diagnostic in new.takeDiagnostics() { report(diagnostic) }
            let target = media.targetDuration ?? .seconds(6)
            return (new, media.isLive ? max(.milliseconds(500), target / 2) : .seconds(1 << 40))
        }
    }

    /// Stretches whose clock cannot be read are tried again with the next version.
    private func readClocks(of timeline: inout SideTimeline) {
        for segment in timeline.segmentsWithoutClock.prefix(64) {
            var first: Int64?
            do throws(MediaError) {
                first = try reader.firstPTS(of: segment, in: timeline.media)
            } catch {
                report(Diagnostic(.warning, "segment-not-read", error.description))
            }
            // What the user said is of the beginning, not of what comes behind a break.
            if first == nil, segment.start == .zero { first = options.mediaStart }
            if let first {
                timeline.setClock(first, of: segment)
            } else {
                report(
                    Diagnostic(
                        .warning, "no-media-start",
                        "when the media begin cannot be read: subtitles have no time map and may "
                            + "be early or late; --media-start tells it"))
            }
        }
    }
}
