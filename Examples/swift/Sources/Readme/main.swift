import Undertext
func subtitles() async throws {
    let media = try await Media.open("movie.mkv")
    for track in media.subtitleTracks { print(track.id, track.codec, track.language ?? "und") }
    for try await cue in media.subtitleTracks[0].cues(in: .seconds(10)...) {
        print(cue.start, cue.end, cue.plainText ?? "an image")
    }
    let report = try await media.extract(.language("en"), as: .native, to: "subtitles")
    for output in report.tracks.flatMap(\.outputs) { print(output.file, output.bytes) }
    let vtt = try await Media.open("film.ass").subtitleTracks[0].textDocument().encoded(as: .webVTT)
    print(vtt.bytes.count, vtt.losses)
}

try await subtitles()
