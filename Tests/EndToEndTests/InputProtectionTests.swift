import TestSupport
import Testing

/// No command replaces what it reads.
@Suite struct InputProtectionTests {
    let folder = TemporaryDirectory()
    private let text = "1\n00:00:01,000 --> 00:00:02,000\nhere\n"

    private func copy(_ name: String, to copy: String) throws -> String {
        folder.write(try #require(fileBytes(fixture(name))), to: copy)
    }

    /// Runs commands that would replace a file, of which each has to be refused.
    private func expectKept(_ path: String, _ runs: [[String]]) throws {
        let before = try #require(fileBytes(path))
        for arguments in runs {
            let result = Command.undertext(arguments, directory: folder.path)
            #expect(result.status != 0, "\(arguments)")
            #expect(fileBytes(path) == before, "\(arguments): \(result.stderr)")
        }
        #expect(!folder.names.contains { $0.hasSuffix("undertext-part") })
    }

    @Test func renderKeepsItsInput() throws {
        let path = folder.write(text, to: "a.srt")
        try #require(run("ln", [path, folder / "hard.png"]).status == 0)
        try #require(run("ln", ["-s", "a.srt", folder / "soft.png"]).status == 0)
        try expectKept(
            path,
            ["a.srt", "./a.srt", "hard.png", "soft.png"].map {
                ["render", "--first", "--force", "a.srt", "-o", $0]
            })
        let result = Command.undertext(
            "render", "--first", "--force", "a.srt", "-o", "a.srt", directory: folder.path)
        #expect(result.status == 64 || result.states("Rendering"))
    }

    @Test func renderKeepsItsVideo() throws {
        folder.write(text, to: "a.srt")
        let video = try copy("containers/movie.mp4", to: "v.mp4")
        try expectKept(
            video, [["render", "--first", "--force", "--video", "v.mp4", "a.srt", "-o", "v.mp4"]])
    }

    @Test func filesBesideAnInputStay() throws {
        _ = try copy("malformed/positions.idx", to: "a.idx")
        let sub = try copy("malformed/positions.sub", to: "a.sub")
        try expectKept(
            sub,
            [
                ["render", "--first", "--force", "a.idx", "-o", "a.sub"],
                ["extract", "--force", "--report", "a.sub", "-o", "out", "a.idx"],
            ])
    }

    @Test func everyInputOfARunStays() throws {
        folder.write(text, to: "a.srt")
        try #require(makeFolder(folder / "out"))
        let second = folder.write(text, to: "out/a.und.vtt")
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nthere\n", to: "out/a.und.vtt")
        try expectKept(
            second,
            [
                ["extract", "--force", "-o", "out", "a.srt", "out/a.und.vtt"],
                [
                    "extract", "--force", "--report", "out/a.und.vtt", "-o", "x", "a.srt",
                    "out/a.und.vtt",
                ],
                [
                    "convert", "--force", "--from", "vtt", "--to", "srt", "out/a.und.vtt",
                    "out/a.und.vtt",
                ],
            ])
    }

    @Test func standardInputIsAnInput() throws {
        let path = folder.write(text, to: "a.srt")
        let script = "exec \"$0\" convert --from srt --to vtt --force - a.srt < a.srt"
        let result = run("sh", ["-c", script, Command.path], directory: folder.path)
        #expect(result.status == 64, "\(result.stderr)")
        #expect(fileText(path) == text)
    }
}
