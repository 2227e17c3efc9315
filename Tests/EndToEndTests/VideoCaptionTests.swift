import TestSupport
import Testing
import UndertextCore

/// Closed captions between the frames of the video: `probe` reports them, and `extract` writes them.
@Suite struct VideoCaptionTests {
    /// A second of MPEG-2 whose frames carry a pair of CEA-608, in a container of that extension.
    private static func media(_ folder: TemporaryDirectory, _ name: String) throws -> String {
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=1",
                "-c:v", "mpeg2video", "-f", "mpeg2video", folder / "plain.m2v",
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let plain = try #require(fileBytes(folder / "plain.m2v"))
        let codes: [[UInt8]] = [[0x94, 0x25], [0x94, 0xAD], [0xC8, 0xE9]]
        // User data precedes the first slice of a picture.
        var captioned: [UInt8] = []
        var number = 0
        for (index, byte) in plain.enumerated() {
            if plain.dropFirst(index).prefix(4).elementsEqual([0, 0, 1, 1]) {
                captioned += [0, 0, 1, 0xB2, 0x47, 0x41, 0x39, 0x34, 0x03, 0x41, 0xFF, 0xFC]
                captioned += (number < codes.count ? codes[number] : [0x80, 0x80]) + [0xFF]
                number += 1
            }
            captioned.append(byte)
        }
        folder.write(captioned, to: "captioned.m2v")
        try mux("captioned.m2v", as: name, folder)
        return folder / name
    }

    private static func mux(
        _ source: String, as name: String, _ folder: TemporaryDirectory
    ) throws {
        let arguments = ["-v", "error", "-fflags", "+genpts", "-i", folder / source, "-c", "copy"]
        let result = run("ffmpeg", arguments + [folder / name])
        #expect(result.status == 0, "\(result.stderr)")
    }

    private static func video(_ result: ToolResult) throws -> JSON {
        let document = try JSON(parsing: result.stdout)
        let streams = document["streams"]?.elements ?? []
        return try #require(streams.first { $0["codec_type"]?.text == "video" })
    }

    /// A minute part of a caption: its cues are the same by every container.
    @Test(
        .requires("ffmpeg"),
        arguments: ["film.ts", "film.m2ts", "film.mkv", "film.mp4", "film.mpg"])
    func captionsAreReported(name: String) throws {
        let folder = TemporaryDirectory()
        let path = try Self.media(folder, name)
        let deep = Command.undertext("probe", "--json", "--deep", path)
        #expect(deep.status == 0, "\(deep.stderr)")
        let video = try Self.video(deep)
        #expect(video["closed_captions"]?.wholeNumber == 1)
        #expect(video["undertext"]?["captions"]?.elements.compactMap(\.text) == ["CEA-608"])
        #expect(Command.undertext("probe", "--deep", path).text.contains("CC1"))
        // Without `--deep`, nothing is reported about the video itself.
        let brief = try Self.video(Command.undertext("probe", "--json", path))
        #expect(brief["closed_captions"] == nil)
        #expect(brief["undertext"]?["captions"] == nil)

        let isIndexed = name.hasSuffix(".mkv") || name.hasSuffix(".mp4")
        let note = "captions    not searched; --deep searches all of the video"
        #expect(Command.undertext("probe", path).text.contains(note) == isIndexed)
        #expect(!Command.undertext("probe", "--deep", path).text.contains("not searched"))
        let extracted = Command.reported(["extract", "-o", folder.path, path])
        #expect(extracted.status == (isIndexed ? 2 : 0), "\(extracted.result.stderr)")
        if isIndexed {
            #expect(extracted.errors == ["no-track"])
            #expect(extracted.result.states("CC1"), "\(extracted.result.stderr)")
        }
        let named = Command.undertext(
            "extract", "--force", "--tracks", "cc1", "-o", folder.path, path)
        #expect(named.status == 0, "\(named.stderr)")
        let text = try #require(fileText(folder / "film.cc1.und.sdh.vtt"))
        #expect(text.contains("Hi"))
        // A service that is not there is a track without cues.
        let other = Command.reported(["extract", "--tracks", "cc4", "-o", folder.path, path])
        #expect(other.status == 0, "\(other.result.stderr)")
    }

