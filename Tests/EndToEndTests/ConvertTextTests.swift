import TestSupport
import Testing
import Undertext
import UndertextCore

/// `undertext convert` of text: what its options do, what its report and its errors say.
@Suite struct ConvertTextTests {
    let folder = TemporaryDirectory()

    private func convert(_ arguments: String..., stdin: [UInt8] = []) -> ToolResult {
        run(Command.path, ["convert"] + arguments, stdin: stdin)
    }

    private let hello = "1\n00:00:01,000 --> 00:00:02,000\nhi\n\n"

    // MARK: JSON

    @Test func jsonOnStandardOutputIsThatOfAFile() throws {
        let file = folder.write(
            "1\n00:00:05,000 --> 00:00:06,000\n<font color=#123456>late</font>\n\n"
                + "2\n00:00:01,000 --> 00:00:02,000\nearly\n\n", to: "a.srt")
        #expect(convert(file, folder / "a.json").status == 0)
        let written = try #require(fileText(folder / "a.json"))
        let json = try JSON(parsing: written.utf8)
        #expect(json["styles"]?.elements.count == 1)
        #expect(json["cues"]?.elements.map { $0["start"]?.fraction } == [1, 5])
        #expect(
            json.members.map(\.key)
                == ["track", "regions", "styles", "cues", "diagnostics", "summary"])
        #expect(json["track"]?["codec"] == .string("subrip"))
        #expect(json["cues"]?.elements.map { $0["text"] } == [.string("early"), .string("late")])
        #expect(json["summary"]?["cues"]?.wholeNumber == 2)
        let streamed = convert("--to", "json", file, "-")
        #expect(convert(file, folder / "a.jsonl").status == 0)
        #expect(fileText(folder / "a.jsonl") == streamed.text)
        let records = try streamed.text.split(separator: "\n").map { try JSON(parsing: $0.utf8) }
        #expect(
            records.map { $0["type"] }
                == ["track", "style", "cue", "cue", "summary"].map(JSON.string))
        #expect(records[2...3].elementsEqual(json["cues"]?.elements ?? []))
        #expect(records.last == json["summary"])
    }

    @Test func linesBeyondAllScreensAreNumbers() {
        let file = folder.write(
            "WEBVTT\n\n00:01.000 --> 00:02.000 line:98765432109876\nfar\n\n"
                + "00:03.000 --> 00:04.000 line:-1\(String(repeating: "0", count: 300))\nfarther\n\n"
                + "00:05.000 --> 00:06.000 line:1\(String(repeating: "0", count: 400))\nno double\n",
            to: "a.vtt")
        let cues = convert("--to", "json", file, "-").records("cue")
        // The W3C's tests want what no double holds to be no line.
        #expect(
            cues.map { $0["layout"]?["line"] }
                == [.number("98765432109876"), .number("-1e+300"), .string("auto")])
    }

    // MARK: Times

    /// A cue that ends before it starts ends alike, whether its text is copied or written in another format.
    @Test func endsThatPrecedeTheirStartsAreAlikeInAllFormats() throws {
        func cue(_ start: Int, _ end: Int, _ text: String) -> String {
            "\(start)\n00:00:\(start),000 --> 00:00:\(end),000\n\(text)\n\n"
        }
        let file = folder.write(
            cue(15, 12, "next") + cue(16, 18, "whole") + cue(20, 19, "later") + cue(14, 15, "early")
                + cue(24, 25, "five") + cue(30, 29, "last") + cue(28, 29, "before"), to: "a.srt")
        for name in ["copy.srt", "other.vtt"] {
            #expect(convert(file, folder / name).status == 0)
        }
        func times(_ name: String) throws -> Set<String> {
            let lines = try #require(fileText(folder / name)).split(separator: "\n")
            return Set(
                lines.filter { $0.contains("-->") }.map {
                    String($0.map { $0 == "," ? "." : $0 })
                })
        }
        let copied = try times("copy.srt")
        #expect(copied == (try times("other.vtt")))
        #expect(copied.contains("00:00:20.000 --> 00:00:24.000"), "\(copied)")
        #expect(copied.contains("00:00:30.000 --> 00:00:40.000"), "\(copied)")
    }

    // MARK: Characters

    @Test func charsetOfTextThatFFmpegReads() throws {
        // {0}{25}Привет, in windows-1251.
        let bytes =
            Array("{25}{50}".utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2] + Array("\n".utf8)
        let file = folder.write(bytes + Array("{75}{100}two\n{125}{150}three\n".utf8), to: "a.txt")
        let run = Command.reported([
            "convert", "--charset", "windows-1251", file, folder / "a.srt",
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(fileText(folder / "a.srt")?.contains("\nПривет\n") == true)
        let charset = run.tracks.first?["charset"]
        #expect(charset?["name"]?.text == "windows-1251" && charset?["source"]?.text == "option")
    }

    /// The text of MP4 is UTF-8 by its standard, regardless of the user's charset for other tracks.
    @Test func charsetOfMP4IsItsOwn() throws {
        let run = Command.reported([
            "extract", "--charset", "windows-1251", "-o", folder / "out",
            fixture("containers/movie.mp4"),
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(!run.tracks.isEmpty)
        #expect(run.tracks.allSatisfy { $0["codec"]?.text == "mov_text" })
        #expect(run.tracks.allSatisfy { $0["charset"]?["name"]?.text != "windows-1251" })
    }

    @Test func withoutTheDetectorItsPackageIsNamed() {
        // A library of that name that is not one precedes the real one.
        #expect(run("mkdir", ["-p", folder / "lib"]).status == 0)
        #expect(writeFile([], to: folder / "lib/libuchardet.so.0"))
        let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8)
        // Letters beyond ASCII, and ISO 2022, which has none.
        for tail in [[0xCF, 0xF0, 0xE8, 0x0A], [0x1B, 0x24, 0x42, 0x0A]] as [[UInt8]] {
            let file = folder.write(bytes + tail, to: "a.srt")
            let result = run(
                Command.path, ["convert", "--to", "vtt", file, "-"],
                environment: ["LD_LIBRARY_PATH": folder / "lib"])
            #expect(result.status == 0)
            #expect(result.states("libuchardet0"), "\(result.stderr)")
            #expect(!convert("--to", "vtt", file, "-").states("libuchardet0"))
        }
    }

    // MARK: Reports

    @Test func equalCuesAreCountedOnce() throws {
        let script =
            "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
            + "Format: Layer, Start, End, Style, Text\n"
            + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,sign\n"
            + "Dialogue: 1,0:00:01.00,0:00:02.00,Default,sign\n"
            + "Dialogue: 0,0:00:03.00,0:00:04.00,Default,word\n"
        let file = folder.write(script, to: "a.ass")
        let merged = Command.reported(["convert", file, folder / "a.vtt"])
        #expect(merged.result.states("a.vtt", "2"), "\(merged.result.stderr)")
        #expect(merged.cues == 2 && merged.count("merged-cue") == 1)
        // JSON keeps every event.
        let kept = Command.reported(["convert", file, folder / "a.json"])
        #expect(kept.status == 0 && kept.cues == 3 && kept.codes.isEmpty)
    }

    // MARK: Losses

    private let script =
        "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
        + "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"

    @Test(arguments: ["ssa", "vtt", "srt", "jsonl"]) func commentLinesAreReported(_ format: String)
        throws
    {
        let file = folder.write(
            script + "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,one\n"
                + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,hi\n"
                + "Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,two\n"
                + "Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,three\n", to: "c.ass")
        let run = Command.reported(["convert", "--to", format, file, "-"])
        #expect(run.losses["metadata"] == 3, "\(run.losses)")
        #expect(run.result.states(format, "metadata", "3"), "\(run.result.stderr)")
        let copied = Command.reported(["convert", "--to", "ass", file, "-"])
        #expect(copied.status == 0 && copied.losses.isEmpty && copied.result.stderr.isEmpty)
    }

    @Test func notesAreReported() {
        let file = folder.write(
            "WEBVTT\n\nNOTE one\n\nNOTE\ntwo\nlines\n\n00:01.000 --> 00:02.000\nhi\n\nNOTE three\n",
            to: "n.vtt")
        let run = Command.reported(["convert", "--to", "srt", file, "-"])
        #expect(run.losses == ["metadata": 3])
        #expect(run.result.states("srt", "metadata", "3"), "\(run.result.stderr)")
        #expect(convert("--to", "vtt", file, "-").stderr.isEmpty)
    }

    @Test func emptyLinesBelowTextAreReported() {
        let file = folder.write(
            script + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,up\\N{\\i1}\\N\n"
                + "Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,\\Ndown\n", to: "l.ass")
        for format in ["vtt", "srt"] {
            let run = Command.reported(["convert", "--to", format, file, "-"])
            #expect(run.losses["position"] == 1, "\(run.losses)")
        }
    }

    /// A script of drawings has nothing that SubRip could show.
    @Test(arguments: ["vtt", "srt"]) func drawingsAloneMakeNoFile(_ format: String) {
        let file = folder.write(
            script + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9 9 0\n",
            to: "d.ass")
        let run = Command.reported(["convert", file, folder / "d.\(format)"])
        #expect(run.status == 1 && run.exitCodes == [1], "\(run.result.stderr)")
        #expect(run.statuses == ["empty"])
        #expect(run.losses == ["drawing": 1])
        #expect(run.result.states("drawing", "1"))
        #expect(!folder.names.contains("d.\(format)"))
        let streamed = convert("--to", format, file, "-")
        #expect(streamed.status == 1 && streamed.stdout.isEmpty)
        // A track without cues is not a failure of an extraction, but a file without cues is a failure of a
        // conversion.
        let extracted = Command.undertext("extract", "-o", folder / "out/", file)
        #expect(extracted.status == 0, "\(extracted.stderr)")
        #expect(convert(file, folder / "d.json").status == 0)
        #expect(folder.names.contains("d.json"))
    }

    /// Text in the middle of a point near the edge would have no room in WebVTT.
    @Test func movedFromTheEdgeIsReported() {
        let file = folder.write(
            "[Script Info]\nPlayResX: 640\nPlayResY: 360\n" + script
                + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\an8\\pos(30,20)}left\n"
                + "Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\an8\\pos(320,20)}middle\n"
                + "Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\an7\\pos(30,20)}begins\n",
            to: "e.ass")
        let run = Command.reported(["convert", "--to", "vtt", file, "-"])
        #expect(run.losses["position"] == 1, "\(run.losses)")
        // A copied cue keeps its position.
        #expect(
            convert("--shift", "1", "--to", "ass", file, "-").text.contains("\\an8\\pos(30,20)"))
    }

    // MARK: Formats

    @Test func fromSaysWhatAFileIs() {
        // The contents have priority over the name.
        let file = folder.write(hello, to: "a.vtt")
        for from in [[], ["--from", "srt"]] {
            let read = Command.undertext(["convert"] + from + ["--to", "json", file, "-"])
            #expect(read.records("cue").map { $0["text"]?.text } == ["hi"])
        }
        let wrong = Command.reported(["convert", "--from", "vtt", "--to", "json", file, "-"])
        #expect(wrong.status == 1 && wrong.errors == ["not-media"])
        #expect(wrong.result.states("WebVTT", "--from"))
        let script = folder.write(
            "[Script Info]\n[Events]\nFormat: Start, End, Text\n"
                + "Dialogue: 0:00:01.00,0:00:02.00,hi\n", to: "a.ssa")
        for name in ["ass", "ssa"] {
            #expect(convert("--from", name, "--to", "vtt", script, "-").text.contains("\nhi\n"))
        }
        let sup = fixture("subtitles/bitmaps.sup")
        #expect(convert("--from", "sup", "--to", "json", sup, "-").status == 0)
        #expect(
            convert("--from", "vobsub", fixture("subtitles/vobsub.idx"), folder / "v.sup").status
                == 0)
        for (name, input, error) in [
            ("sup", script, "unsupported"), ("vobsub", sup, "unsupported"),
            ("srt", script, "not-media"), ("bdn", sup, "unsupported"),
        ] {
            let run = Command.reported(["convert", "--from", name, "--to", "json", input, "-"])
            #expect(run.status == 1 && run.errors == [error], "\(name)")
            #expect(run.result.states("--from"), "\(name)")
        }
        // A pipe has no name that states a language.
        let piped = convert(
            "--from", "srt", "--to", "vtt", "-", "-", stdin: Array(hello.utf8))
        #expect(piped.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nhi\n")
    }

    @Test func garbageIsRefusedByEachFormat() {
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
        let file = folder.write(bytes, to: "a.srt")
        let piped = Command.reported(["convert", "--to", "vtt", "-", "-"], stdin: bytes)
        for run in [Command.reported(["convert", file, folder / "a.vtt"]), piped] {
            #expect(run.status == 1 && run.errors == ["not-media"])
            // A line for each format, all with the reason that no text has.
            let reasons = run.result.stderr.split(separator: "\n").dropFirst()
            for format in ["WebVTT", "ASS", "SubRip"] {
                #expect(reasons.count { $0.states(format) } == 1, "\(run.result.stderr)")
            }
            #expect(Set(reasons.compactMap { $0.split(separator: ": ").last }).count == 1)
        }
    }

    // MARK: Options

    @Test func optionsForImagesAreReported() {
        let file = folder.write(hello, to: "a.srt")
        for options in [
            ["--fps", "25"], ["--fps", "25", "--scale", "720x576", "--canvas"], ["--ocr", "en"],
        ] {
            let run = Command.reported(["convert"] + options + ["--to", "vtt", file, "-"])
            #expect(run.status == 0 && run.count("option-ignored") == 1, "\(options)")
            for option in options where option.hasPrefix("--") {
                #expect(run.result.states(option), "\(run.result.stderr)")
            }
        }
        // The options apply if one of several tracks has images.
        let film = Command.reported([
            "extract", "--fps", "25", "--format", "bdn", "-o", folder / "film",
            fixture("containers/movie.mkv"),
        ])
        #expect(film.status == 0 && !film.codes.contains("option-ignored"))
    }

    @Test func speedOfImages() {
        let sup = fixture("subtitles/bitmaps.sup")
        func starts(_ input: String, _ options: String...) -> [Int] {
            let result = run(Command.path, ["convert"] + options + ["--to", "json", input, "-"])
            return result.records("cue").map {
                Int((($0["start"]?.fraction ?? -1) * 1000).rounded())
            }
        }
        let plain = starts(sup)
        #expect(!plain.isEmpty)
        let doubled = starts(sup, "--speed", "2:1")
        #expect(zip(doubled, plain).allSatisfy { ($0 - 2 * $1).magnitude <= 1 })
        #expect(doubled.count == plain.count)
        // Copied as it is stored, and decoded then.
        #expect(convert("--speed", "2:1", sup, folder / "b.sup").status == 0)
        let copied = starts(folder / "b.sup")
        #expect(copied.count == plain.count)
        #expect(zip(copied, plain).allSatisfy { ($0 - 2 * $1).magnitude <= 1 })
    }

    @Test func timesArePeoples() {
        let file = folder.write(hello, to: "a.srt")
        func start(_ options: String...) -> String? {
            let result = run(Command.path, ["convert"] + options + ["--to", "srt", file, "-"])
            return result.text.split(separator: "\n").dropFirst().first.map {
                String($0.prefix(12))
            }
        }
        #expect(start("--shift", ".5") == "00:00:01,500")
        #expect(start("--shift", "-.5") == "00:00:00,500")
        #expect(start("--speed", "24000/1001:25") == start("--speed", "23.976:25"))
        #expect(start("--speed", "50:25000/1000") == "00:00:02,000")
        for speed in ["-1:1", "25", "25:0", "25/0:1", "1:5000", "a:b"] {
            let result = convert("--speed", speed, "--to", "srt", file, "-")
            #expect(result.status == 64, "\(speed)")
            #expect(result.states("--speed", "'\(speed)'"), "\(result.stderr)")
        }
    }

    @Test func speedStretchesTheTimesWithinScripts() throws {
        let text =
            "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\k25}a{\\kf25}b{\\fad(100,201)}c\n"
        let stretched =
            "Dialogue: 0,0:00:01.50,0:00:03.00,Default,,0,0,0,,{\\k38}a{\\kf37}b{\\fad(150,302)}c\n"
        let file = folder.write(script + text, to: "k.ass")
        let run = Command.reported(["convert", "--speed", "3:2", file, folder / "out.ass"])
        #expect(run.status == 0 && run.codes.isEmpty, "\(run.result.stderr)")
        #expect(fileText(folder / "out.ass") == script + stretched)
        // A line that is spelled in another way keeps its spelling.
        let odd = folder.write(
            script + text.replacing("Dialogue: ", with: "Dialogue:  "), to: "o.ass")
        #expect(
            convert("--speed", "3:2", "--to", "ass", odd, "-").text
                == script + stretched.replacing("Dialogue: ", with: "Dialogue:  "))
        // Events that become another kind of script are stretched as well.
        let legacy = convert("--speed", "3:2", "--to", "ssa", file, "-")
        #expect(legacy.text.contains("{\\k38}a{\\kf37}b{\\fad(150,302)}c"))
    }

    @Test func eventsCutAtZeroAreReportedWhereTimesCountFromTheirStart() {
        let lines =
            "Dialogue: 0,0:00:01.00,0:00:09.00,Default,,0,0,0,,{\\k100}a{\\k200}b\n"
            + "Dialogue: 0,0:00:01.00,0:00:09.00,Default,,0,0,0,,{\\b1}a\n"
        let file = folder.write(script + lines, to: "cut.ass")
        let cut = Command.reported(["convert", "--shift", "-2", "--to", "ass", file, "-"])
        #expect(cut.status == 0 && cut.count("cut-event") == 1, "\(cut.result.stderr)")
        #expect(cut.diagnostics("cut-event").map { $0["time"]?.fraction } == [-1])
        #expect(!cut.result.stderr.isEmpty)
        let whole = Command.reported(["convert", "--shift", "-1", "--to", "ass", file, "-"])
        #expect(whole.codes.isEmpty && whole.result.stderr.isEmpty)
    }

    @Test func foldersOfOutputsAreNotMade() {
        let file = folder.write(hello, to: "a.srt")
        let run = Command.reported(["convert", file, folder / "no/such/a.vtt"])
        #expect(run.status == 1 && run.errors == ["not-found"])
        #expect(run.result.states(folder / "no/such"), "\(run.result.stderr)")
        #expect(folder.names == ["a.srt"])
    }
}
