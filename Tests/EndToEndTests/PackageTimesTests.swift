import TestSupport
import Testing
import UndertextCore
import UndertextStreaming

/// Segment durations of `hls package`, and inputs that it refuses because durations are unknown.
@Suite struct PackageTimesTests {
    /// A media file whose audio lasts twenty seconds.
    struct Film: CustomTestStringConvertible, Sendable {
        var kind: String
        /// Seconds before the images begin.
        var delay = 0
        /// Seconds of images.
        var images: Int
        /// Images a second.
        var rate = 25

        var testDescription: String { "\(kind), \(delay) s, \(images) s, \(rate) a second" }
    }

    private static func make(_ film: Film, _ path: String, _ encoding: [String]) throws {
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-itsoffset", "\(film.delay)", "-f", "lavfi", "-i",
                "testsrc=size=320x180:rate=\(film.rate):duration=\(film.images)", "-f", "lavfi",
                "-i", "sine=frequency=440:duration=20", "-c:v", "libx264", "-g", "50", "-pix_fmt",
                "yuv420p", "-c:a", "aac", "-b:a", "48k",
            ] + encoding + [path])
        try #require(made.status == 0, "\(made.stderr)")
    }

    /// Video that begins late, audio that continues after it, and an image that stays for all of it.
    @Test(
        .requires("ffmpeg"),
        arguments: [
            Film(kind: "mp4", delay: 3, images: 15), Film(kind: "mkv", delay: 3, images: 15),
            Film(kind: "ts", delay: 3, images: 15), Film(kind: "mp4", images: 8),
            Film(kind: "mp4", images: 1, rate: 1), Film(kind: "avi", images: 20),
        ])
    func segmentsAreAsLongAsWhatTheyHold(_ film: Film) throws {
        let scratch = TemporaryDirectory()
        let path = scratch / "film.\(film.kind)"
        try Self.make(film, path, ["-preset", "ultrafast"])
        let cues = (0..<20).map {
            let second = String(100 + $0).dropFirst()
            return "\($0 + 1)\n00:00:\(second),500 --> 00:00:\(second),900\ncue \($0)\n"
        }
        scratch.write(cues.joined(separator: "\n"), to: "film.srt")
        let packaged = Command.undertext(
            "hls", "package", "--video", path, "--subtitle", "en=\(scratch / "film.srt")", "-o",
            scratch / "out")
        #expect(packaged.status == 0 && packaged.notes.isEmpty, "\(packaged.stderr)")
        for name in ["media", "en"] {
            let bytes = try #require(fileBytes(scratch / "out/\(name).m3u8"))
            let playlist = try MediaPlaylist(PlaylistText(bytes))
            let length = Double(playlist.duration.components.seconds)
            // Sound has 23 ms in front that are not heard, and its last frame may be longer than it.
            #expect((20...20.1).contains(length + Self.fraction(playlist.duration)), "\(name)")
            let target = try #require(playlist.targetDuration)
            let longest = try #require(playlist.segments.map(\.duration).max())
            #expect(longest < target + .milliseconds(500), "\(longest), \(target)")
            #expect(longest >= target - .milliseconds(500), "\(longest), \(target)")
        }
        let texts = names(in: scratch / "out").filter { $0.hasSuffix(".vtt") }
            .compactMap { fileText(scratch / "out/\($0)") }.joined()
        for number in 0..<20 { #expect(texts.contains("\ncue \(number)\n"), "\(number)") }
    }

    private static func fraction(_ duration: Duration) -> Double {
        Double(duration.components.attoseconds) / 1e18
    }

    /// Packages a file of a folder with a subtitle of one cue.
    private static func package(_ video: String, in scratch: TemporaryDirectory) -> ToolResult {
        scratch.write("1\n00:00:01,000 --> 00:00:02,000\nhere\n", to: "film.srt")
        return Command.undertext(
            "hls", "package", "--video", scratch / video, "--subtitle",
            "en=\(scratch / "film.srt")", "-o", scratch / "out")
    }

    /// AVI has no times: the presentation times of reordered video are unknown.
    @Test(.requires("ffmpeg")) func imagesWithoutTimesAreRefused() throws {
        let scratch = TemporaryDirectory()
        try Self.make(
            Film(kind: "mp4", images: 6), scratch / "film.mp4",
            ["-preset", "veryfast", "-bf", "2"])
        let copied = run(
            "ffmpeg", ["-v", "error", "-i", scratch / "film.mp4", "-c", "copy", scratch / "b.avi"])
        try #require(copied.status == 0, "\(copied.stderr)")
        let refused = Self.package("b.avi", in: scratch)
        #expect(refused.status == 1)
        // Only that, and nothing about files that were not written.
        #expect(refused.states("b.avi"), "\(refused.stderr)")
        #expect(refused.stderr.split(separator: "\n").count == 1, "\(refused.stderr)")
        #expect(names(in: scratch.path).allSatisfy { !$0.contains("out") })
    }

    /// A track without a cue would be offered to viewers.
    @Test(.requires("nginx")) func subtitlesOfWhichNothingIsReadAreRefused() throws {
        let scratch = TemporaryDirectory()
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXTINF:8,\nv0.ts\n#EXT-X-ENDLIST\n"
        scratch.write(media, to: "v.m3u8")
        scratch.write("media", to: "v0.ts")
        func list(_ names: String...) -> String {
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
                + names.map { "#EXTINF:4,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
        }
        scratch.write(list("gone0.vtt", "gone1.vtt"), to: "gone.m3u8")
        scratch.write(list("here.vtt", "gone1.vtt"), to: "partly.m3u8")
        scratch.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "here.vtt")
        scratch.write("WEBVTT\n", to: "empty.vtt")
        let server = try WebServer.nginx(serving: scratch.path)
        func package(_ subtitle: String) -> ToolResult {
            Command.undertext(
                "hls", "package", "--video", scratch / "v.m3u8", "--subtitle", "en=" + subtitle,
                "-o", scratch / "out", "--media-start", "0")
        }
        let gone = "\(server.address)/gone.m3u8"
        let served = Command.undertext(
            "serve", "--upstream", "\(server.address)/v.m3u8", "--subtitle", "en=" + gone, "--port",
            "0", "--media-start", "0")
        for refused in [package(gone), served] {
            #expect(refused.status == 1)
            #expect(refused.states(gone, "404"), "\(refused.stderr)")
        }
        let empty = package(scratch / "empty.vtt")
        #expect(empty.status == 1)
        #expect(empty.states("empty.vtt"), "\(empty.stderr)")
        #expect(!names(in: scratch.path).contains("out"))
        let partly = package("\(server.address)/partly.m3u8")
        #expect(partly.status == 3, "\(partly.stderr)")
        #expect(fileText(scratch / "out/en-0.vtt")?.contains("here") == true)
    }

    @Test func listsOfSongsAreNoPlaylists() {
        let scratch = TemporaryDirectory()
        scratch.write("#EXTM3U\n#EXTINF:3,song\nsong.mp3\n", to: "list.m3u")
        let refused = Self.package("list.m3u", in: scratch)
        #expect(refused.status == 1)
        #expect(refused.states("list.m3u", "EXT-X-TARGETDURATION"), "\(refused.stderr)")
        // That command is for live streams.
        #expect(!refused.states("undertext serve"), "\(refused.stderr)")
    }
}
