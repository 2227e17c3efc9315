import TestSupport
import Testing
import UndertextCore

/// The functions for players, used by a program in C: see `Tests/CPrograms/player.c`.
@Suite(.requires("gcc")) struct PlayerFunctionTests {
    private let folder = TemporaryDirectory()
    /// Built once.
    private static let program = CLibrary.program("player.c")

    /// Runs a case and records its failures.
    ///
    /// - Returns: its output.
    private func player(
        _ arguments: [String], environment: [String: String?] = [:], underValgrind: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolResult {
        let program = try #require(Self.program, sourceLocation: sourceLocation)
        let plain = CLibrary.plainEnvironment.merging(environment) { $1 }
        let result =
            underValgrind
            ? CLibrary.checked(program, arguments, environment: environment)
            : run(program, arguments, environment: plain)
        #expect(
            result.status == 0, "\(arguments): \(result.text)\(result.stderr)",
            sourceLocation: sourceLocation)
        return result
    }

    /// A cue of two seconds every three seconds.
    private func longFile() -> String {
        var text = ""
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        func clock(_ time: Int) -> String {
            "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)),000"
        }
        for index in 0..<1200 {
            text += "\(index + 1)\n\(clock(index * 3)) --> \(clock(index * 3 + 2))\n"
            text += "Line number \(index + 1)\n\n"
        }
        return folder.write(text, to: "long.srt")
    }

    private func gapFile() -> String {
        folder.write(
            "1\n00:00:01,000 --> 00:00:03,000\nSome words\n\n"
                + "2\n00:00:05,000 --> 00:00:07,000\nOther words\n", to: "gap.srt")
    }

    @Test(.requires("ffmpeg"), arguments: ["mkv", "ass.mkv", "mp4"])
    func nothingIsRepeatedAfterASeek(_ kind: String) throws {
        let codec = ["mkv": "copy", "ass.mkv": "ass", "mp4": "mov_text"][kind] ?? "copy"
        let film = folder / "film." + kind
        let made = run(
            "ffmpeg", ["-v", "error", "-i", longFile(), "-c:s", codec, "-y", film])
        #expect(made.status == 0, "\(made.stderr)")
        _ = try player(["seek", film, "3000"])
    }

    @Test func anotherStyleTakesOldTextAway() throws {
        _ = try player(["gap", gapFile(), "2", "4"])
    }

    @Test(.requires("valgrind")) func pixelsLastUntilTheNextDrawing() throws {
        _ = try player(["pixels", gapFile(), "2"], underValgrind: true)
    }

    @Test(.requires("valgrind")) func nothingReadIsNoTimeline() throws {
        _ = try player(["timeline", fixture("containers/movie.mkv")], underValgrind: true)
    }

    /// A media file that cannot be opened here may still play elsewhere.
    @Test func filesBesideABrokenVideoAreAdded() throws {
        let film = folder.write(Array(repeating: 0x5A, count: 5000), to: "film.mkv")
        folder.write(try fixtureBytes("subtitles/en.srt"), to: "film.en.forced.srt")
        folder.write(try fixtureBytes("subtitles/en.srt"), to: "film.de.sdh.srt")
        let result = try player(["silent-video", film])
        let lines = Set(result.text.split(separator: "\n").map(String.init))
        #expect(lines == ["-4", "folder en forced", "folder de sdh"])
        #expect(result.stderr.isEmpty)
    }

    @Test func namesStateThePurposeOfFiles() throws {
        let file = folder.write(
            try fixtureBytes("subtitles/en.srt"), to: "film.pt-BR.forced.sdh.srt")
        let result = try player(["file", file])
        #expect(result.text == "0\napplication pt-BR forced sdh\n")
    }

    @Test func warningsAreReported() throws {
        let file = folder.write(
            Array("1\n00:00:01,000 --> 00:00:09,000\n".utf8) + [0xE5, 0x0A], to: "m.srt")
        let result = try player(["warnings", file, "2"])
        #expect(result.text.hasPrefix("subtitle: warning: "), "\(result.text)")
        // All of them: each of the two is of another line.
        let doubtful = folder.write(
            "1\n00:00:01,000 --> 00:00:09,000\na\n\n2\n00:00:05,000 --> 00:00:03,000\nb\n\n"
                + "3\n00:00:08,000 --> 00:00:07,000\nc\n", to: "doubtful.srt")
        let reported = try player(["warnings", doubtful, "2"])
        let lines = reported.text.split(separator: "\n").filter { $0.hasPrefix("subtitle:") }
        #expect(lines.count == 2 && Set(lines).count == 2, "\(reported.text)")
        let script = folder.write(
            """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 640
            PlayResY: 360

            [V4+ Styles]
            Format: Name, Fontname, Fontsize
            Style: Default,No Such Family,30

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:05.00,Default,,0,0,0,,words
            Dialogue: 0,0:00:01.00,0:00:05.00,Default,,0,0,0,,{\\p1}m 0 0 l 900000 0 900000 900000 0 900000
            """, to: "film.ass")
        let drawn = try player(["warnings", script, "2"])
        #expect(
            drawn.text.contains(
                "renderer: warning: text was not drawn because it would take too long"))
        #expect(drawn.text.contains("[not-drawn]"))
        #expect(drawn.text.contains("No Such Family"), "\(drawn.text)")
    }

    /// The viewer's file overrides earlier settings, and later settings override it.
    @Test(arguments: [
        ("", "", "", "ffffff"), ("foreground=lime", "", "", "00ff00"),
        ("foreground=lime", "red", "", "00ff00"), ("foreground=lime", "", "red", "ff0000"),
        ("scale=2", "red", "", "ff0000"),
    ])
    func settingsOfTheViewer(
        _ settings: String, _ before: String, _ after: String, _ color: String
    ) throws {
        // A file that is named, and the one that the system keeps.
        #expect(makeFolder(folder / "undertext"))
        let path = folder.write("edge=none\n" + settings + "\n", to: "undertext/style.conf")
        for name in [path, ""] {
            let result = try player(
                ["color", gapFile(), "2", name, before, after],
                environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(result.text == color + "\n")
        }
    }

    @Test func wrongSettingsAreReported() throws {
        let path = folder.write("scale=huge\nforeground=red\n", to: "style.conf")
        let result = try player(["color", gapFile(), "2", path, "", ""])
        #expect(result.text.hasPrefix("ff0000\nwarning: \(path): line 1: scale"), "\(result.text)")
    }

    /// Two players, one who chooses and one who adds, with one model: also under both sanitizers.
    @Test func severalThreadsShareAModel() throws {
        _ = try player(["threads", fixture("containers/movie.mkv"), gapFile()])
    }

    @Test func waitingForAServerCanBeCanceled() throws {
        _ = try player(["cancel", gapFile()])
    }

    @Test(.requires("valgrind")) func ownInputsAreRead() throws {
        let result = try player(
            ["io", fixture("containers/movie.mkv")], underValgrind: true)
        #expect(result.text.contains("application de"), "\(result.text)")
    }

    @Test(.requires("valgrind", "ffmpeg")) func textIsChangedBeforeItIsParsed() throws {
        let film = folder / "hook.mkv"
        #expect(
            run("ffmpeg", ["-v", "error", "-i", gapFile(), "-c:s", "copy", "-y", film]).status == 0)
        _ = try player(["hook", film, gapFile()], underValgrind: true)
    }

    /// Audio and subtitles of a presentation by their language, as its description reports them.
    ///
    /// Not under valgrind, which reports the metadata of generic types within Swift's runtime.
    @Test func languagesAreSelected() throws {
        var master = "#EXTM3U\n"
        for language in ["en", "de"] {
            let entry = #"GROUP-ID="g",NAME="\#(language)",LANGUAGE="\#(language)",URI="#
            master += #"#EXT-X-MEDIA:TYPE=AUDIO,\#(entry)"\#(language)-audio.m3u8"\#n"#
            master += #"#EXT-X-MEDIA:TYPE=SUBTITLES,\#(entry)"\#(language).m3u8"\#n"#
            _ = folder.write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ncues.vtt\n#EXT-X-ENDLIST\n",
                to: language + ".m3u8")
        }
        master += #"#EXT-X-STREAM-INF:BANDWIDTH=1000,AUDIO="g",SUBTITLES="g""# + "\nvideo.m3u8\n"
        _ = folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nWords\n", to: "cues.vtt")
        let film = folder.write(master, to: "master.m3u8")
        let lines = try player(["languages", film]).text.split(separator: "\n")
        try #require(lines.count == 2)
        func current(_ line: Substring, _ name: String) throws -> String? {
            let content = readJSON(Array(line.utf8))?["undertext"]?["content"]
            guard let id = content?[name], case .number = id else { return nil }
            let streams = try #require(content?["streams"]?.values)
            return streams.first { $0["id"] == id }?["language"]?.text
        }
        #expect(try current(lines[0], "currentAudioStream") == "de")
        #expect(try current(lines[0], "currentTextStream") == "de")
        #expect(try current(lines[1], "currentAudioStream") == "de")
        #expect(try current(lines[1], "currentTextStream") == nil)
    }

    @Test(.requires("valgrind")) func changesWakeThePlayer() throws {
        _ = try player(["wakeup", gapFile()], underValgrind: true)
    }

    @Test(.requires("valgrind")) func stylesHaveAPreview() throws {
        _ = try player(["preview", gapFile(), "2"], underValgrind: true)
    }

    @Test func failuresHaveTheirStatus() throws {
        _ = try player(["statuses", gapFile()])
    }

    @Test(.requires("python3")) func identifiersHaveNoSecrets() throws {
        for token in ["one", "two"] {
            folder.write(try fixtureBytes("subtitles/en.srt"), to: "film.en.srt?token=\(token)")
        }
        let server = try WebServer.hostile(serving: folder.path)
        _ = try player(["secrets", server.address + "/plain/film.en.srt"])
    }

    @Test(.requires("python3")) func addressesHaveALimitAndHearWhoAsks() throws {
        folder.write(try fixtureBytes("subtitles/en.srt"), to: "film.en.sdh.srt")
        let server = try WebServer.hostile(serving: folder.path)
        let size = try fixtureBytes("subtitles/en.srt").count
        let address = server.address + "/agent/Player/film.en.sdh.srt"
        let result = try player(["address", address, "\(size)"])
        #expect(result.text == "application en sdh\n")
    }
}
