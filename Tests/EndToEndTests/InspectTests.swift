import Foundation
import TestSupport
import Testing

/// `undertext inspect` in a headless browser.
@Suite(.serialized) struct InspectTests {
    private struct Findings: Decodable {
        struct Track: Decodable {
            var rows: [String]
            var images: Int
            var broken: Int
        }

        var problems: [String]
        var foreign: [String]
        var tracks: [Track]?
        var title: String?
        var file: String?
        var picture: Int?
        var message: String?
        var elements: Int?
        var before: String?
        var shift: String?
        var losses: [String]?
        var said: String?
        var address: String?
        var last: String?
        var rows: Int?
        var frames: [Int]?
        var total: String?
        var state: String?
        var worst: String?
        var filters: [String: String]?
        var images: Int?
        var unsaved: Bool?
        var formats: [String]?
        var offered: Int?
        var text: String?
        var size: [Int]?
        var time: Double?
        var row: String?
        var changed: [String]?
        var names: [String]?
        var fits: [Bool]?
        var kept: Bool?
        var refused: [String]?
        var moved: String?
        var note: String?
        var typed: [String]?
        var begins: [String]?
        var complaints: [String]?
        var undone: [String]?
        var scrolled: Double?
        var clocks: [String]?
        var keys: String?
    }

