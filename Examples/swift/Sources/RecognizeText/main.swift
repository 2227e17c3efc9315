import Undertext

func recognizeText(of path: String) async throws -> InputReport {
    let media = try await Media.open(path)
    var options = ExtractionOptions()
    options.recognizedLanguages = ["en"]
    return try await media.extract(as: .text(.subRip), to: "recognized", options: options)
}

func review(_ report: InputReport) {
    if let error = report.error { print(error) }
    for track in report.tracks {
        print(track.cues, "cues in", track.outputs.map(\.file))
        for diagnostic in track.diagnostics where diagnostic.code == "low-confidence" {
            print("review", diagnostic.time ?? .zero, diagnostic.message)
        }
    }
}

func printText(of report: InputReport) async throws {
    for output in report.tracks.flatMap(\.outputs) {
        let recognized = try await Media.open(output.file).subtitleTracks[0]
        for try await cue in recognized.cues(in: ...Timestamp.seconds(3)) {
            print(cue.start, cue.plainText ?? "")
        }
    }
}

let report = try await recognizeText(of: "disc.sup")
review(report)
try await printText(of: report)
