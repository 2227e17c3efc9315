import Undertext

func listTracks(of path: String) async throws {
    let media = try await Media.open(path)
    for track in media.subtitleTracks {
        let kind = track.isBitmap ? "images" : "text"
        print(track.id, track.codec, kind, track.language ?? "und", track.title ?? "")
    }
}

func printCues(of track: SubtitleTrack) async throws {
    for try await cue in track.cues(in: .seconds(10)...) {
        switch cue.content {
        case .text(let text): print(cue.start, cue.end, text.plainText)
        case .images(let content): print(cue.start, cue.end, content.images.count, "images")
        }
    }
}

func countLongCues(of track: SubtitleTrack) async throws {
    let document = try await track.textDocument()
    let long = document.cues.filter { $0.start.duration(to: $0.end) > .seconds(2) }
    print(long.count, "of", document.cues.count, "cues stay for more than two seconds")
}

func openOrReport(_ path: String) async -> Media? {
    do {
        return try await Media.open(path)
    } catch {
        print(error.code == .notFound ? "no such file:" : "error:", error)
        return nil
    }
}

func readDamaged(_ media: Media) async throws {
    for diagnostic in media.diagnostics { print(diagnostic.code, diagnostic.message) }
    let document = try await media.subtitleTracks[0].textDocument { diagnostic in
        print(diagnostic.code, diagnostic.message)
    }
    print(document.cues.count, "cues could be read")
}

func firstText(of path: String) throws -> String? {
    let media = try Media(path)
    let cues = try media.subtitleTracks[0].cueReader()
    return try cues.next()?.plainText
}

try await listTracks(of: "movie.mkv")
if let media = await openOrReport("movie.mkv") {
    try await printCues(of: media.subtitleTracks[0])
    try await countLongCues(of: media.subtitleTracks[0])
}
_ = await openOrReport("missing.mkv")
if let media = await openOrReport("damaged.mkv") { try await readDamaged(media) }
print(try firstText(of: "movie.mkv") ?? "no cue")
