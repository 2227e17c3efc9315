import TestSupport
import Testing
import UndertextCore

/// Text files as people have them: any charset, any order, with times to be changed.
@Suite struct TextFileTests {
    let folder = TemporaryDirectory()

    /// Two Russian cues in windows-1251.
    private var cyrillic: [UInt8] {
        let text =
            "1\r\n00:00:01,000 --> 00:00:02,000\r\nПривет, как дела?\r\n\r\n"
            + "2\r\n00:00:03,000 --> 00:00:04,500\r\n<i>Хорошо</i>, спасибо, всё в порядке.\r\n"
        return text.unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
            case 0x451: 0xB8
            default: UInt8(truncatingIfNeeded: scalar.value)
            }
        }
    }

    private let asWebVTT = """
        WEBVTT

        00:00:01.000 --> 00:00:02.000
        Привет, как дела?

        00:00:03.000 --> 00:00:04.500
        <i>Хорошо</i>, спасибо, всё в порядке.

        """

    private func convert(_ arguments: String..., stdin: [UInt8] = []) -> ToolResult {
        run(Command.path, ["convert"] + arguments, stdin: stdin)
    }

    @Test func charsetIsDetected() throws {
        let file = folder.write(cyrillic, to: "old.srt")
        let run = Command.reported(["convert", file, folder / "new.vtt"])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(fileText(folder / "new.vtt") == asWebVTT)
        let charset = run.tracks.first?["charset"]
        #expect(charset?["name"]?.text == "windows-1251" && charset?["source"]?.text == "detected")
        // The format of a pipe is recognized in the same way.
        #expect(convert("--to", "vtt", "-", "-", stdin: cyrillic).text == asWebVTT)
    }

    @Test func charsetIsNamed() throws {
        let file = folder.write(cyrillic, to: "old.srt")
        let named = convert("--charset", "windows-1251", "--to", "vtt", file, "-")
        #expect(named.text == asWebVTT)
        let wrong = convert("--charset", "koi8-r", "--to", "vtt", file, "-")
        #expect(wrong.status == 0 && wrong.text != asWebVTT)
        let unknown = convert("--charset", "klingon", "--to", "vtt", file, "-")
        #expect(unknown.status == 64 && unknown.states("--charset", "'klingon'", "iconv --list"))
    }

    @Test func aByteMissingInUTF16IsReported() throws {
        let text =
            "1\n00:00:01,000 --> 00:00:02,000\nПривет\n\n2\n00:00:03,000 --> 00:00:04,000\nещё\n"
        var units: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { units += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(convert("--to", "vtt", folder.write(units, to: "u.srt"), "-").status == 0)
        var damaged = units
        damaged.remove(at: 2 * 36 + 1)
        let run = Command.reported([
            "convert", "--to", "vtt", folder.write(damaged, to: "d.srt"), "-",
        ])
        #expect(run.status == 3 && run.codes == ["charset-slipped"])
        #expect(run.result.stderr.statedPosition == "3:7" && run.result.states("utf-16le"))
    }

    @Test func charsetOfTextThatFFmpegReadsIsDetected() throws {
        let lines =
            "{25}{50}Привет, как дела?\n{75}{112}Хорошо, спасибо, всё в порядке.\n{125}{150}Пока\n"
        let bytes: [UInt8] = lines.unicodeScalars.map { scalar in
            scalar.value == 0x451
                ? 0xB8
                : UInt8(
                    truncatingIfNeeded: scalar.value < 0x80 ? scalar.value : scalar.value - 0x350)
        }
        let file = folder.write(bytes, to: "old.sub")
        let run = Command.reported(["convert", file, folder / "new.srt"])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(fileText(folder / "new.srt")?.contains("Привет, как дела?") == true)
        #expect(run.tracks.first?["charset"]?["name"]?.text == "windows-1251")
    }

    @Test func headersAreInTheNamedCharset() {
        // A region called Ф, in windows-1251.
        let vtt: [UInt8] =
            Array("WEBVTT\n\nREGION\nid:".utf8) + [0xD4]
            + Array("\nlines:2\n\n00:01.000 --> 00:02.000 region:".utf8)
            + [0xD4] + Array("\nhi\n".utf8)
        let file = folder.write(vtt, to: "r.vtt")
        let result = convert("--charset", "windows-1251", "--to", "json", file, "-")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.records("cue").map { $0["layout"]?["region"]?.text } == ["Ф"])
    }

    @Test func aStrayZeroIsDamageAndNoMore() {
        let file = folder.write("1\n00:00:01,000 --> 00:00:02,000\nA\0B\n", to: "n.srt")
        let result = convert("--to", "srt", file, "-")
        #expect(result.status == 3 && result.text.contains("A\u{FFFD}B"))
    }

    @Test func unchangedWebVTTIsCopied() {
        let text =
            "WEBVTT - title\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\nNOTE here\n\n"
            + "a\n00:00:01.000 --> 00:00:02.000 line:0\n<c.x>hi</c>\n"
        let file = folder.write(text, to: "m.vtt")
        #expect(convert("--to", "vtt", file, "-").text == text)
        #expect(!convert("--to", "vtt", "--strip-styling", file, "-").text.contains("<c.x>"))
    }

    @Test func noTextBecomesTimes() {
        // Tags that SubRip lacks are between the halves of an arrow.
        let text =
            "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nx\n00:00:05,000 --<v Bob>&gt;</v> 00:00:06,000\ny\n\n"
            + "00:00:03.000 --> 00:00:04.000\nx\n00:00:05,000 =&gt; 00:00:06,000\ny\n"
        let file = folder.write(text, to: "a.vtt")
        #expect(convert(file, folder / "a.srt").status == 0)
        let back = Command.reported(["convert", folder / "a.srt", folder / "b.vtt"])
        #expect(back.status == 0 && back.cues == 2)
    }

    @Test func drawingsInSubRipAreNoText() {
        let file = folder.write(
            "1\n00:00:01,000 --> 00:00:02,000\n{\\p1}m 0 0 l 1 1{\\p0}hi\n", to: "d.srt")
        let run = Command.reported(["convert", "--to", "vtt", file, "-"])
        #expect(run.result.text.hasSuffix("\nhi\n"))
        #expect(run.losses == ["drawing": 1])
    }

    @Test func styleSheetsAreCarriedOrTold() {
        let text =
            "WEBVTT\n\nSTYLE\n::cue(.big){color:lime}\n::cue(b){color:red}\n\n"
            + "00:00:01.000 --> 00:00:02.000\n<c.big>hi</c>\n"
        let run = Command.reported([
            "convert", "--to", "srt", folder.write(text, to: "s.vtt"), "-",
        ])
        #expect(run.result.text.contains("<font color=\"#00ff00\">hi</font>"))
        #expect(run.losses == ["style": 1])
    }

    @Test func oneBadByteCostsOneCharacter() throws {
        let bytes =
            Array("1\n00:00:01,000 --> 00:00:02,000\nÄÖÜäöüßéèà ".utf8) + [0xFF, 0x21, 0x0A]
        let file = folder.write(bytes, to: "bad.srt")
        let run = Command.reported(["convert", "--to", "srt", file, "-"])
        #expect(run.status == 3 && run.codes == ["invalid-utf8"])
        #expect(run.result.text.contains("ÄÖÜäöüßéèà \u{FFFD}!"))
        #expect(run.result.stderr.statedPosition == "3:12", "\(run.result.stderr)")
    }

    @Test func timesAreChanged() {
        let file = folder.write("1\n00:00:10,000 --> 00:00:20,000\nhi\n\n", to: "a.srt")
        func times(_ options: String...) -> String? {
            let result = run(Command.path, ["convert"] + options + ["--to", "srt", file, "-"])
            return result.text.split(separator: "\n").dropFirst().first.map(String.init)
        }
        #expect(times("--shift", "1.5") == "00:00:11,500 --> 00:00:21,500")
        #expect(times("--shift", "-0:01.5") == "00:00:08,500 --> 00:00:18,500")
        #expect(times("--speed", "25:24") == "00:00:10,417 --> 00:00:20,833")
        #expect(times("--speed", "2:1", "--shift", "+1") == "00:00:21,000 --> 00:00:41,000")
        // A cue that ends before the start is reported and dropped; one that crosses it begins there.
        #expect(times("--shift", "-15") == "00:00:00,000 --> 00:00:05,000")
        #expect(times("--shift", "-30") == nil)
    }

    @Test func timesWithinCuesAreChanged() {
        let file = folder.write(
            "WEBVTT\n\n00:00:10.000 --> 00:00:20.000\none <00:00:12.000>two\n", to: "k.vtt")
        let moved = convert("--shift", "-2", "--to", "vtt", file, "-")
        #expect(
            moved.text
                == "WEBVTT\n\n00:00:08.000 --> 00:00:18.000\none <00:00:10.000>two\n")
    }

    @Test func stylesAreStripped() {
        let file = folder.write(
            "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color=red><i>hi</i></font> you\n\n",
            to: "a.srt")
        #expect(
            convert("--strip-styling", "--to", "vtt", file, "-").text
                == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:0\nhi you\n")
    }

    @Test func cuesComeInOrder() {
        let file = folder.write(
            "1\n00:00:05,000 --> 00:00:06,000\nlate\n\n2\n00:00:01,000 --> 00:00:02,000\nearly\n\n",
            to: "a.srt")
        let result = convert("--to", "vtt", file, "-")
        #expect(result.status == 0)
        #expect(
            result.text
                == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nearly\n\n00:00:05.000 --> 00:00:06.000\nlate\n"
        )
        // A part of it: every cue is looked at.
        let part = Command.undertext("extract", "--end", "3", "-o", "-", file)
        #expect(part.text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nearly\n")
    }

    @Test func unrecognizedFilesAreReported() {
        let file = folder.write("just some words\n", to: "a.srt")
        let run = Command.reported(["convert", file, folder / "a.vtt"])
        #expect(run.status == 1 && run.errors == ["not-media"])
        let reasons = run.result.stderr.split(separator: "\n").dropFirst()
        for format in ["WebVTT", "ASS", "SubRip"] {
            #expect(reasons.count { $0.states(format) } == 1, "\(run.result.stderr)")
        }
        let claimed = Command.reported(["convert", "--from", "vtt", file, folder / "a.vtt"])
        #expect(claimed.status == 1 && claimed.errors == ["not-media"])
        #expect(claimed.result.states("--from"))
    }

    @Test func fontsOfScriptsAreAttachments() throws {
        // "Hi" as libass and Aegisub store it: six bits a character, 33 added.
        let script =
            "[Script Info]\nScriptType: v4.00+\n\n[Fonts]\nfontname: a/b.ttf\n3'E\n\n[Events]\n"
            + "Format: Layer, Start, End, Text\nDialogue: 0,0:00:01.00,0:00:02.00,hi\n"
        let file = folder.write(script, to: "s.ass")
        let result = Command.undertext(
            "extract", "--attachments", folder / "fonts", "-o", folder / "out", file)
        #expect(result.status == 0, "\(result.stderr)")
        let names = TestSupport.names(in: folder / "fonts")
        #expect(names.count == 1 && !names[0].contains("/"))
        #expect(fileBytes(folder / "fonts/" + names[0]).map(Array.init) == Array("Hi".utf8))
    }

    @Test func readingNeedsNoFFmpeg() throws {
        let file = folder.write(cyrillic, to: "old.srt")
        let result = convert("--report", "-", file, folder / "new.vtt")
        let report = try JSON(parsing: result.stdout)
        #expect(report["avformat"] == .null)
        #expect(report["inputs"]?.elements.first?["io"]?["path"]?.text == "file")
    }
}
