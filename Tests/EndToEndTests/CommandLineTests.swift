import TestSupport
import Testing
import Undertext
import UndertextCore

/// The command's messages and exit codes in general: usage, terminals, closed pipes.
@Suite struct CommandLineTests {
    let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")

    private var srt: String {
        folder.write("1\n00:00:01,000 --> 00:00:02,000\nhi\n\n", to: "film.srt")
    }

    /// Runs the command in a terminal with that width; returns its output with escape sequences.
    private func inTerminal(
        _ columns: Int, _ arguments: [String], term: String = "xterm", noColor: String? = nil
    ) -> String {
        let line =
            "stty cols \(columns); exec "
            + ([Command.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let result = run(
            "script", ["-qec", line, "/dev/null"],
            environment: ["TERM": term, "NO_COLOR": noColor, "SHELL": "/bin/sh"],
            directory: folder.path)
        return String(result.text.unicodeScalars.filter { $0 != "\r" }.map(Character.init))
    }

    @Test(arguments: [
        (["extrac", "x.mkv"], "extract"), (["porbe", "x.mkv"], "probe"),
        (["hls", "pakage"], "hls package"), (["help", "convrt"], "convert"),
    ])
    func aMistypedCommandGetsASuggestion(_ arguments: [String], _ guess: String) {
        let result = Command.undertext(arguments)
        #expect(result.status == 64)
        #expect(result.states("'\(guess)'"), "\(result.stderr)")
    }

    /// An output whose extension is that of no output format becomes a folder, which a note says.
    @Test func aFolderThatLooksLikeAFileIsNoted() {
        let note = "is a folder, because '.foo' is not the extension of an output format"
        let result = Command.undertext("extract", srt, "-o", folder / "subs.foo")
        #expect(result.status == 0 && result.states(note), "\(result.stderr)")
        for path in ["subs.foo", "plain", "Film.2020", "slash.foo/"] {
            let result = Command.undertext("extract", "--force", srt, "-o", folder / path)
            #expect(result.status == 0 && !result.states("output format"), "\(result.stderr)")
        }
        let quiet = Command.undertext("extract", "--quiet", srt, "-o", folder / "other.foo")
        #expect(quiet.status == 0 && quiet.stderr.isEmpty, "\(quiet.stderr)")
    }

    @Test func aFileIsNoCommand() {
        let result = Command.undertext([srt])
        #expect(result.status == 64)
        #expect(result.states("undertext extract \(srt)"), "\(result.stderr)")
        #expect(Command.undertext("help", "extract").status == 0)
        #expect(Command.undertext("--version").status == 0)
    }

    /// Errors of the parser of arguments look like all others.
    @Test(arguments: [
        ["extract"], ["extract", "--nonsense", "x"], ["extract", "--io", "fast", "x"],
        ["nonsense"], ["convert", "a.srt"], ["probe", "/nowhere/x.mkv"],
    ])
    func errorsHaveOneStyle(_ arguments: [String]) {
        let result = Command.undertext(arguments)
        #expect(result.status != 0)
        #expect(result.stderr.hasPrefix("undertext: "), "\(result.stderr)")
        #expect(!result.stderr.contains("Usage:") && !result.stderr.contains("Error:"))
    }

    @Test func reasonsAreAList() {
        let letter = folder.write("just words\n", to: "letter.mkv")
        for command in ["probe", "extract"] {
            let result = Command.undertext(command, letter)
            let lines = result.stderr.split(separator: "\n")
            #expect(lines.first?.hasPrefix("undertext: \(letter): ") == true)
            #expect(lines.dropFirst().count > 3, "\(result.stderr)")
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  - ") }, "\(result.stderr)")
            for format in ["WebVTT", "TTML", "ASS", "SAMI", "SubRip"] {
                #expect(lines.dropFirst().count { $0.states(format) } == 1, "\(format)")
            }
        }
    }

    @Test(.requires("script"), arguments: [40, 80]) func linesAreBrokenAtSpaces(_ columns: Int) {
        folder.write("just words\n", to: "letter.mkv")
        _ = run("cp", [movie, folder / "movie.mkv"])
        for arguments in [
            ["extract", "--tracks", "6", "--format", "srt", "movie.mkv"],
            ["extract", "letter.mkv"],
            ["extract", "--io", "fast", "x"],
        ] {
            let text = inTerminal(columns, arguments, noColor: "1")
            let plain = run(
                Command.path, arguments + (arguments.count > 4 ? ["--force"] : []),
                directory: folder.path)
            #expect(!text.isEmpty)
            let words = Set(plain.stderr.split { $0 == " " || $0 == "\n" })
            for line in text.split(separator: "\n") {
                #expect(line.count <= columns, "\(line)")
                for word in line.split(separator: " ") { #expect(words.contains(word), "\(word)") }
            }
        }
    }

    @Test(.requires("script")) func errorsAreRedWhereTheTerminalTakesIt() {
        let escape = "\u{1B}"
        let missing = ["probe", "/nowhere/x.mkv"]
        #expect(inTerminal(80, missing).hasPrefix("\(escape)[31mundertext:\(escape)[0m "))
        for text in [
            inTerminal(80, missing, term: "dumb"), inTerminal(80, missing, noColor: "1"),
            inTerminal(80, ["probe", srt], term: "dumb"),
            inTerminal(80, ["probe", srt], noColor: "1"),
        ] {
            #expect(!text.isEmpty && !text.contains(escape), "\(text)")
        }
        #expect(inTerminal(80, ["probe", srt]).contains("\(escape)[1m"))
    }

    /// Reading is slowed down, so that there is something to show.
    @Test(.requires("script", "ffmpeg")) func progressSaysWhichFileHowFastAndHowLong() throws {
        let srt = folder.write("1\n00:01:39,000 --> 00:01:40,000\nlate\n", to: "one.srt")
        let made = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=d=100:r=48000", "-i",
                srt, "-c:a", "pcm_s16le", "-c:s", "srt", folder / "long.mkv",
            ])
        try #require(made.status == 0, "\(made.stderr)")
        func extract(_ columns: Int, _ term: String) -> String {
            inTerminal(
                columns,
                [
                    "extract", "--force", "--io", "scan", "--max-read-rate", "5M", "-o",
                    folder / "out", folder / "long.mkv",
                ], term: term)
        }
        for columns in [40, 80] {
            let text = extract(columns, "xterm")
            let drawn = text.split(separator: "\u{1B}[K").filter { $0.contains(" %") }
            #expect(!drawn.isEmpty, "\(text)")
            for line in drawn {
                #expect(line.count < columns && line.contains("long.mkv"), "\(line)")
                #expect(line.contains("B/s") && line.contains(" left"), "\(line)")
            }
        }
        #expect(!extract(80, "dumb").contains(" left"))
    }

    /// A reader that goes away had enough: that is no error of any command.
    @Test func closedPipesAreNoErrors() {
        let long = folder.write(longSubRip(), to: "long.srt")
        let commands: [[String]] = [
            ["extract", "--format", "json", "-o", "-", long],
            ["convert", "--to", "vtt", long, "-"],
            ["extract", "--report", "-", "-o", folder / "out", long], ["probe", "--json", movie],
            ["render", "--first", "-o", "-", long],
        ]
        for arguments in commands {
            let result = run(
                "/bin/sh",
                [
                    "-c", "{ sleep 0.2; \"$0\" \"$@\"; echo \"code $?\" >&2; } | true",
                    Command.path,
                ] + arguments)
            #expect(result.stderr.hasSuffix("code 0\n"), "\(arguments): \(result.stderr)")
            #expect(!result.stderr.contains("undertext:"), "\(result.stderr)")
        }
        #expect(files(below: folder.path).allSatisfy { !$0.contains("undertext-part") })
    }

    @Test func renderReportsTheImage() {
        let wrong = Command.undertext("render", "--first", srt, "-o", folder / "a.jpg")
        #expect(wrong.status == 64, "\(wrong.stderr)")
        #expect(!exists(folder / "a.jpg"))
        let result = Command.undertext("render", "--first", srt, "-o", folder / "a.png")
        guard result.status == 0 else {
            #expect(result.states("Rendering") || result.states("libass"))
            return
        }
        #expect(result.states("a.png", "1920x1080", "1.5"), "\(result.stderr)")
        let quiet = Command.undertext("render", "-q", "--first", srt, "-o", folder / "b.png")
        #expect(quiet.stderr.isEmpty)
    }
}
