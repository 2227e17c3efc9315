import Undertext
import UndertextStreaming

func readSubtitles(at address: String) async throws {
    let media = try await Media.open(address)
    for track in media.subtitleTracks {
        print(track.id, track.codec, track.language ?? "und", track.title ?? "")
    }
    let part = Timestamp.seconds(5)..<Timestamp.seconds(10)
    for try await cue in media.subtitleTracks[0].cues(in: part) {
        print(cue.start, cue.plainText ?? "an image")
    }
}

func followSubtitles(at address: String) async throws {
    var options = Media.Options()
    options.liveDuration = .seconds(3600)
    let media = try await Media.open(address, options: options)
    for try await cue in media.subtitleTracks[0].cues() {
        print(media.isLive ? "live" : "recorded", cue.start, cue.plainText ?? "an image")
    }
}

/// Adds a subtitle file to an HLS presentation.
struct SubtitleServer {
    let subtitles: SubtitleInjection
    let master: MasterPlaylist
    let timeline: InjectionTimeline

    init(upstream address: String, subtitles document: SubtitleDocument) throws {
        subtitles = SubtitleInjection([
            InjectedSubtitle(document, name: "Português", language: "pt-BR")
        ])
        let upstream = UpstreamReader(url: address)
        master = try upstream.master()
        var timeline = InjectionTimeline(try upstream.media(of: master))
        for doubt in try upstream.readClocks(of: &timeline) { print(doubt.message) }
        self.timeline = timeline
    }

    /// Returns the body of the response to a request, or `nil` for 404.
    func response(to path: String) -> [UInt8]? {
        switch path {
        case "/master.m3u8":
            return subtitles.master(master) { "subtitles-\($0).m3u8" }.text.bytes
        case "/subtitles-0.m3u8":
            return subtitles.playlist(beside: timeline, prefix: "segment-").bytes
        default:
            guard let number = Int64(path.dropFirst("/segment-".count).prefix { $0 != "." }),
                let segment = timeline.segment(numbered: number)
            else { return nil }
            return subtitles.segment(of: 0, beside: segment, in: timeline)?.bytes
        }
    }
}

func addSubtitles(to address: String) async throws {
    let document = try await Media.open("movie.pt-BR.srt").subtitleTracks[0].document()
    let server = try SubtitleServer(upstream: address, subtitles: document)
    for path in ["/master.m3u8", "/subtitles-0.m3u8", "/segment-1.vtt"] {
        let body = String(decoding: server.response(to: path) ?? [], as: UTF8.self)
        print(path, body, separator: "\n")
    }
}

let address = CommandLine.arguments[1]  // https://example.com/master.m3u8
try await readSubtitles(at: address)
try await followSubtitles(at: address)
try await addSubtitles(to: address)