    /// libavfilter takes captions out of the frames that libavcodec decodes.
    @Test(
        .requires("ffmpeg"),
        arguments: [
            ("film.ts", ["-c", "copy"]), ("film.mpg", ["-c", "copy"]),
            ("film.mkv", ["-c", "copy"]),
            ("film.mp4", ["-c", "copy"]), ("h264.ts", ["-c:v", "libx264", "-bf", "3"]),
            ("h264.mkv", ["-c:v", "libx264", "-bf", "3"]),
            ("h264.mp4", ["-c:v", "libx264", "-bf", "3"]),
            ("h264.flv", ["-c:v", "libx264", "-bf", "3"]),
            (
                "fragments.mp4",
                ["-c:v", "libx264", "-bf", "3", "-movflags", "frag_keyframe+empty_moov"]
            ),
        ])
    func cuesAreThoseOfLibavfilter(name: String, options: [String]) throws {
        let folder = TemporaryDirectory()
        try Self.captionedVideo(folder)
        let made = run(
            "ffmpeg",
            ["-v", "error", "-fflags", "+genpts", "-i", folder / "captioned.m2v"] + options + [
                folder / name
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let path = folder / name
        let reference = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "movie=\(path)[out+subcc]", "-map", "0:1", "-f",
                "srt",
                "-",
            ])
        let own = Command.undertext(
            "extract", "--tracks", "cc1", "--format", "jsonl", "-o", "-", path)
        #expect(own.status == 0, "\(own.stderr)")
        let cues = try own.text.split(separator: "\n").map { try JSON(parsing: $0.utf8) }
            .filter { $0["type"]?.text == "cue" }
        let words = cues.compactMap { $0["text"]?.text?.replacing(/\s+/, with: " ") }
        #expect(words == Self.words, "\(words)")
        let theirs = reference.text.split(separator: "\n").filter { !$0.contains("-->") }.joined(
            separator: " ")
        for line in Self.words { #expect(theirs.contains(line), "\(line): \(theirs)") }
        // FFmpeg's program begins with the first frame. So do our times of transport and program streams; other
        // containers define their own zero.
        let hasOwnZero = !name.hasSuffix(".ts") && !name.hasSuffix(".mpg")
        let first = hasOwnZero ? try Self.firstPicture(path) : 0
        let ends = cues.map { cue in
            [cue["start"], cue["end"]].compactMap { $0?.fraction }.map {
                Int(($0 * 1000).rounded()) - first
            }
        }
        let expected = Self.times(reference.text)
        #expect(ends.count == expected.count)
        for (our, their) in zip(ends, expected) {
            // SubRip rounds the start and the length.
            for (one, other) in zip(our, their) {
                #expect(abs(one - other) <= 1, "\(ends) \(expected)")
            }
        }
    }

    /// The milliseconds of the first frame.
    private static func firstPicture(_ path: String) throws -> Int {
        let packets = run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of",
                "csv=p=0", path,
            ])
        let times = packets.text.split { ",\n".contains($0) }.compactMap { Double($0) }
        return Int((try #require(times.min()) * 1000).rounded())
    }

    /// The milliseconds of the starts and ends of SubRip.
    private static func times(_ text: String) -> [[Int]] {
        text.split(separator: "\n").filter { $0.contains("-->") }.map { line in
            line.split(separator: " ").filter { $0 != "-->" }.map { time in
                let parts = time.split { ":,".contains($0) }.compactMap { Int($0) }
                return parts.dropLast().reduce(0) { $0 * 60 + $1 } * 1000 + (parts.last ?? 0)
            }
        }
    }

    private static let words = ["The first caption", "Another one", "And the last"]

    /// Four seconds of MPEG-2 with B-pictures whose captions are in presentation order.
    private static func captionedVideo(_ folder: TemporaryDirectory) throws {
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=30000/1001:duration=5",
                "-c:v", "mpeg2video", "-bf", "2", "-f", "mpeg2video", folder / "plain.m2v",
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let plain = try #require(fileBytes(folder / "plain.m2v"))
        let pairs = pairs
        var captioned: [UInt8] = []
        var (group, count, shown) = (0, 0, 0)
        for (index, byte) in plain.enumerated() {
            switch plain.dropFirst(index).prefix(4) {
            case [0, 0, 1, 0xB8]: group = count
            case [0, 0, 1, 0]:
                shown = group + (Int(plain[index + 4]) << 2 | Int(plain[index + 5] >> 6))
                count += 1
            case [0, 0, 1, 1]:
                let pair = shown < pairs.count ? pairs[shown] : (0x80, 0x80)
                captioned += [
                    0, 0, 1, 0xB2, 0x47, 0x41, 0x39, 0x34, 0x03, 0x41, 0xFF, 0xFC, pair.0, pair.1,
                    0xFF,
                ]
            default: break
            }
            captioned.append(byte)
        }
        folder.write(captioned, to: "captioned.m2v")
    }

    /// Pop-on captions, a pair for each frame.
    private static var pairs: [(UInt8, UInt8)] {
        func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 1 ? byte : byte | 0x80 }
        func code(_ second: UInt8) -> [(UInt8, UInt8)] {
            [(UInt8, UInt8)](repeating: (odd(0x14), odd(second)), count: 2)
        }
        var pairs: [(UInt8, UInt8)] = []
        for line in words {
            let text = Array((line + (line.utf8.count % 2 == 0 ? "" : " ")).utf8)
            pairs += code(0x20) + code(0x2E) + code(0x70)
            pairs += stride(from: 0, to: text.count, by: 2).map {
                (odd(text[$0]), odd(text[$0 + 1]))
            }
            pairs += code(0x2F) + [(UInt8, UInt8)](repeating: (0x80, 0x80), count: 12)
        }
        return pairs + code(0x2C)
    }

