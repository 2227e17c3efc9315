import TestSupport
import Testing
import UndertextCore

/// One line with the problem, its position and the remedy; the correct exit code; no partial file.
@Suite struct BadInputTests {
    let folder = TemporaryDirectory()

    func check(
        _ input: String, _ code: UndertextError.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let out = folder.path + "/out"
        let extracted = Command.reported(["extract", "-o", out, input])
        #expect(extracted.errors == [code.name], sourceLocation: sourceLocation)
        let probed = Command.undertext("probe", "--json", input)
        let answer = try? JSON(parsing: probed.stdout)
        #expect(
            answer?["undertext"]?["code"]?.text == code.name, sourceLocation: sourceLocation)
        for result in [extracted.result, probed, Command.undertext("probe", input)] {
            #expect(result.status == 1, sourceLocation: sourceLocation)
            #expect(result.states(input), "\(result.stderr)", sourceLocation: sourceLocation)
            #expect(
                result.stderr.split(separator: "\n").count { !$0.hasPrefix("  - ") } == 1,
                "\(result.stderr)", sourceLocation: sourceLocation)
        }
        #expect(files(below: out).isEmpty, sourceLocation: sourceLocation)
    }

    @Test func missing() { check(folder.path + "/nothing.mkv", .notFound) }
    @Test func directory() { check(folder.path, .isDirectory) }
    @Test func empty() { check(folder.write([], to: "empty.mkv"), .empty) }
    @Test func notMedia() {
        check(folder.write(Array("just words\n".utf8), to: "letter.mkv"), .notMedia)
    }
    @Test func playlistInDisguise() { check(fixture("containers/playlist.mkv"), .notMedia) }
    @Test func matroskaWithoutContent() {
        check(folder.write([0x1A, 0x45, 0xDF, 0xA3], to: "bare.mkv"), .notMedia)
    }

    @Test func noPermission() {
        let path = folder.write(Array("x".utf8), to: "secret.mkv")
        _ = run("chmod", ["000", path])
        let run = Command.reported(["extract", path])
        #expect(run.status == 1)
        // Root reads everything.
        #expect([["permission-denied"], ["not-media"]].contains(run.errors), "\(run.errors)")
        #expect(run.result.states("secret.mkv"))
    }

    @Test func unwritableFolder() {
        let movie = fixture("containers/movie.mkv")
        let file = folder.write(Array("x".utf8), to: "file")
        let run = Command.reported(["extract", "--tracks", "en+text", "-o", file + "/sub", movie])
        #expect(run.status == 1 && run.errors == ["not-a-directory"], "\(run.result.stderr)")
        #expect(run.result.states(file))
        #expect(run.result.stderr.split(separator: "\n").count == 1, "\(run.result.stderr)")
    }

    /// One folder for all tracks is one error, not one a track.
    @Test func aFolderThatCannotBeMade() {
        let run = Command.reported([
            "extract", "-o", "/proc/none/x", fixture("containers/movie.mkv"),
        ])
        #expect(run.status == 1 && run.errors == ["not-found"], "\(run.result.stderr)")
        #expect(run.result.states("/proc/none"))
        #expect(run.result.stderr.split(separator: "\n").count == 1, "\(run.result.stderr)")
    }

    @Test func fullDisk() {
        let movie = fixture("containers/movie.mkv")
        let result = run(
            "/bin/sh",
            ["-c", "\"$0\" extract --tracks pt-BR -o - \"$1\" > /dev/full", Command.path, movie])
        #expect(result.status == 1, "\(result.stderr)")
        // The system's message; the report has no code for a track.
        #expect(result.states("No space left on device"))
    }

    /// More than the pipe holds, so that the run meets its closed end.
    @Test func closedPipe() {
        let result = run(
            "/bin/sh",
            [
                "-c",
                "{ \"$0\" extract --format json -o - \"$1\"; echo \"code $?\" >&2; } | head -c 1",
                Command.path, folder.write(longSubRip(), to: "long.srt"),
            ])
        #expect(result.text == "{")
        #expect(result.stderr == "code 0\n", "\(result.stderr)")
    }

    /// Cues read before the end are kept.
    @Test(.requires("ffmpeg")) func aCutOffMP4IsExtractedAsFarAsItGoes() throws {
        // Its index must be first, otherwise nothing can be read.
        let whole = folder / "whole.mp4"
        let made = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", fixture("containers/movie.mp4"), "-map", "0", "-c",
                "copy", "-movflags", "+faststart", whole,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        let bytes = try #require(fileBytes(whole))
        let cut = folder.write(Array(bytes[..<(bytes.count * 2 / 3)]), to: "cut.mp4")
        let result = Command.undertext("extract", "-o", folder / "out", cut)
        #expect(result.status == 3, "\(result.stderr)")
        #expect(names(in: folder / "out").contains { $0.hasSuffix(".vtt") })
    }

    @Test func anEndedStreamIsExtractedAsFarAsItGoes() {
        let run = Command.reported([
            "extract", "-o", folder.path, fixture("containers/truncated.mkv"),
        ])
        #expect(run.status == 3, "\(run.result.stderr)")
        #expect(run.codes(.error) == ["truncated"])
        #expect(run.diagnostics("truncated").allSatisfy { $0["offset"]?.wholeNumber != nil })
        #expect(!files(below: folder.path).isEmpty)
    }

    @Test func namesFromFilesAreEscapedOnTerminals() {
        let path = folder.path + "/evil\u{1B}[31m\u{202E}.mkv"
        #expect(writeFile([], to: path))
        let result = Command.undertext("probe", path)
        #expect(!result.stderr.contains("\u{1B}"))
        #expect(!result.stderr.unicodeScalars.contains("\u{202E}"))
    }
}