    /// Does a scenario of `inspector.py` on the page of some inputs.
    private static func findings(
        _ scenario: String, _ inputs: [String], _ arguments: [String] = []
    ) throws -> Findings {
        let server = try #require(
            ServeProcess(["--no-browser"] + inputs, command: "inspect"))
        #expect(server.address.hasPrefix("http://127.0.0.1:"))
        let result = run(
            "python3",
            [Repository.root + "/Tests/TestSupport/inspector.py", scenario, server.address]
                + arguments)
        try #require(result.status == 0, "\(result.stderr) \(server.messages)")
        let found = try JSONDecoder().decode(Findings.self, from: Data(result.stdout))
        #expect(found.foreign == [], "requests to other hosts")
        return found
    }

    @Test(.timeLimit(.minutes(5)), .requires("chromium", "python3"))
    func aShiftIsCorrectedAndSaved() throws {
        let scratch = TemporaryDirectory()
        scratch.write(fileBytes(fixture("subtitles/pt-BR.srt")) ?? [], to: "film.srt")
        let lines = (fileText(fixture("subtitles/en.srt")) ?? "").split(separator: "\n")
        let found = try Self.findings(
            "shift", [fixture("containers/movie.mkv")],
            ["lamp", "0:00:08.400", scratch / "out"])
        #expect(found.problems == [])
        #expect(found.before == "0:00:06.000")
        #expect(found.shift == "2.4")
        #expect(found.losses?.isEmpty == false)
        let name = try #require(names(in: scratch / "out").first)
        #expect(found.said?.contains(name) == true)
        #expect(found.address?.contains("shift=2.4") == true)
        let written = fileText(scratch / "out/\(name)") ?? ""
        #expect(written.contains("00:00:08,400 --> "), "\(written)")
        #expect(!lines.isEmpty)
    }

    @Test(
        .timeLimit(.minutes(5)), .requires("chromium", "python3"),
        arguments: [
            "containers/movie.mkv", "containers/movie.ts", "subtitles/vobsub.idx",
            "subtitles/bitmaps.sup", "containers/truncated.mkv", "containers/invalid-utf8.mkv",
            "containers/not-media.mkv", "malformed/tags.srt", "malformed/cut.sup",
            "captions/segments/master.m3u8",
        ])
    func everyView(name: String) throws {
        let found = try Self.findings("look", [fixture(name)])
        // A frame that is damaged or missing is described in words and answered with an error.
        let expected = found.problems.filter { !$0.contains("status of 4") }
        #expect(expected == [], "\(name)")
        #expect(found.file == name.split(separator: "/").last.map(String.init))
        let tracks = found.tracks ?? []
        #expect(tracks.allSatisfy { $0.broken == 0 })
        if name == "containers/not-media.mkv" {
            #expect(found.message?.isEmpty == false)
            #expect(tracks.isEmpty)
        } else {
            #expect(!tracks.isEmpty, "\(found)")
        }
        if name == "containers/movie.mkv" {
            #expect(tracks.count == 7)
            #expect(tracks.filter { $0.images > 0 }.count == 2)
            #expect((found.picture ?? 0) > 0)
        }
    }

    /// Names, titles and texts that would run scripts if they became markup.
    @Test(.timeLimit(.minutes(5)), .requires("chromium", "python3", "mkvmerge"))
    func hostileTextsRunNothing() throws {
        let scratch = TemporaryDirectory()
        let attack = "<img src=x onerror=alert(1)><script>alert(2)</script>"
        let text = "1\n00:00:01,000 --> 00:00:03,000\n&lt;b&gt; \(attack) javascript:alert(3)\n\n"
        scratch.write(text, to: "a.srt")
        let name = "<svg onload=alert(4)>\"'&amp;\u{202E}.mkv"
        // In the locale C, mkvmerge changes the name.
        let made = run(
            "env",
            [
                "LC_ALL=C.UTF-8", "mkvmerge", "-q", "-o", scratch / name, "--title", attack,
                "--track-name", "0:\(attack)",
                "--language",
                "0:en", scratch / "a.srt",
            ])
        #expect(made.status == 0, "\(made.text)")
        let found = try Self.findings("look", [scratch / name, scratch / "a.srt"])
        #expect(found.problems == [])
        #expect(found.file == name)
        // The module of the page itself.
        #expect(found.elements == 1)
        #expect(found.tracks?.first?.rows.first?.contains("alert(3)") == true)
    }

    /// The whole way from images to a corrected file, with a correction that would run a script if it became markup.
    @Test(
        .timeLimit(.minutes(5)), .requires("chromium", "python3"), .requiresRecognition,
        arguments: [("subtitles/bitmaps.sup", "srt"), ("subtitles/vobsub.idx", "vtt")])
    func recognizedTextIsCorrected(name: String, format: String) throws {
        let scratch = TemporaryDirectory()
        let right = "<img src=x onerror=alert(1)> NO ENTRY & more"
        let found = try Self.findings(
            "recognize", [fixture(name)], ["HO ENTRY", right, scratch / "out", format])
        #expect(found.problems == [])
        #expect(found.elements == 1)
        #expect(found.before == "0")
        #expect((found.images ?? 0) > 0)
        #expect(found.unsaved == true)
        #expect(found.formats?.prefix(4) == ["srt", "vtt", "ass", "ttml"])
        #expect(found.filters?[""]?.contains("cues") == true, "\(found.filters ?? [:])")
        let file = try #require(names(in: scratch / "out").first)
        #expect(found.said?.contains(file) == true)
        let written = fileText(scratch / "out/\(file)") ?? ""
        #expect(written.contains("NO ENTRY"), "\(written)")
        #expect(
            written.contains(
                format == "vtt" ? "&lt;img src=x onerror=alert(1)&gt;" : "NO ENTRY & more"),
            "\(written)")
        // The sign is at the top in the image, too.
        #expect(written.contains(format == "vtt" ? "line:0" : "{\\an8}"), "\(written)")
    }

    /// Text and times of a text track, by the keyboard alone, with a text that would run a script if it became markup.
    @Test(
        .timeLimit(.minutes(5)), .requires("chromium", "python3"), arguments: ["400", "1280"])
    func textIsCorrectedInTheList(width: String) throws {
        let scratch = TemporaryDirectory()
        let text = """
            1
            00:00:01,000 --> 00:00:02,000
            {\\an8}Hello <i>wrld</i>, you

            2
            00:00:03,000 --> 00:00:04,000
            second

            3
            00:00:05,000 --> 00:00:06,000
            third

            """
        scratch.write(text, to: "film.srt")
        let right = "Hello world, <img src=x onerror=alert(1)>"
        let found = try Self.findings(
            "correct", [scratch / "film.srt"], [width, right, scratch / "out"])
        // The refused end is answered with an error.
        #expect(found.problems.filter { !$0.contains("status of 400") } == [])
        #expect(found.elements == 1)
        #expect(
            found.changed == [
                "No cue is changed", "1 cue corrected, not exported yet",
                "2 cues corrected, not exported yet", "2 cues corrected, exported",
            ])
        #expect(found.names?.prefix(3) == ["Start", "End", "Text of the cue"])
        #expect(found.names?.count == 5 && found.names?.contains("") == false)
        #expect(found.fits == [true, true, true])
        #expect(found.kept == true && found.unsaved == true)
        #expect(found.row?.hasSuffix(right) == true, "\(found.row ?? "")")
        #expect(found.refused?.first?.contains("1:02:03.500") == true)
        #expect(found.moved?.hasPrefix("0:59:00.250") == true)
        #expect(found.note?.contains("2 cues") == true && found.note?.contains("style") == true)
        let written = try #require(fileText(scratch / "out/film.srt"), "\(found.said ?? "")")
        #expect(written.contains("{\\an8}Hello <i>world</i>, <img src=x onerror=alert(1)>"))
        #expect(written.contains("00:59:00,250 --> 00:59:02,000\nsecond"))
        #expect(fileText(scratch / "film.srt") == text)
    }

    /// Everything about shifts: what can be entered, what is taken back, what is before zero, what is exported.
    @Test(
        .timeLimit(.minutes(5)), .requires("chromium", "python3"), arguments: ["400", "1280"])
    func shiftsAreEnteredAndTakenBack(width: String) throws {
        let scratch = TemporaryDirectory()
        let text = """
            1
            00:00:01,000 --> 00:00:02,000
            first

            2
            00:00:02,250 --> 00:00:05,000
            second

            3
            00:00:10,000 --> 00:00:12,000
            third

            """
        scratch.write(text, to: "film.srt")
        let found = try Self.findings(
            "retime", [scratch / "film.srt"], [width, scratch / "out"])
        #expect(found.problems == [])
        // A click selects the old value; a comma and a minus sign are understood, as are times.
        #expect(found.typed == ["-0,4", "\u{2212}1.5", "--3", "-0:02.4"])
        #expect(found.begins == ["0:00:09.600", "0:00:08.500", "0:00:08.500", "0:00:07.600"])
        let complaints = try #require(found.complaints)
        #expect(complaints[0] == "" && complaints[1] == "" && complaints[3] == "")
        #expect(complaints[2].hasSuffix("The shift is still -1.5."), "\(complaints)")
        // The chosen cue stays chosen, and the time is within it.
        #expect(found.clocks == ["0:00:09.850", "0:00:08.750", "0:00:08.750", "0:00:07.850"])
        #expect(found.row == "third")
        #expect(found.refused?.first?.contains("1:02:03.500") == true, "\(found.refused ?? [])")
        let note = try #require(found.note)
        #expect(note.hasPrefix("2 cues would begin before 0:00: an export leaves out the one that"))
        #expect(note.hasSuffix("the other begins at 0:00."), "\(note)")
        #expect(found.losses?.first?.contains("1 cue before 0:00") == true)
        #expect(found.losses?.first?.contains("Nothing is lost") == false)
        #expect(
            found.changed == [
                "No cue is changed", "All 2.4 s earlier, not exported yet",
                "1 cue corrected, all 2.4 s earlier, not exported yet",
                "1 cue corrected, all 2.4 s earlier, exported",
                "1 cue corrected, all 2.5 s earlier, last change not exported",
            ])
        // The shift, the correction, the shifts before: each by one key.
        #expect(
            found.undone == [
                "1 cue corrected, all 2.4 s earlier, exported",
                "All 2.4 s earlier, last change not exported",
                "All 1.5 s earlier, last change not exported",
                "All 0.4 s earlier, last change not exported", "Changed since the last export",
            ])
        #expect(abs(found.scrolled ?? 999) < 2, "accepting scrolls the page")
        #expect(found.keys?.contains("recognize") == false)
        #expect(fileText(scratch / "film.srt") == text)
        let written = try #require(fileText(scratch / "out/film.srt"), "\(found.said ?? "")")
        #expect(written.hasPrefix("1\n00:00:00,000 --> 00:00:02,600\nsecond"), "\(written)")
        #expect(written.contains("00:00:07,600 --> 00:00:09,600\nend"))
        #expect(!written.contains("first"))
    }

    /// The browser plays the file by itself where it says that it can.
    @Test(
        .timeLimit(.minutes(5)), .requires("chromium", "python3"),
        arguments: ["containers/movie.webm", "containers/movie.mp4"])
    func theBrowserPlaysTheFile(name: String) throws {
        let found = try Self.findings("video", [fixture(name)])
        #expect(found.problems == [])
        // Builds of Chromium without H.264 offer no MP4.
        guard name.hasSuffix("webm") || found.offered != 0 else { return }
        #expect(found.offered == 2)
        #expect((found.size?.first ?? 0) > 0)
        let row = try #require(found.row)
        #expect(found.text?.isEmpty == false)
        #expect((found.time ?? 0) > 0, "\(row)")
    }

    @Test(.timeLimit(.minutes(5)), .requires("chromium", "python3"))
    func longListsStaySmall() throws {
        let scratch = TemporaryDirectory()
        var text = ""
        for number in 0..<200_000 {
            let seconds = number / 10
            let minutes = seconds / 60
            let start = String(
                format: "%02d:%02d:%02d,%d00", minutes / 60, minutes % 60, seconds % 60, number % 10
            )
            text += "\(number + 1)\n\(start) --> \(start.dropLast(2))90\nLine \(number)\n\n"
        }
        scratch.write(text, to: "many.srt")
        let found = try Self.findings("scroll", [scratch / "many.srt"])
        #expect(found.problems == [])
        #expect(found.last == "Line 199999")
        #expect((found.rows ?? .max) < 80)
        #expect(found.frames?.first == 60)
        #expect(found.total == "200,000 cues")
    }

    @Test func mistakesAreReportedBeforeServing() {
        let missing = Command.undertext("inspect", "--no-browser", "/none/film.mkv")
        #expect(missing.status == 1)
        #expect(missing.stderr.contains("/none/film.mkv"))
        #expect(Command.undertext("inspect", "-").status == 64)
        #expect(Command.undertext("inspect").status == 64)
    }
}
