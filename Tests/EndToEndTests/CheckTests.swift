import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextCLI

/// `undertext check`: findings, forms of reports, exit codes, repairs.
@Suite struct CheckTests {
    let folder = TemporaryDirectory()

    private static let faulty = """
        1
        00:00:01,000 --> 00:00:01,800
        Hi

        2
        00:00:03,000 --> 00:00:06,000
        Short
        This line has more characters than forty-two.

        3
        00:00:05,000 --> 00:00:08,000
        <i>Open

        4
        00:00:20,000 --> 00:00:22,000
        <b></b>

        5
        00:00:12,000 --> 00:00:14,000
        Late

        """

    private static let clean = """
        1
        00:00:01,000 --> 00:00:03,000
        Hello there

        2
        00:00:05,000 --> 00:00:08,000
        <i>Closed</i>

        """

    private func check(_ arguments: String...) -> ToolResult {
        run(Command.path, ["check"] + arguments, directory: folder.path)
    }

    // MARK: Findings

    @Test func findingsHaveLinesAndCues() {
        folder.write(Self.faulty, to: "film.en.srt")
        let result = check("--profile", "netflix", "film.en.srt")
        #expect(result.status == 4, "\(result.stderr)")
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "film.en.srt:3: error: min-duration: cue 1 at 00:00:01.000 is on screen for 0.800 s, less than 0.833 s",
                "film.en.srt:8: error: line-length: cue 2 at 00:00:03.000 line 2 has 45 characters, more than 42",
                "film.en.srt:12: error: overlap: cue 3 at 00:00:05.000 begins 1.000 s before cue 2 ends",
                "film.en.srt:12: error: unbalanced-tags: cue 3 at 00:00:05.000 <i> is not closed",
                "film.en.srt:16: error: empty-cue: a cue has no text",
                "film.en.srt: 5 errors in 4 cues (profile netflix)",
            ], "\(result.text)")
        #expect(result.stderr.isEmpty, "\(result.stderr)")
        let quiet = check("-q", "--profile", "netflix", "film.en.srt")
        #expect(quiet.text.split(separator: "\n").count == 5)
    }

    @Test func exitCodes() {
        folder.write(Self.clean, to: "clean.srt")
        folder.write(Self.faulty, to: "faulty.srt")
        folder.write("1\n00:00:01,000 --> nonsense\nHi\n\n" + Self.clean, to: "damaged.srt")
        _ = run("cp", [fixture("containers/movie.mkv"), folder / "movie.mkv"])
        #expect(check("clean.srt").status == 0)
        #expect(check("faulty.srt").status == 4)
        #expect(check("damaged.srt").status == 3)
        #expect(check("missing.srt").status == 1)
        #expect(check("--tracks", "fr", "clean.srt").status == 2)
        #expect(check("clean.srt", "faulty.srt").status == 4)
        #expect(check("clean.srt", "clean.srt").status == 0)
        #expect(check("clean.srt", "missing.srt").status == 3)
        #expect(check("missing.srt", "missing2.srt").status == 1)
        let several = check("clean.srt", "faulty.srt", "missing.srt")
        #expect(several.status == 3)
        #expect(several.states("3 inputs: 1 without findings, 1 with findings, 1 failed"))
        for usage in [
            [], ["--profile", "netflx", "clean.srt"], ["--format", "xml", "clean.srt"],
            ["--fix", "clean.srt"], ["-o", "x.srt", "clean.srt"],
            ["--fix", "clean.srt", "faulty.srt", "-o", "x.srt"],
            ["--fix", "clean.srt", "-o", "x.sup"],
            ["--tracks", "nonsense!", "clean.srt"], ["--report", "-", "clean.srt"],
        ] {
            let result = run(Command.path, ["check"] + usage, directory: folder.path)
            #expect(result.status == 64, "\(usage) \(result.stderr)")
        }
        // A finding that is only a note changes nothing.
        folder.write(
            #"{"name": "notes", "rules": [{"rule": "line-length", "limit": 1, "severity": "info"}]}"#,
            to: "notes.json")
        let notes = check("--profile", "notes.json", "clean.srt")
        #expect(notes.status == 0 && notes.text.contains("info: line-length"), "\(notes.text)")
    }

    @Test func tracksOfMediaFiles() {
        _ = run("cp", [fixture("containers/movie.mkv"), folder / "movie.mkv"])
        let result = check("--profile", "dvd", "movie.mkv")
        #expect([0, 4].contains(result.status), "\(result.stderr)")
        let summaries = result.text.split(separator: "\n").filter { $0.contains("(profile dvd)") }
        let tracks = Command.undertext("probe", "--json", folder / "movie.mkv")
        #expect(summaries.count > 3, "\(result.text) \(tracks.status)")
        let one = check("--profile", "dvd", "--tracks", "text", "-q", "movie.mkv")
        #expect(!one.text.contains("image-colors"))
    }

    @Test func aProfileOfTheUser() {
        folder.write(Self.clean, to: "clean.srt")
        folder.write(
            #"{"name": "house", "extends": "basic", "rules": [{"rule": "line-count", "limit": 0}]}"#,
            to: "house.json")
        let result = check("--profile", "house.json", "clean.srt")
        #expect(result.status == 4 && result.text.contains("(profile house)"))
        folder.write(#"{"name": "house", "rules": [{"rule": "x"}]}"#, to: "house.json")
        let wrong = check("--profile", "house.json", "clean.srt")
        #expect(wrong.status == 64)
        #expect(wrong.states("house.json: rules[0].rule: 'x' is not a rule"), "\(wrong.stderr)")
        let list = check("--list-profiles")
        #expect(list.status == 0)
        for name in ["basic", "netflix", "netflix-children", "bbc", "ebu-tt-d", "youtube", "dvd"] {
            #expect(list.text.contains("\n\(name): ") || list.text.hasPrefix("\(name): "))
        }
        #expect(list.text.contains("line-length 37 characters: BBC Subtitle Guidelines, 3.1"))
    }

    @Test func limitsForLanguages() {
        // 18 characters a second.
        folder.write(
            "1\n00:00:01,000 --> 00:00:02,000\nabcdefghi abcdefgh\n\n", to: "film.srt")
        #expect(check("--profile", "netflix", "film.srt").status == 4)
        let unknown = check("--profile", "netflix", "film.srt")
        #expect(unknown.states("state it with --language"))
        #expect(check("--profile", "netflix", "--language", "en", "film.srt").status == 0)
        #expect(check("--profile", "netflix-children", "--language", "en", "film.srt").status == 4)
    }

    // MARK: Documents

    @Test func jsonHasTheFindings() throws {
        folder.write(Self.faulty, to: "film.en.srt")
        let result = check(
            "--profile", "netflix", "--format", "json", "--report", "same.json", "film.en.srt")
        #expect(result.status == 4)
        let json = try JSON(parsing: result.stdout)
        #expect(fileBytes(folder / "same.json") == result.stdout)
        #expect(json["profile"]?["name"] == .string("netflix"))
        let input = try #require(json["inputs"]?.elements.first)
        #expect(input["exitCode"]?.wholeNumber == 4 && input["error"] == .null)
        let track = try #require(input["tracks"]?.elements.first)
        #expect(track["cues"]?.wholeNumber == 4 && track["language"] == .string("en"))
        let first = try #require(track["findings"]?.elements.first)
        #expect(first["rule"] == .string("min-duration") && first["line"]?.wholeNumber == 3)
        #expect(first["measured"]?.fraction == 0.8 && first["limit"]?.fraction == 0.833)
        #expect(first["start"]?.fraction == 1 && first["cue"]?.wholeNumber == 1)
        #expect(track["counts"]?["overlap"]?.wholeNumber == 1)
        // An existing report stays.
        #expect(check("--report", "same.json", "film.en.srt").status == 3)
        #expect(check("--force", "--report", "same.json", "film.en.srt").status == 4)
    }

    /// The members that SARIF 2.1.0 requires, and those that review tools read.
    @Test func sarifHasItsStructure() throws {
        folder.write(Self.faulty, to: "a film.en.srt")
        folder.write(Self.clean, to: "clean.srt")
        let result = check(
            "--profile", "netflix", "--format", "sarif", "a film.en.srt", "clean.srt", "missing.srt"
        )
        #expect(result.status == 3)
        let json = try JSON(parsing: result.stdout)
        #expect(json["version"] == .string("2.1.0"))
        #expect(json["$schema"]?.text?.contains("sarif-2.1.0") == true)
        let sarif = try #require(json["runs"]?.elements.first)
        let driver = try #require(sarif["tool"]?["driver"])
        #expect(driver["name"] == .string("undertext"))
        let rules = try #require(driver["rules"]?.elements)
        #expect(Set(rules.compactMap { $0["id"]?.text }).count == rules.count)
        for rule in rules { #expect(rule["shortDescription"]?["text"]?.text != nil) }
        let results = try #require(sarif["results"]?.elements)
        #expect(results.count == 5)
        for result in results {
            let index = try #require(result["ruleIndex"]?.wholeNumber)
            #expect(rules[index]["id"] == result["ruleId"])
            #expect(["error", "warning", "note"].contains(result["level"]?.text))
            #expect(result["message"]?["text"]?.text != nil)
            let place = try #require(result["locations"]?.elements.first?["physicalLocation"])
            #expect(place["artifactLocation"]?["uri"] == .string("a%20film.en.srt"))
            #expect(try #require(place["region"]?["startLine"]?.wholeNumber) > 0)
        }
        let invocation = try #require(sarif["invocations"]?.elements.first)
        #expect(invocation["executionSuccessful"] == .bool(false))
        #expect(invocation["toolExecutionNotifications"]?.elements.count == 1)
    }

    // MARK: Repairs

    @Test func repairsKeepWhatIsStored() throws {
        folder.write(Self.faulty, to: "film.en.srt")
        let result = check("--profile", "netflix", "--fix", "film.en.srt", "-o", "fixed.en.srt")
        #expect(result.status == 4, "\(result.stderr)")
        #expect(
            result.states(
                "fixed.en.srt: repaired order ×1, min-duration ×1, overlap ×1, empty-cue ×1, unbalanced-tags ×1"
            )
                || result.states("repaired"), "\(result.stderr)")
        #expect(
            fileText(folder / "fixed.en.srt") == """
                1
                00:00:01,000 --> 00:00:01,833
                Hi

                2
                00:00:03,000 --> 00:00:04,917
                Short
                This line has more characters than forty-two.

                3
                00:00:05,000 --> 00:00:08,000
                <i>Open</i>

                4
                00:00:12,000 --> 00:00:14,000
                Late


                """)
        #expect(fileText(folder / "film.en.srt") == Self.faulty)
        // What remains is in the report, and a second repair changes nothing.
        let again = check("--profile", "netflix", "--fix", "fixed.en.srt", "-o", "again.en.srt")
        #expect(again.states("nothing to repair"), "\(again.stderr)")
        #expect(fileBytes(folder / "again.en.srt") == fileBytes(folder / "fixed.en.srt"))
        let left = again.text.split(separator: "\n").filter { $0.contains(" error: ") }
        #expect(left.count == 2, "\(again.text)")
        #expect(again.text.contains("line-length") && again.text.contains("characters-per-second"))
    }

    @Test func repairsKeepCommentsAndSettings() throws {
        let vtt = """
            WEBVTT

            STYLE
            ::cue{color:red}

            NOTE kept

            one
            00:00:05.000 --> 00:00:09.000 line:10% align:left
            <v Bob>Hi <i>there

            00:00:08.000 --> 00:00:10.000 line:10% align:left
            Ho

            """
        folder.write(vtt, to: "film.vtt")
        let result = check("--fix", "film.vtt", "-o", "fixed.vtt")
        #expect(result.status == 0, "\(result.text)\(result.stderr)")
        let fixed = try #require(fileText(folder / "fixed.vtt"))
        #expect(fixed.contains("NOTE kept") && fixed.contains("::cue{color:red}"))
        #expect(
            fixed.contains("one\n00:00:05.000 --> 00:00:08.000 line:10% align:left"), "\(fixed)")
        #expect(fixed.contains("<i>there</i>"), "\(fixed)")
        let script = """
            [Script Info]
            ScriptType: v4.00+

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: Default,Arial,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,a note
            Dialogue: 0,0:00:01.00,0:00:04.00,Default,Bob,0,0,0,,{\\b1}Hi
            Dialogue: 0,0:00:03.00,0:00:05.00,Default,,0,0,0,,Ho

            """
        folder.write(script, to: "film.ass")
        #expect(
            check("--profile", "netflix", "--fps", "24", "--fix", "film.ass", "-o", "fixed.ass")
                .status == 0)
        #expect(
            fileText(folder / "fixed.ass")
                == script.replacing("0:00:01.00,0:00:04.00", with: "0:00:01.00,0:00:02.91"))
    }

    @Test func repairsMayChangeTheFormat() throws {
        folder.write(Self.faulty, to: "film.srt")
        #expect(check("--fix", "film.srt", "-o", "film.vtt").status == 0)
        let text = try #require(fileText(folder / "film.vtt"))
        #expect(
            text.hasPrefix("WEBVTT") && text.contains("00:00:03.000 --> 00:00:05.000"), "\(text)")
        // To standard output, with findings on standard error.
        let piped = check("--profile", "netflix", "--fix", "film.srt", "-o", "-")
        #expect(piped.status == 4 && piped.text.hasPrefix("1\n00:00:01,000"), "\(piped.stderr)")
        #expect(piped.states("line-length"))
    }

    @Test func inputsAreNeverReplaced() {
        folder.write(Self.faulty, to: "film.srt")
        folder.write("mine", to: "other.srt")
        let same = check("--force", "--fix", "film.srt", "-o", "film.srt")
        #expect(same.status == 1, "\(same.stderr)")
        #expect(fileText(folder / "film.srt") == Self.faulty)
        let existing = check("--fix", "film.srt", "-o", "other.srt")
        #expect(existing.status == 1 && fileText(folder / "other.srt") == "mine")
        #expect(check("--force", "--fix", "film.srt", "-o", "other.srt").status == 0)
    }

    @Test func imagesAreNotRepaired() {
        let result = run(
            Command.path,
            [
                "check", "--fix", fixture("containers/movie.mkv"), "--tracks", "bitmap", "-o",
                folder / "x.srt",
            ])
        #expect(result.status == 1, "\(result.stderr)")
        #expect(fileBytes(folder / "x.srt") == nil)
    }

    /// Three shots of a second each.
    @Test(.requires("ffmpeg")) func shotChangesAreCompared() throws {
        let film = folder / "film.mkv"
        let made = run(
            "ffmpeg",
            ["-nostdin", "-v", "error"]
                + ["testsrc", "smptebars", "testsrc2"].flatMap {
                    ["-f", "lavfi", "-i", "\($0)=s=160x120:r=24:d=1"]
                }
                + [
                    "-filter_complex", "concat=n=3,format=yuv420p", "-c:v", "mpeg4", "-g", "24",
                    film,
                ])
        #expect(made.status == 0, "\(made.stderr)")
        let text = { (start: String, end: String) in "1\n\(start) --> \(end)\nA word.\n\n" }
        _ = folder.write(text("00:00:01,000", "00:00:01,917"), to: "right.en.srt")
        _ = folder.write(text("00:00:01,200", "00:00:02,250"), to: "wrong.en.srt")
        let base = ["--profile", "netflix", "--shot-changes"]
        func check(_ arguments: [String]) -> ToolResult {
            run(Command.path, ["check"] + arguments)
        }
        let right = check(base + ["--video", film, folder / "right.en.srt"])
        #expect(right.status == 0, "\(right.text)")
        #expect(right.stderr.contains("film.mkv: 2 shot changes"), "\(right.stderr)")
        let wrong = check(base + ["--video", film, folder / "wrong.en.srt"])
        #expect(wrong.status == 4)
        #expect(wrong.text.contains("warning: shot-change-start: cue 1"))
        #expect(wrong.text.contains("begins 0.200 s after a shot change"))
        #expect(wrong.text.contains("ends 0.250 s after a shot change"))
        // Of the video of the input, and without the option nothing.
        let muxed = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", film, "-i", folder / "wrong.en.srt", "-c",
                "copy", folder / "both.mkv",
            ])
        #expect(muxed.status == 0, "\(muxed.stderr)")
        #expect(check(base + [folder / "both.mkv"]).text.contains("shot-change-end"))
        #expect(!check(["--profile", "netflix", folder / "both.mkv"]).text.contains("shot-change"))
        let fast = check(base + ["--fast", folder / "both.mkv"])
        #expect(fast.stderr.contains("of key frames only, which is approximate"))
        // A video is needed, and a profile with the rules.
        let none = check(base + [folder / "wrong.en.srt"])
        #expect(none.status == 1 && none.stderr.contains("name one with --video"))
        #expect(check(["--shot-changes", folder / "both.mkv"]).status == 64)
        #expect(check(["--profile", "netflix", "--fast", folder / "both.mkv"]).status == 64)
        // A truncated video: what is left is compared.
        let bytes = try #require(fileBytes(film))
        _ = folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.mkv")
        let half = check(base + ["--video", folder / "half.mkv", folder / "wrong.en.srt"])
        #expect(half.text.contains("begins 0.200 s after a shot change"), "\(half.text)")
        // Packets that cannot be decoded: the check is incomplete.
        let spoiled = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", film, "-c", "copy", "-bsf:v",
                "noise=amount='gte(n,30)'", folder / "damaged.mkv",
            ])
        #expect(spoiled.status == 0, "\(spoiled.stderr)")
        let lost = check(base + ["--video", folder / "damaged.mkv", folder / "right.en.srt"])
        #expect(lost.status == 3, "\(lost.text) \(lost.stderr)")
        #expect(lost.stderr.contains("packets of the video of"), "\(lost.stderr)")
    }

    @Test func codesOfSeveralInputs() {
        let all: [(codes: [Int32], code: Int32)] = [
            ([0, 0], 0), ([0, 4], 4), ([4, 4], 4), ([2, 4], 4), ([0, 2], 0), ([4, 1], 3),
            ([4, 3], 3),
            ([1, 1], 1), ([], 0),
        ]
        for (codes, code) in all { #expect(CheckReport.combined(codes) == code, "\(codes)") }
    }

    @Test func linesAreFound() {
        let lines = LineFinder(Array("a\nb\r\nc\rd".utf8))
        #expect([0, 1, 2, 3, 4, 5, 6, 7].map { lines.line(at: $0) } == [1, 1, 2, 2, 2, 3, 3, 4])
    }
}
