import Foundation
import Undertext

func copyTracks(of media: Media) async throws {
    let report = try await media.extract(.language("en"), as: .native, to: "subtitles")
    for track in report.tracks {
        for output in track.outputs { print(output.file, output.bytes) }
        if let reason = track.reason { print("track \(track.id): \(reason)") }
    }
    print(report.isComplete ? "complete" : "not complete: \(report.error?.message ?? "")")
}

func makeWebVTT(of media: Media) async throws {
    var options = ExtractionOptions()
    options.replacesOutputs = true
    let tracks = try TrackSelection(parsing: "en+forced,pt")
    let report = try await media.extract(tracks, as: .text(.webVTT), to: "web", options: options)
    for track in report.tracks {
        print(track.id, track.language ?? "und", track.cues, track.outputs.map(\.file))
    }
}

func convert(_ script: TextDocument) throws {
    let encoded = script.encoded(as: .webVTT)
    try Data(encoded.bytes).write(to: URL(filePath: "film.vtt"))
    for loss in encoded.losses.entries { print(loss.name, loss.count, "first at", loss.start) }
}

func shorten(_ script: TextDocument) throws {
    var changed = script
    changed.cues.removeAll { $0.start > .seconds(10) }
    for index in changed.cues.indices {
        changed.cues[index].start = changed.cues[index].start.advanced(by: .milliseconds(500))
        changed.cues[index].end = changed.cues[index].end.advanced(by: .milliseconds(500))
    }
    try Data(changed.encoded(as: .subRip).bytes).write(to: URL(filePath: "film.srt"))
}

func convertImages(of disc: BitmapDocument) throws {
    for cue in disc.cues {
        guard case .images(let content) = cue.content else { continue }
        for image in content.images {
            print(cue.start, "at", image.x, image.y, image.bitmap.width, "x", image.bitmap.height)
        }
    }
    for (name, bytes) in try disc.encoded(as: .vobSub).bytesByExtension {
        try Data(bytes).write(to: URL(filePath: "disc.\(name)"))
    }
}

func convertEverything() async throws {
    let movie = try await Media.open("movie.mkv")
    try await copyTracks(of: movie)
    try await makeWebVTT(of: movie)
    let script = try await Media.open("film.ass").subtitleTracks[0].textDocument()
    try convert(script)
    try shorten(script)
    try convertImages(of: try await Media.open("disc.sup").subtitleTracks[0].bitmapDocument())
}
try await convertEverything()
for name in ["film.vtt", "film.srt", "disc.idx"] {
    let track = try await Media.open(name).subtitleTracks[0]
    print(name, track.codec, track.isBitmap ? "images" : "text")
}
