import TestSupport
import Testing
import UndertextCore

/// The state of the command's process: arguments, limits, threads, signals.
@Suite struct ProcessTests {
    let folder = TemporaryDirectory()

    private func shell(_ script: String, _ arguments: String...) -> ToolResult {
        run("sh", ["-c", script, Command.path] + arguments, directory: folder.path)
    }

    /// Reaching a limit on file sizes is an error that names it, and leaves no temporary file.
    @Test func filesThatBecomeTooLarge() throws {
        let text = String(repeating: "a", count: 1000)
        let cues = (100..<400).map { "00:01.\($0) --> 00:02.000\n\(text)\n\n" }
        folder.write("WEBVTT\n\n" + cues.joined(), to: "a.vtt")
        let result = shell(
            "ulimit -f 16; exec \"$0\" convert --report - a.vtt a.srt 2> err")
        #expect(result.status == 1 || result.status == 3, "\(result.status)")
        let report = try JSON(parsing: result.stdout)
        let track = report["inputs"]?.elements.first?["tracks"]?.elements.first
        #expect(track?["status"]?.text == "failed")
        #expect(fileText(folder / "err")?.isEmpty == false)
        #expect(folder.names == ["a.vtt", "err"])
    }

    @Test(
        .enabled(
            if: run("unshare", ["-m", "umount", "-l", "/proc"]).status == 0,
            "no permission to unmount /proc"))
    func argumentsDoNotNeedProc() throws {
        let script = "umount -l /proc && exec \"$0\" probe --json \"$1\""
        let path = fixture("containers/movie.mkv")
        let result = run("unshare", ["-m", "sh", "-c", script, Command.path, path])
        #expect(result.status == 0, "\(result.stderr)")
        #expect(try JSON(parsing: result.stdout)["streams"] != nil)
    }

    /// Arguments, outputs that are named after them, and files beside them.
    @Test func namesThatAreNotUTF8() throws {
        folder.write(try #require(fileBytes(fixture("containers/movie.mkv"))), to: "movie.mkv")
        let result = shell(
            """
            n=$(printf 'caf\\351'); mkdir "$n" && mv movie.mkv "$n/$n.mkv" || exit 99
            "$0" extract --tracks en+text+forced "$n/$n.mkv" || exit
            "$0" convert "$n/$n.en.forced.vtt" "$n/$n.srt" || exit
            [ -s "$n/$n.srt" ]
            """)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.states("caf\\xE9"))
    }

    /// A killed run leaves its parts to the next one.
    @Test func partsOfKilledRunsGo() throws {
        folder.write("1\n00:00:01,000 --> 00:00:02,000\nhere\n", to: "a.srt")
        folder.write("x", to: ".b.vtt.\(1 << 22 + 1).undertext-part")
        #expect(Command.undertext("convert", "a.srt", "b.vtt", directory: folder.path).status == 0)
        #expect(folder.names == ["a.srt", "b.vtt"])
    }
}
