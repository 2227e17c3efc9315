import TestSupport
import Testing
import UndertextCore

/// The effects of the switches of `extract`.
@Suite struct SwitchTests {
    let movie = fixture("containers/movie.mkv")
    let folder = TemporaryDirectory()

    func extract(_ arguments: String...) -> ToolResult {
        Command.undertext(["extract"] + arguments)
    }

    @Test func aPartOfTheTimeline() throws {
        let whole = extract("--tracks", "pt-BR", "--format", "srt", "-o", "-", movie).text
        let part = extract(
            "--tracks", "pt-BR", "--format", "srt", "--start", "4.5", "--end", "0:09", "-o", "-",
            movie)
        #expect(part.status == 0, "\(part.stderr)")
        let blocks = whole.split(separator: "\n\n").map { $0.split(separator: "\n").dropFirst() }
        let expected = blocks.filter { block in
            guard let times = block.first?.split(separator: " ") else { return false }
            return times[2] > "00:00:04,500" && times[0] < "00:00:09,000"
        }
        let found = part.text.split(separator: "\n\n").map {
            $0.split(separator: "\n").dropFirst()
        }
        #expect(!expected.isEmpty && expected.count < blocks.count)
        #expect(found == expected)
    }

    @Test(arguments: [["--start", "soon"], ["--end", "1:60"], ["--start", "9", "--end", "9"]])
    func aPartThatIsNoneIsAnError(_ arguments: [String]) {
        let result = Command.undertext(["extract"] + arguments + [movie])
        #expect(result.status == 64)
        for option in arguments where option.hasPrefix("--") { #expect(result.states(option)) }
        if arguments.count == 2 { #expect(result.states("'\(arguments[1])'")) }
    }

    @Test func probeOfSubtitlesOnlyLoadsNoFFmpeg() throws {
        func types(_ answer: JSON) -> Set<String> {
            Set((answer["streams"]?.elements ?? []).compactMap { $0["codec_type"]?.text })
        }
        let some = Command.probed(["--subtitles", movie])
        let codecs = some["streams"]?.elements.map { $0["codec_name"]?.text }
        #expect(codecs?.contains("hdmv_pgs_subtitle") == true)
        #expect(types(some) == ["subtitle"])
        #expect(types(Command.probed([movie])).isSuperset(of: ["video", "subtitle"]))
    }

    @Test func strictTurnsALossIntoThree() {
        // Stream 6 is ASS with fonts, which WebVTT cannot name.
        let usual = Command.reported([
            "extract", "--tracks", "6", "-o", folder / "usual", movie,
        ])
        #expect(usual.status == 0, "\(usual.result.stderr)")
        #expect(usual.losses["font"] == 9, "\(usual.losses)")
        #expect(usual.result.states("font", "9"))
        let strict = extract("--tracks", "6", "--strict", "-o", folder / "strict", movie)
        #expect(strict.status == 3, "\(strict.stderr)")
        #expect(names(in: folder / "strict") == names(in: folder / "usual"))
        let lossless = extract("--tracks", "pt-BR", "--strict", "-o", folder / "lossless", movie)
        #expect(lossless.status == 0, "\(lossless.stderr)")
    }

    @Test func existingContentIsNoWarning() {
        #expect(extract("-o", folder.path, movie).status == 0)
        let before = files(below: folder.path)
        let again = extract("--strict", "--skip-existing", "-o", folder.path, movie)
        #expect(again.status == 0, "\(again.stderr)")
        #expect(files(below: folder.path) == before)
    }

    @Test func quietSaysNothingOfSuccess() {
        let result = extract("--quiet", "-o", folder.path, movie)
        #expect(result.status == 0)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.isEmpty, "\(result.stderr)")
        #expect(!files(below: folder.path).isEmpty)
    }

    @Test func forcedOnlyKeepsForcedCues() throws {
        let result = extract("--forced-only", "-o", folder.path, movie)
        #expect(result.status == 0, "\(result.stderr)")
        let made = names(in: folder.path)
        #expect(!made.isEmpty)
        #expect(made.allSatisfy { $0.contains(".forced.") }, "\(made)")
        // One text track is forced; the images say it of single cues.
        #expect(made.filter { $0.hasSuffix(".vtt") }.count == 1, "\(made)")
        let text = try #require(made.first { $0.hasSuffix(".vtt") })
        #expect(fileText(folder / text)?.contains("NO ENTRY") == true)
        let images = made.filter { $0.hasSuffix(".images") }
        #expect(!images.isEmpty)
        for name in images {
            let index = try #require(fileText("\(folder.path)/\(name)/index.json"))
            expectForcedCues(index)
        }
        let json = extract("--forced-only", "--format", "json", "-o", "-", movie)
        #expect(json.status == 0, "\(json.stderr)")
        expectForcedCues(json.text)
    }

    private func expectForcedCues(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let cues = text.split(separator: "\n").filter { jsonValue("type", in: $0) == "cue" }
        #expect(!cues.isEmpty, sourceLocation: sourceLocation)
        #expect(
            cues.allSatisfy { jsonValue("forced", in: $0) == "true" }, "\(text)",
            sourceLocation: sourceLocation)
    }

    @Test func theReportReplacesNoInput() throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        let copy = folder.write(bytes, to: "in.mkv")
        for force in [[], ["--force"]] {
            let result = Command.undertext(
                ["extract", "-o", folder / "out", copy, "--report", copy] + force)
            #expect(result.status == 64, "\(result.stderr)")
            #expect(result.states("in.mkv"))
            let isUnchanged = fileBytes(copy) == bytes
            #expect(isUnchanged)
            #expect(files(below: folder / "out").isEmpty)
        }
    }

    @Test func theReportReplacesNoOutputOfTheRun() {
        let output = folder / "movie.pt-BR.vtt"
        for force in [[], ["--force"]] {
            let result = Command.undertext(
                ["extract", "-o", folder.path, movie, "--report", output] + force)
            #expect(result.status == 64, "\(result.stderr)")
            #expect(files(below: folder.path).isEmpty)
        }
    }

    @Test func aReportThatExistsIsReplacedWithForceOnly() throws {
        let report = folder.write("mine", to: "report.json")
        let out = folder / "out"
        let refused = extract("-o", out, movie, "--report", report)
        #expect(refused.status == 1, "\(refused.stderr)")
        #expect(refused.states("report.json", "--force"), "\(refused.stderr)")
        #expect(fileText(report) == "mine")
        #expect(files(below: out).isEmpty)
        let forced = extract("-o", out, movie, "--report", report, "--force")
        #expect(forced.status == 0, "\(forced.stderr)")
        let written = try JSON(parsing: try #require(fileBytes(report)))
        #expect(written["version"]?.text != nil)
    }

    /// More than a pipe can buffer, so that the reader's end is noticed in any order of events.
    @Test func aReaderThatGoesAwayEndsTheRun() {
        let path = folder.write(longSubRip(), to: "long.srt")
        let result = run(
            "/bin/sh",
            [
                "-c", "{ \"$0\" extract -o - \"$1\"; echo \"code $?\" >&2; } | head -c 1",
                Command.path, path,
            ])
        #expect(result.text == "W")
        #expect(result.stderr == "code 0\n", "\(result.stderr)")
    }
}

/// A SubRip file of several hundred kilobytes.
func longSubRip() -> String {
    (0..<10_000).map { index in
        let minutes = index / 60
        let time = "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60)):\(twoDigits(index % 60))"
        return "\(index + 1)\n\(time),000 --> \(time),900\nThe light goes round, turn \(index).\n"
    }.joined(separator: "\n")
}

private func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
}
