import TestSupport
import Testing
import Undertext
import UndertextCore

/// Exit codes, and what several inputs, several kinds of tracks and named files come to.
@Suite struct OutcomeTests {
    let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")

    private func extract(_ arguments: String...) -> ToolResult {
        Command.undertext(["extract"] + arguments)
    }

    private func convert(_ arguments: String...) -> ToolResult {
        Command.undertext(["convert"] + arguments)
    }

    private func copy(_ name: String) throws -> String {
        folder.write(try fixtureBytes("containers/movie.mkv"), to: name)
    }

    private var srt: String {
        folder.write("1\n00:00:01,000 --> 00:00:02,000\nhi\n\n", to: "film.srt")
    }

    // MARK: Nothing written

    @Test func captionsOfSCCFiles() {
        let scc = folder.write(
            "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f\n"
                + "\n00:00:03:00\t942c 942c\n",
            to: "x.scc")
        let run = Command.reported(["convert", "-q", scc, folder / "y.srt"])
        #expect(run.status == 0 && run.statuses == ["written"], "\(run.result.stderr)")
        #expect(run.tracks.first?["codec"]?.text == "eia_608")
        #expect(
            fileText(folder / "y.srt")?.contains("00:00:01,301 --> 00:00:03,003\n{\\an1}Hello")
                == true)
        #expect(convert(srt, folder / "z.scc").status == 0)
        #expect(fileText(folder / "z.scc")?.hasPrefix("Scenarist_SCC V1.0\n\n00:00:00;") == true)
        #expect(convert(folder / "z.scc", folder / "z.srt").status == 0)
        #expect(fileText(folder / "z.srt")?.contains("hi") == true)
    }

    @Test func damagedSCCFiles() {
        let header = "Scenarist_SCC V1.0\n\n"
        let words = folder.write(header + "no captions\n", to: "words.scc")
        #expect(convert(words, folder / "words.srt").status == 1)
        let parity = folder.write(
            header + "00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec 6f80 942f 942f\n",
            to: "parity.scc")
        #expect(convert(parity, folder / "parity.srt").status == 3)
        #expect(fileText(folder / "parity.srt")?.contains("Hell█") == true)
    }

    @Test(arguments: ["STL25.01", "STL30.01"])
    func subtitlesOfTheEBUAreRecognized(_ code: String) throws {
        let block: [UInt8] = [0, 1, 0, 0xFF, 0, 0, 0, 1, 5, 0, 0, 2, 0, 22, 2, 0]
        let text = Array("caf\u{C2}e\u{8A}".unicodeScalars.map { UInt8($0.value) })
        let bytes =
            Array("850\(code)000".utf8) + [UInt8](repeating: 0x20, count: 1010) + block + text
            + [UInt8](repeating: 0x8F, count: 112 - text.count)
        let file = folder.write(bytes, to: "x.stl")
        // The blank header does not count its blocks.
        #expect(convert(file, folder / "\(code).srt").status == 0)
        #expect(fileText(folder / "\(code).srt")?.contains("00:00:02,000\ncafé\n") == true)
        #expect(run(Command.path, ["probe", "-"], stdin: bytes).status == 0)
        #expect(convert("--from", "srt", file, folder / "z.srt").status == 1)
    }

    /// Roll-up captions show a line up to four times, and once as lines.
    @Test func linesOfRollUpCaptions() {
        let file = Repository.root + "/Fixtures/captions/roll_up.scc"
        #expect(convert(file, folder / "screens.srt").status == 0)
        #expect(convert("--roll-up", "lines", file, folder / "lines.srt").status == 0)
        #expect(
            extract("--roll-up", "lines", "-o", folder / "extracted.srt", file).status == 0)
        let lines = fileText(folder / "lines.srt")
        #expect(lines != nil && lines == fileText(folder / "extracted.srt"))
        func count(_ words: String, _ name: String) -> Int {
            (fileText(folder / name) ?? "").split(
                separator: words, omittingEmptySubsequences: false
            ).count - 1
        }
        let once = count("second line", "lines.srt")
        #expect(once > 0 && count("second line", "screens.srt") > 2 * once)
        #expect(convert("--roll-up", "words", file, folder / "words.srt").status == 64)
    }

    /// After an hour, non-drop time codes are 108 frames late.
    @Test func timecodesOfSCC() {
        let late = folder.write("1\n01:00:00,500 --> 01:00:02,000\nhi\n", to: "late.srt")
        #expect(convert(late, folder / "drop.scc").status == 0)
        #expect(fileText(folder / "drop.scc")?.contains("\n01:00:00;") == true)
        #expect(convert("--non-drop", late, folder / "non.scc").status == 0)
        #expect(fileText(folder / "non.scc")?.contains("\n00:59:56:") == true)
        #expect(extract("--non-drop", "-o", folder / "extracted.scc", late).status == 0)
        #expect(
            fileText(folder / "extracted.scc") == fileText(folder / "non.scc"))
        for name in ["drop", "non"] {
            #expect(convert(folder / "\(name).scc", folder / "\(name).srt").status == 0)
        }
        #expect(fileText(folder / "drop.srt") == fileText(folder / "non.srt"))
    }

    /// Captions that stay SCC keep their codes, from files and from video.
    @Test func codesOfSCCAreCopied() throws {
        let file = Repository.root + "/Fixtures/captions/roll_up.scc"
        let native = extract("--non-drop", "--format", "native", "-o", folder / "native/", file)
        #expect(native.status == 0, "\(native.stderr)")
        #expect(fileBytes(folder / "native/roll_up.und.sdh.scc") == fileBytes(file))
        #expect(convert("--non-drop", file, folder / "copy.scc").status == 0)
        #expect(fileBytes(folder / "copy.scc") == fileBytes(file))
        #expect(convert(file, folder / "drop.scc").status == 0)
        #expect(
            fileText(folder / "drop.scc")?.replacing("00:00:01;00", with: "00:00:01:00")
                .prefix(100) == fileText(file)?.prefix(100))
        // With other times or cues they are captions of their own.
        for options in [["--shift", "1"], ["--roll-up", "lines"]] {
            let other = Command.undertext(
                ["convert", "--force"] + options + [file, folder / "other.scc"])
            #expect(other.status == 0, "\(other.stderr)")
            #expect(fileText(folder / "other.scc")?.contains("9425") == false)
        }
        let video = Repository.root + "/Fixtures/captions/video/h264.ts"
        #expect(
            extract("--format", "native", "--tracks", "cc1", "-o", folder / "video.scc", video)
                .status == 0)
        #expect(
            fileText(folder / "video.scc")?.hasPrefix(
                "Scenarist_SCC V1.0\n\n00:00:00;00\t9420 9420 94ae 94ae 9470 9470") == true)
    }

    /// The standard has 25 and 30 frames a second.
    @Test func framesOfTheEBU() throws {
        let text = folder.write("1\n00:00:01,000 --> 00:00:02,033\nhi\n", to: "x.srt")
        func rate(_ arguments: String...) -> String {
            let result = Command.undertext(
                ["convert", "--force"] + arguments + [text, folder / "x.stl"])
            #expect(result.status == 0, "\(result.stderr)")
            let bytes = fileBytes(folder / "x.stl") ?? []
            return String(decoding: bytes.dropFirst(3).prefix(5), as: UTF8.self)
                + " \(bytes.dropFirst(1024 + 9).prefix(4).map { Int($0) })"
        }
        #expect(rate() == "STL25 [0, 0, 2, 1]")
        #expect(rate("--fps", "30") == "STL30 [0, 0, 2, 1]")
        #expect(rate("--fps", "25") == "STL25 [0, 0, 2, 1]")
        #expect(extract("--fps", "30", "--format", "stl", "-o", folder / "out/", text).status == 0)
        let run = Command.reported(["convert", "--fps", "30", text, folder / "note.stl"])
        #expect(run.codes(.warning).isEmpty, "\(run.result.stderr)")
        let other = Command.reported(["convert", "--fps", "24", text, folder / "other.stl"])
        #expect(other.codes(.warning) == ["option-ignored"], "\(other.result.stderr)")
    }

    /// An unchanged file is copied byte for byte.
    @Test func subtitlesOfTheEBUAreCopied() throws {
        let file = Repository.root + "/Fixtures/stl/programme_start.stl"
        #expect(convert(file, folder / "copy.stl").status == 0)
        #expect(fileBytes(folder / "copy.stl") == fileBytes(file))
        #expect(extract("--format", "native", "-o", folder / "native/", file).status == 0)
        #expect(
            fileBytes(folder / "native/programme_start.en.stl") == fileBytes(file))
        #expect(convert("--shift", "1", file, folder / "later.stl").status == 0)
        #expect(convert(folder / "later.stl", folder / "later.srt").status == 0)
        #expect(fileText(folder / "later.srt")?.contains("00:00:02,000 --> 00:00:03,000") == true)
    }

    @Test func programStarts() throws {
        let file = Repository.root + "/Fixtures/stl/programme_start.stl"
        #expect(convert(file, folder / "player.srt").status == 0)
        #expect(fileText(folder / "player.srt")?.contains("00:00:01,000 --> 00:00:02,000") == true)
        #expect(convert("--timeline", "source", file, folder / "source.srt").status == 0)
        #expect(fileText(folder / "source.srt")?.contains("10:00:01,000 --> 10:00:02,000") == true)
        #expect(extract("--start", "2", "-o", folder / "part.srt", file).status == 0)
        #expect(fileText(folder / "part.srt")?.contains("After a second") == false)
        #expect(fileText(folder / "part.srt")?.contains("After three") == true)
    }

    @Test func otherSubtitlesOfThatExtensionAreText() {
        let spruce = folder.write(
            "$FontName = Arial\n\n00:00:01:00 , 00:00:02:00 , Hello\n", to: "x.stl")
        #expect(convert(spruce, folder / "y.srt").status == 0)
        #expect(fileText(folder / "y.srt")?.contains("Hello") == true)
    }

    @Test(.requiresCorpus("tsduck-test/input/test-143.ts"))
    func teletextAloneIsNotSuccess() throws {
        let file = try #require(corpusPath("tsduck-test/input/test-143.ts"))
        let result = extract("-o", folder / "out", "--tracks", "teletext", file)
        #expect(result.status == 1, "\(result.stderr)")
        #expect(extract("-o", folder / "out", file).status == 1)
    }

    // MARK: Several inputs

    @Test(.requires("ffmpeg")) func inputsWithoutSubtitlesAreNoLoss() throws {
        let bare = folder / "bare.mkv"
        _ = run(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", bare])
        let both = Command.reported([
            "extract", "--tracks", "pt", "-o", folder / "out", movie, bare,
        ])
        #expect(both.status == 0, "\(both.result.stderr)")
        #expect(both.exitCodes == [0, 2])
        // The inputs, those that are complete, those without such a track.
        #expect(both.result.stderr.split(separator: "\n").last?.statedNumbers == [2, 1, 1])
        #expect(extract("-o", folder / "out", bare, bare).status == 2)
    }

    @Test func everyMessageNamesItsInput() throws {
        let first = try copy("a.mkv")
        let result = extract("-o", folder / "out", first, "/nowhere/b.mkv")
        #expect(result.status == 3)
        let lines = result.stderr.split(separator: "\n")
        // The inputs, those that are complete, those that failed.
        #expect(lines.last?.statedNumbers == [2, 1, 1])
        for line in lines.dropLast() {
            #expect(
                line.hasPrefix("\(first): ") || line.hasPrefix("undertext: /nowhere/b.mkv: "),
                "\(line)")
        }
    }

    @Test func aClashCostsTheSecondInput() throws {
        let (first, second) = (try copy("a.mkv"), try copy("a.mp4"))
        let out = folder / "out"
        let refused = extract("--strict", "--tracks", "pt", "-o", out, first, second)
        #expect(refused.status == 1 && !exists(out), "\(refused.stderr)")
        let run = Command.reported(["extract", "--tracks", "pt", "-o", out, first, second])
        #expect(run.status == 3, "\(run.result.stderr)")
        #expect(names(in: out) == ["a.pt-BR.vtt"])
        #expect(run.exitCodes == [0, 1])
        #expect(run.errors == [nil, "output-clash"])
    }

    @Test func anOutputThatExistsCostsItsInput() throws {
        let (first, second) = (try copy("a.mkv"), try copy("b.mkv"))
        folder.write("mine", to: "a.pt-BR.vtt")
        let run = Command.reported(["extract", "--tracks", "pt,8", first, second])
        #expect(run.status == 3, "\(run.result.stderr)")
        #expect(run.errors == ["output-exists", nil])
        #expect(fileText(folder / "a.pt-BR.vtt") == "mine" && !exists(folder / "a.de.images"))
        #expect(exists(folder / "b.pt-BR.vtt") && exists(folder / "b.de.images"))
        #expect(extract("--skip-existing", "--tracks", "pt", first, second).status == 0)
        #expect(fileText(folder / "a.pt-BR.vtt") == "mine")
    }

    @Test func twoOutputsOfOneInputAreAMistake() throws {
        let report = folder / "out/a.pt-BR.vtt"
        let result = extract(
            "--tracks", "pt", "--report", report, "-o", folder / "out", try copy("a.mkv"))
        #expect(result.status == 64 && !exists(folder / "out"), "\(result.stderr)")
    }

    // MARK: Kinds and names

    @Test func aFormatForOneKindLeavesOutTheOther() {
        let text = Command.reported(["extract", "--format", "srt", "-o", folder / "text", movie])
        #expect(text.status == 0, "\(text.result.stderr)")
        #expect(names(in: folder / "text").allSatisfy { $0.hasSuffix(".srt") })
        #expect(text.codes(.info) == ["left-out"])
        #expect(text.tracks.allSatisfy { ![7, 8].contains($0["track"]?.wholeNumber) })
        // The number and the indices of the tracks.
        #expect(text.result.states("2", "7", "8"), "\(text.result.stderr)")
        #expect(extract("--format", "sup", "-o", folder / "sup", movie).status == 0)
        #expect(names(in: folder / "sup").allSatisfy { $0.hasSuffix(".sup") })
        for (selection, endings) in [
            ("bitmap", ["images", "images"]), ("8,pt", ["images", "srt"]), ("de", []),
        ] {
            let out = folder / selection
            let result = extract("--tracks", selection, "--format", "srt", "-o", out, movie)
            #expect(result.status == (endings.isEmpty ? 2 : 0), "\(result.stderr)")
            #expect(
                names(in: out).map { $0.split(separator: ".").last ?? "" }.sorted()
                    == endings.map { $0[...] })
        }
    }

    @Test func aFileForOneTrack() throws {
        let out = folder / "one.srt"
        #expect(extract("-o", out, movie).status == 64)
        #expect(extract("--tracks", "pt", "-o", out, movie, movie).status == 64)
        #expect(extract("--tracks", "pt", "--format", "vtt", "-o", out, movie).status == 64)
        #expect(extract("--tracks", "pt", "-o", folder / "one.mcc", movie).status == 64)
        #expect(!exists(out))
        let result = extract("--tracks", "pt", "-o", out, movie)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(fileText(out)?.hasPrefix("1\n00:00:01,000 --> ") == true)
        #expect(extract("--tracks", "pt", "-o", out, movie).status == 1)
        #expect(extract("--tracks", "pt", "--force", "-o", out, movie).status == 0)
        #expect(extract("--tracks", "7", "-o", folder / "x.images", movie).status == 0)
        #expect(exists(folder / "x.images/index.xml"))
        #expect(extract("--tracks", "8", "-o", folder / "x.idx", movie).status == 0)
        #expect(exists(folder / "x.idx") && exists(folder / "x.sub"))
        #expect(extract("--tracks", "pt", "-o", folder / "dir.srt/", movie).status == 0)
        #expect(names(in: folder / "dir.srt") == ["movie.pt-BR.vtt"])
    }

    @Test func aPathThatEndsInASlashIsAFolder() throws {
        #expect(convert("--to", "vtt", srt, folder / "out/").status == 0)
        let made = names(in: folder / "out")
        #expect(made.count == 1 && made[0].hasPrefix("film.") && made[0].hasSuffix(".vtt"))
        let again = convert("--to", "vtt", srt, folder / "out/")
        #expect(again.status == 1)
        #expect(convert("--to", "vtt", "--skip-existing", srt, folder / "out/").status == 0)
        #expect(convert("--to", "vtt", "--force", srt, folder / "out/").status == 0)
        let sup = fixture("subtitles/bitmaps.sup")
        #expect(convert(sup, folder / "images/").status == 0)
        #expect(exists(folder / "images/bitmaps.und.images/index.json"))
    }

    /// A format that cannot be read is distinguished from an unknown name.
    @Test func formatsThatAreNotRead() {
        func refusal(_ name: String) -> String {
            let result = convert("--from", name, srt, folder / "y.vtt")
            #expect(result.status == 64 && result.states("--from", name), "\(result.stderr)")
            return result.stderr.replacing(name, with: "")
        }
        #expect(refusal("json") != refusal("nonsense"))
    }

    @Test func formatsThatAreNotWritten() {
        func refusals(_ name: String) -> [String] {
            [
                extract("--format", name, movie), convert("--to", name, srt, folder / "y"),
                convert(srt, folder / "y.\(name)"),
            ].map { result in
                #expect(result.status == 64 && result.states(name), "\(result.stderr)")
                return result.stderr.replacing(name, with: "")
            }
        }
        let later = Set(["sami", "mcc"].map(refusals))
        #expect(later.count == 1)
        for (known, unknown) in zip(later.first ?? [], refusals("nonsense")) {
            #expect(known != unknown)
        }
    }

    /// Images in lines are base64, as on standard output.
    @Test func imagesAsLines() throws {
        let file = folder / "x.jsonl"
        #expect(extract("--tracks", "7", "-o", file, movie).status == 0)
        let records = try #require(fileText(file)).split(separator: "\n")
        let cues = try records.map { try JSON(parsing: $0.utf8) }.filter {
            $0["type"] == .string("cue")
        }
        #expect(!cues.isEmpty)
        #expect(cues.allSatisfy { $0["images"]?.elements.first?["png"]?.text != nil })
    }
}
