import TestSupport
import Testing

/// One line that says what, where and what to do; the right exit code; no partial file.
@Suite struct BadInputTests {
    let folder = TemporaryDirectory()

    func check(
        _ input: String, _ code: Int32, _ word: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let out = folder.path + "/out"
        for command in [["extract", "-o", out, input], ["probe", input]] {
            let result = Command.undertext(command)
            #expect(result.status == code, "\(command)", sourceLocation: sourceLocation)
            #expect(
                result.stderr.lowercased().contains(word), "\(result.stderr)",
                sourceLocation: sourceLocation)
            #expect(
                result.stderr.contains(input), "\(result.stderr)", sourceLocation: sourceLocation)
            #expect(
                result.stderr.split(separator: "\n").count { !$0.hasPrefix("  - ") } == 1,
                "\(result.stderr)", sourceLocation: sourceLocation)
            #expect(files(below: out).isEmpty, sourceLocation: sourceLocation)
        }
    }

    @Test func missing() { check(folder.path + "/nothing.mkv", 1, "no such file") }
    @Test func directory() { check(folder.path, 1, "folder") }
    @Test func empty() { check(folder.write([], to: "empty.mkv"), 1, "empty") }
    @Test func notMedia() {
        check(folder.write(Array("just words\n".utf8), to: "letter.mkv"), 1, "not a media")
    }
    @Test func playlistInDisguise() { check(fixture("containers/playlist.mkv"), 1, "not a media") }
    @Test func matroskaWithoutContent() {
        check(folder.write([0x1A, 0x45, 0xDF, 0xA3], to: "bare.mkv"), 1, "bare.mkv")
    }

    @Test func noPermission() {
        let path = folder.write(Array("x".utf8), to: "secret.mkv")
        _ = run("chmod", ["000", path])
        // Root reads everything: then the message is another one, the code is the same.
        let result = Command.undertext("extract", path)
        #expect(result.status == 1)
        #expect(result.stderr.contains("secret.mkv"))
    }

    @Test func unwritableFolder() {
        let movie = fixture("containers/movie.mkv")
        let file = folder.write(Array("x".utf8), to: "file")
        let result = Command.undertext("extract", "--tracks", "en+text", "-o", file + "/sub", movie)
        #expect(result.status == 1, "\(result.stderr)")
        #expect(result.stderr.contains(file))
        #expect(result.stderr.split(separator: "\n").count == 1, "\(result.stderr)")
    }

    /// One folder for all tracks is one error, not one a track.
    @Test func aFolderThatCannotBeMade() {
        let result = Command.undertext(
            "extract", "-o", "/proc/none/x", fixture("containers/movie.mkv"))
        #expect(result.status == 1, "\(result.stderr)")
        #expect(result.stderr.contains("/proc/none"))
        #expect(result.stderr.split(separator: "\n").count == 1, "\(result.stderr)")
    }

    @Test func fullDisk() {
        let movie = fixture("containers/movie.mkv")
        let result = run(
            "/bin/sh",
            ["-c", "\"$0\" extract --tracks pt-BR -o - \"$1\" > /dev/full", Command.path, movie])
        #expect(result.status == 1, "\(result.stderr)")
        #expect(result.stderr.contains("space"))
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

    /// What was read before the end stays.
    @Test(.requires("ffmpeg")) func aCutOffMP4IsExtractedAsFarAsItGoes() throws {
        // Its index must come first, or nothing at all can be read.
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
        let result = Command.undertext(
            "extract", "-o", folder.path, fixture("containers/truncated.mkv"))
        #expect(result.status == 3, "\(result.stderr)")
        #expect(result.stderr.contains("cut off"))
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
