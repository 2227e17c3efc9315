import Glibc
import TestSupport
import Testing
import UndertextCore
import UndertextLibrary

/// A walk finds inputs only.
@Suite struct FolderWalkerTests {
    let folder = TemporaryDirectory()
    let media: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 1, 2, 3]

    private func paths(
        _ options: WalkOptions = WalkOptions(), roots: [String]? = nil
    ) -> (found: [String], failures: [UndertextError]) {
        var failures: [UndertextError] = []
        let walker = FolderWalker(roots: roots ?? [folder.path], options: options) {
            failures.append($0)
        }
        var found: [String] = []
        while let file = walker.next() { found.append(file.relativePath) }
        return (found, failures)
    }

    private func makeFolders(_ names: String...) throws {
        for name in names { try #require(makeFolder(folder / name)) }
    }

    @Test func findsMediaAndSubtitlesInOrder() throws {
        try makeFolders("b", "a", "a/deep")
        for name in [
            "z.mkv", "a/2.mp4", "a/1.srt", "a/deep/x.ts", "b/y.vtt", "b/cover.jpg", "n.nfo",
        ] {
            folder.write(media, to: name)
        }
        #expect(paths().found == ["z.mkv", "a/1.srt", "a/2.mp4", "a/deep/x.ts", "b/y.vtt"])
    }

    @Test func asksTheContentOfUnknownNames() {
        folder.write(media, to: "film")
        folder.write("just text", to: "notes")
        folder.write("WEBVTT\n\n", to: "captions.unknown")
        folder.write("1\n00:00:01,000 --> 00:00:02,000\nText\n", to: "film.copy")
        folder.write("\u{FEFF}[Script Info]\n", to: "script")
        folder.write([], to: "empty")
        let packets = (0..<6).flatMap { _ in [0x47] + [UInt8](repeating: 0, count: 187) }
        folder.write(packets, to: "broadcast")
        #expect(paths().found == ["broadcast", "captions.unknown", "film", "film.copy", "script"])
    }

    @Test func leavesOutWhatIsNoInput() throws {
        try makeFolders(
            ".hidden", "film.images", "BDMV", "BDMV/STREAM", "BDMV/BACKUP", "VIDEO_TS", "out")
        for name in [
            ".hidden/a.mkv", ".b.mkv", "film.images/index.json", "film.images/c.mkv",
            "BDMV/STREAM/1.m2ts", "BDMV/BACKUP/2.m2ts", "VIDEO_TS/VIDEO_TS.VOB",
            "VIDEO_TS/VTS_01_0.VOB", "VIDEO_TS/VTS_01_1.VOB", "pair.idx", "pair.sub", "alone.sub",
            "out/d.mkv", "e.vtt", ".f.vtt.12.undertext-part",
        ] { folder.write(media, to: name) }
        var options = WalkOptions()
        options.excludedFolders = [folder / "out"]
        options.writtenExtensions = ["vtt"]
        #expect(
            paths(options).found == [
                "alone.sub", "pair.idx", "BDMV/STREAM/1.m2ts", "VIDEO_TS/VTS_01_1.VOB",
            ])
        options.includesHidden = true
        #expect(paths(options).found.prefix(2) == [".b.mkv", "alone.sub"])
    }

    @Test func appliesPatterns() throws {
        try makeFolders("films", "films/Extras")
        for name in ["films/a.mkv", "films/b.mp4", "films/Extras/c.mkv"] {
            folder.write(media, to: name)
        }
        var options = WalkOptions()
        options.includes = [PathGlob("*.mkv")]
        options.excludes = [PathGlob("Extras")]
        #expect(paths(options).found == ["films/a.mkv"])
    }

    @Test func followsLinksOnce() throws {
        try makeFolders("a")
        folder.write(media, to: "a/film.mkv")
        #expect(unsafe symlink("..", folder / "a/loop") == 0)
        #expect(unsafe symlink("a/film.mkv", folder / "link.mkv") == 0)
        #expect(unsafe symlink("nowhere", folder / "broken.mkv") == 0)
        #expect(paths().found == ["a/film.mkv"])
        var options = WalkOptions()
        options.followsLinks = true
        let result = paths(options)
        #expect(result.found == ["link.mkv", "a/film.mkv"])
        #expect(result.failures.isEmpty)
    }

    @Test func namesAreAnyBytes() {
        let name: [CChar] = [0x61, -1, 0x0A, 0x2E, 0x6D, 0x6B, 0x76, 0]
        let path = Array((folder.path + "/").utf8CString.dropLast()) + name
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY, 0o644)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(paths().found == [PathText.text(of: [0x61, 0xFF, 0x0A, 0x2E, 0x6D, 0x6B, 0x76])])
    }

    @Test func reportsWhatIsMissing() {
        let result = paths(roots: [folder / "missing", folder.path])
        #expect(result.found.isEmpty)
        #expect(result.failures.map(\.code) == [.notFound])
    }

    /// A tree deeper than any stack.
    @Test func entersDeepFolders() throws {
        var path = folder.path
        for _ in 0..<900 {
            path += "/d"
            guard makeFolder(path) else { break }
        }
        try #require(writeFile(media, to: path + "/x.mkv"))
        #expect(paths().found.count == 1)
    }
}
