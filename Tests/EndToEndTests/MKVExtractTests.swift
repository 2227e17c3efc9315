import TestSupport
import Testing

@testable import UndertextCLI

/// `extract --mkvextract` takes the arguments of mkvextract and writes what mkvextract writes.
@Suite struct MKVExtractTests {
    private static let movie = fixture("containers/movie.mkv")

    @Test func arguments() throws {
        let tracks: [MKVExtractArguments.Track] = [
            .init(id: 2, output: "a:b.srt"), .init(id: 13, output: "x.sup"),
        ]
        let words = ["2:a:b.srt", "13:x.sup"]
        for order in [["m.mkv", "tracks"], ["tracks", "m.mkv"]] {
            let read = try MKVExtractArguments(order + words)
            #expect(read.input == "m.mkv" && read.tracks == tracks)
        }
        #expect(try MKVExtractArguments(["tracks", "tracks", "0:x"]).input == "tracks")
    }

    @Test(arguments: [
        "", "m.mkv", "m.mkv tracks", "tracks m.mkv", "m.mkv 2:x.srt", "m.mkv tracks x",
        "m.mkv tracks 2",
        "m.mkv tracks 2:", "m.mkv tracks :x", "m.mkv tracks -1:x",
        "m.mkv tracks 99999999999999999999:x",
        "m.mkv tracks 2:-", "m.mkv tracks 2:x 3:x", "m.mkv chapters x.xml",
        "attachments m.mkv 1:x.ttf",
        "m.mkv tracks ٣:x",
    ])
    func mistakes(_ line: String) {
        #expect(throws: (any Error).self) {
            try MKVExtractArguments(line.split(separator: " ").map(String.init))
        }
    }

    @Test func mistakesAreUsageErrors() {
        let chapters = Command.undertext("extract", "--mkvextract", Self.movie, "chapters", "x.xml")
        #expect(chapters.status == 64)
        #expect(chapters.stderr.contains("the mode 'tracks' only, not 'chapters'"))
        let mixed = Command.undertext(
            "extract", "--mkvextract", "--format", "srt", Self.movie, "tracks", "2:x.srt")
        #expect(mixed.status == 64 && mixed.stderr.contains("cannot be combined"))
        let video = Command.undertext("extract", "--mkvextract", Self.movie, "tracks", "0:x.h264")
        #expect(video.status == 2 && video.stderr.contains("no subtitle track"))
    }

    @Test(.requires("mkvextract")) func tracksAreThoseOfMKVExtract() throws {
        let folder = TemporaryDirectory()
        // An older file is replaced, as mkvextract does.
        folder.write("old", to: "ours2.srt")
        func words(_ prefix: String) -> [String] {
            [Self.movie, "tracks", "2:\(folder / prefix)2.srt", "3:\(folder / prefix)3.txt"]
                + ["6:\(folder / prefix)6.ass", "7:\(folder / prefix)7.sup"]
        }
        let ours = Command.undertext(["extract", "--mkvextract"] + words("ours"))
        #expect(ours.status == 0, "\(ours.stderr)")
        #expect(run("mkvextract", words("real")).status == 0)
        for name in ["2.srt", "3.txt", "6.ass", "7.sup"] {
            let isASS = name.hasSuffix("ass")
            let one = try Self.content(folder / ("ours" + name), isASS)
            let other = try Self.content(folder / ("real" + name), isASS)
            #expect(one == other, "\(name)")
        }
    }

    /// The bytes without the byte order mark that mkvextract writes; for ASS also without line endings:
    /// mkvextract uses CR LF or LF as in the header, and we add a blank line at the end.
    private static func content(_ path: String, _ isASS: Bool) throws -> [UInt8] {
        var bytes = try #require(fileBytes(path), "\(path)")
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard isASS else { return bytes }
        bytes.removeAll { $0 == 0x0D }
        while bytes.last == 0x0A { bytes.removeLast() }
        return bytes
    }
}