    /// Captions of a playlist that does not declare them are found only by their names.
    @Test func playlistsWithoutCaptionsNameTheRemedy() {
        let folder = TemporaryDirectory()
        let playlist = fixture("captions/segments/media.m3u8")
        let all = Command.undertext("extract", "--tracks", "cc", "-o", folder / "out/", playlist)
        #expect(all.status == 2)
        #expect(all.stderr.contains("declares no subtitle track"))
        #expect(all.stderr.contains("select cc1 or service1 with --tracks"))
        let named = Command.undertext(
            "extract", "--tracks", "cc1", "-o", folder / "out/", playlist)
        #expect(named.status == 0, "\(named.stderr)")
    }

    @Test(.requires("ffmpeg")) func videoWithoutCaptionsHasNone() throws {
        let folder = TemporaryDirectory()
        _ = try Self.media(folder, "film.ts")
        let plain = folder / "plain.ts"
        try Self.mux("plain.m2v", as: "plain.ts", folder)
        let video = try Self.video(Command.undertext("probe", "--json", "--deep", plain))
        #expect(video["closed_captions"]?.wholeNumber == 0)
        let extracted = Command.reported(["extract", "-o", folder.path, plain])
        #expect(extracted.status == 2 && extracted.errors == ["no-track"])
        #expect(!extracted.result.states("CEA"))
    }

    @Test(.requiresCorpus()) func captionsOfOthersAreFound() throws {
        for (path, kinds) in [
            ("shaka-player/captions-test.ts", ["CEA-608"]),
            ("mux.js/segments/sintel-captions.ts", ["CEA-608"]),
            ("mux.js/segments/multi-channel-608-captions.ts", ["CEA-608"]),
        ] {
            let file = try #require(corpusPath(path))
            let video = try Self.video(Command.undertext("probe", "--json", "--deep", file))
            let found = video["undertext"]?["captions"]?.elements.compactMap(\.text) ?? []
            #expect(found.contains(kinds[0]), "\(path): \(found)")
        }
    }
}
