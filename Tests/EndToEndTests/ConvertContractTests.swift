import TestSupport
import Testing
import UndertextCore

/// `undertext convert`: names, formats, exit codes.
@Suite struct ConvertContractTests {
    let folder = TemporaryDirectory()

    private func convert(_ arguments: String...) -> ToolResult {
        Command.undertext(["convert"] + arguments)
    }

    private var srt: String {
        folder.write("1\n00:00:01,000 --> 00:00:02,000\n<i>one</i>\n\n", to: "in.srt")
    }

    @Test func textToText() throws {
        let result = convert(srt, folder / "out.vtt")
        #expect(result.status == 0, "\(result.stderr)")
        let text = try #require(fileText(folder / "out.vtt"))
        #expect(text == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>one</i>\n")
        #expect(convert(folder / "out.vtt", folder / "back.srt").status == 0)
        #expect(fileText(folder / "back.srt") == fileText(srt))
    }

    @Test func standardOutput() {
        let result = convert("--to", "vtt", srt, "-")
        #expect(result.status == 0 && result.text.hasPrefix("WEBVTT"))
        let json = convert("--to", "json", srt, "-")
        #expect(json.records("track").map { $0["track"]?.wholeNumber } == [0])
        let input = Command.undertext(
            "convert", "--to", "srt", "-", folder / "stdin.srt", stdin: Array(fileBytes(srt) ?? []))
        #expect(input.status == 0, "\(input.stderr)")
        #expect(fileText(folder / "stdin.srt") == fileText(srt))
    }

    @Test func usage() {
        #expect(convert(srt, folder / "x.doc").status == 64)
        #expect(convert("--to", "TXT", srt, folder / "x").status == 64)
        #expect(convert("--from", "doc", srt, folder / "x.vtt").status == 64)
        #expect(convert(srt, srt).status == 64)
        #expect(convert("--force", "--skip-existing", srt, folder / "x.vtt").status == 64)
        #expect(convert(srt).status == 64)
        let several = convert(fixture("containers/movie.mkv"), folder / "x.vtt")
        #expect(several.status == 64 && several.states("--tracks"))
        #expect(!folder.names.contains("x.vtt"))
    }

    @Test func failures() {
        #expect(convert(folder / "none.srt", folder / "x.vtt").status == 1)
        #expect(convert(srt, folder / "x.sup").status == 1)
        #expect(convert("--from", "vtt", srt, folder / "x.vtt").status == 1)
        #expect(convert("--tracks", "9", srt, folder / "x.vtt").status == 2)
        #expect(folder.names == ["in.srt"])
    }

    @Test func outputsThatExist() {
        let out = folder.write("old", to: "out.vtt")
        #expect(convert(srt, out).status == 1)
        #expect(fileText(out) == "old")
        #expect(convert("--skip-existing", srt, out).status == 0)
        #expect(fileText(out) == "old")
        #expect(convert("--force", "--from", "srt", srt, out).status == 0)
        #expect(fileText(out)?.hasPrefix("WEBVTT") == true)
    }

    @Test func oneTrackOfAMovie() throws {
        let film = fixture("containers/movie.mkv")
        #expect(run("mkdir", [folder / "sub"]).status == 0)
        let converted = Command.reported([
            "convert", "--tracks", "7", film, folder / "sub/one.idx",
        ])
        #expect(converted.status == 0, "\(converted.result.stderr)")
        #expect(names(in: folder / "sub") == ["one.idx", "one.sub"])
        #expect(converted.tracks.map { $0["track"]?.wholeNumber } == [7])
        let formats = converted.tracks.flatMap { $0["outputs"]?.elements ?? [] }
            .map { $0["format"]?.text }
        #expect(!formats.isEmpty && formats.allSatisfy { $0 == "vobsub" })
    }

    /// A folder that somebody made: nothing outside of it is read, nothing traps.
    @Test func hostileFolders() throws {
        let png = try #require(fileBytes(fixture("malformed/huge-object.sup")))
        let secret = folder.write("secret", to: "secret.png")
        _ = run("mkdir", [folder / "in"])
        folder.write(png, to: "in/broken.png")
        _ = run("ln", ["-s", "/dev/zero", folder / "in/endless.png"])
        _ = run("mkfifo", [folder / "in/pipe.png"])
        let names = [
            "../secret.png", secret, "broken.png", "endless.png", "pipe.png", "missing.png",
        ]
        let events = names.enumerated().map { number, name in
            "<Event InTC=\"00:00:0\(number):00\" OutTC=\"00:00:0\(number):12\" Forced=\"False\">"
                + "<Graphic Width=\"4\" Height=\"4\" X=\"0\" Y=\"0\">\(name)</Graphic></Event>"
        }
        folder.write(
            "<BDN><Description><Format VideoFormat=\"1080p\" FrameRate=\"24\"/></Description>"
                + "<Events>\(events.joined())</Events></BDN>", to: "in/index.xml")
        let hostile = Command.reported(["convert", folder / "in", folder / "out.sup"])
        #expect(hostile.status == 1 && hostile.statuses == ["failed"])
        // Names that leave the folder; the device, the pipe and what does not exist; no image.
        #expect(hostile.count("unsafe-name") == 2 && hostile.count("missing-image") == 3)
        #expect(hostile.count("malformed-image") == 1)
        #expect(hostile.result.states("'../secret.png'", "broken.png", "endless.png"))
        #expect(!self.folder.names.contains("out.sup"))
        folder.write("<!DOCTYPE BDN SYSTEM \"x\"><BDN/>", to: "in/index.xml")
        #expect(convert(folder / "in", folder / "out.sup").status == 1)
    }
}
