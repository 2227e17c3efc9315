import TestSupport
import Testing
import Undertext

/// The README's snippets, run on a fixture: `movie.mkv` and `subtitles` are paths here.
@Suite struct ReadmeSnippets {
    let path = fixture("containers/movie.mkv")
    let folder = TemporaryDirectory()

    @Test func whatIsInAFile() throws {
        let file = try Media(path)
        for track in file.subtitleTracks {
            print(track.id, track.codec, track.language ?? "und", track.title ?? "")
        }
        #expect(file.subtitleTracks.count >= 4)
    }

    @Test func everySubtitleToFiles() throws {
        var options = ExtractionOptions()
        options.destination = .directory(folder.path)
        let report = try Extractor(options: options).extract(path)
        for output in report.tracks.flatMap(\.outputs) { print(output.file, output.bytes) }
        #expect(report.outcome == .complete)
        #expect(report.tracks.allSatisfy { $0.status == .written })
    }

    @Test func asADocument() throws {
        let subtitles = folder.write("1\n00:00:01,000 --> 00:00:02,000\nhi\n", to: "film.srt")
        let document = try SubtitleDocument(contentsOf: subtitles)
        let vtt = document.written(as: .webVTT)
        print(vtt?.bytes.count ?? 0, vtt?.losses.entries.count ?? 0)
        #expect(vtt?.bytes.isEmpty == false)
    }

    @Test func whatIsOnScreen() throws {
        let file = try Media(path)
        let timeline = CueTimeline(try file.subtitleTrack(id: 2).document().cues)
        for cue in timeline.cues(at: .milliseconds(1500)) { print(cue.plainText ?? "an image") }
        if let next = timeline.nextChange(after: .milliseconds(1500)) { print(next) }
        #expect(!timeline.cues(at: .milliseconds(1500)).isEmpty)
        #expect(timeline.nextChange(after: .milliseconds(1500)) != nil)
    }

    /// Each line of the README's Swift must stand in this file, in that order.
    @Test func theReadmeSaysTheSame() throws {
        let readme = try #require(fileText(Repository.root + "/README.md"))
        let source = try #require(fileText(#filePath))
        let blocks = readme.split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```", maxSplits: 1).first }
        #expect(blocks.count == 4)
        for block in blocks {
            let lines = block.split(separator: "\n").map { trimmed($0) }
            #expect(lines.count <= 7)
            var rest = source[...]
            for line in lines where line != "import Undertext" {
                let wanted =
                    line.split(separator: "\"movie.mkv\"", omittingEmptySubsequences: false)
                    .joined(separator: "path")
                    .split(separator: "\"film.srt\"", omittingEmptySubsequences: false)
                    .joined(separator: "subtitles")
                    .split(separator: "\"subtitles\"", omittingEmptySubsequences: false)
                    .joined(separator: "folder.path")
                let found = rest.firstRange(of: wanted)
                #expect(found != nil, "not in the test: \(line)")
                if let found { rest = rest[found.upperBound...] }
            }
        }
    }

    private func trimmed(_ line: Substring) -> String {
        String(line.drop { $0 == " " })
    }
}
