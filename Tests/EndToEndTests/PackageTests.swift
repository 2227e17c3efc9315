import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextStreaming

@Suite struct PackageTests {
    private static func extracted(_ folder: String, _ stem: String) throws -> [String] {
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(fileBytes("\(folder)/\(name)"), "\(name)")
        }
        guard case .media(let media) = try HLSPlaylist(try bytes(stem + ".m3u8")) else { return [] }
        var joiner = WebVTTJoiner()
        var clock: MediaClock?
        var lines: [String] = []
        for segment in media.segments {
            let file = try bytes(segment.uri)
            if clock == nil, let map = TimestampMap(header: file) {
                clock = MediaClock(start: map.local, firstPTS: map.mpegTS)
            }
            let packets = joiner.packets(
                of: WebVTTJoiner.Segment(file, start: segment.start, clock: clock))
            lines += packets.map { packet in
                "\(packet.start?.roundedMilliseconds ?? -1) \(packet.end?.roundedMilliseconds ?? -1) "
                    + String(decoding: packet.data, as: UTF8.self)
            }
        }
        #expect(joiner.takeDiagnostics().isEmpty)
        return lines
    }

    /// The cues that the command itself reads from a packaged presentation, in the form of ``extracted(_:_:)``;
    /// it takes the clock from the media, so that a wrong map would be noticed.
    private static func read(_ presentation: String) -> [String] {
        let result = Command.undertext(
            "extract", "--tracks", "en", "--format", "json", "-o", "-", presentation)
        #expect(result.status == 0, "\(result.stderr)")
        return result.text.split(separator: "\n").filter { jsonValue("type", in: $0) == "cue" }.map
        {
            let (start, end) = (jsonMilliseconds("start", in: $0), jsonMilliseconds("end", in: $0))
            return "\(start) \(end) \(jsonValue("text", in: $0) ?? "")"
        }
    }

    /// `true` if only the position of the media is reported, as information.
    private static func isQuiet(_ result: ToolResult) -> Bool {
        result.notes.count <= 1 && result.notes.allSatisfy { $0.hasPrefix("info: ") }
    }

    private static var expected: [String] { expected(later: 0) }

    private static func expected(later: Int) -> [String] {
        StreamSamples.cues.map {
            "\(Int($0.start * 1000) + later) \(Int($0.end * 1000) + later) \($0.text)"
        }
    }

    /// The presentation time of the first packet of a stream; `-1` without one.
    private static func start(of kind: String, in path: String) -> Double {
        let found = run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", kind, "-show_entries", "packet=pts_time", "-of",
                "csv=p=0", path,
            ])
        return found.text.split(whereSeparator: { "\n,".contains($0) })
            .compactMap { Double($0) }.min() ?? -1
    }

    /// The result of decoding everything with ffmpeg: each frame of each stream and its time.
    private static func frames(_ playlist: String) -> String {
        let options = playlist.hasSuffix(".m3u8") ? ["-allowed_extensions", "ALL"] : []
        return run(
            "ffmpeg",
            ["-v", "error"] + options + [
                "-i", playlist, "-map", "0:v", "-map", "0:a", "-f", "framemd5", "-",
            ]
        ).text
    }

    @Test(.requires("ffmpeg", "nginx")) func packagedSubtitlesAreExtracted() throws {
        let scratch = TemporaryDirectory()
        _ = try StreamSamples.film(in: scratch)
        try StreamSamples.presentation("ts", in: scratch, [])
        try StreamSamples.presentation("fmp4", in: scratch, ["-hls_segment_type", "fmp4"])
        scratch.write(StreamSamples.subRip, to: "film.srt")
        let server = try WebServer.nginx(serving: scratch.path)
        for (name, pts) in [("ts", 1.4), ("fmp4", 0)] {
            let made = Command.undertext(
                "hls", "package", "--video", scratch / "\(name)/master.m3u8", "--subtitle",
                "en:English:default=\(scratch / "film.srt")", "--subtitle",
                "de:sdh=\(scratch / "film.srt")", "-o", scratch / "\(name)-out")
            #expect(made.status == 0 && Self.isQuiet(made), "\(made.stderr)")
            #expect(made.states("\(name)-out/master.m3u8", "2"), "\(made.stderr)")
            let out = scratch / "\(name)-out"
            #expect(try Self.extracted(out, "en") == Self.expected)
            #expect(try Self.extracted(out, "de-sdh") == Self.expected)
            #expect(Self.read("\(server.address)/\(name)-out/master.m3u8") == Self.expected)
            let first = fileText(out + "/en-0.vtt") ?? ""
            let map = TimestampMap(header: Array(first.utf8))
            #expect(abs(Double(map?.mpegTS ?? -1) / 90_000 - pts) < 0.05, "\(first)")
            let master = fileText(out + "/master.m3u8") ?? ""
            #expect(master.contains("\n../\(name)/media.m3u8\n"), "\(master)")
            #expect(master.contains("SUBTITLES=\"subs\""))
            // Nobody loses anything by it.
            let before = Self.frames(scratch / "\(name)/master.m3u8")
            #expect(before.contains("\n1, "))
            #expect(Self.frames(out + "/master.m3u8") == before)
        }
        // Existing files stay, unless replacing is requested.
        let again = ["hls", "package", "--video", scratch / "ts/media.m3u8", "--subtitle"]
        let rest = ["en=\(scratch / "film.srt")", "-o", scratch / "ts-out"]
        #expect(Command.undertext(again + rest).status == 1)
        scratch.write("mine", to: "ts-out/notes.txt")
        let forced = Command.undertext(again + rest + ["--force"])
        #expect(forced.status == 0, "\(forced.stderr)")
        #expect(fileText(scratch / "ts-out/notes.txt") == "mine")
        #expect(fileText(scratch / "ts-out/de-sdh.m3u8") == nil)
        #expect(try Self.extracted(scratch / "ts-out", "en") == Self.expected)
        let master = fileText(scratch / "ts-out/master.m3u8") ?? ""
        #expect(master.contains("\n../ts/media.m3u8"), "\(master)")
        #expect(run("sh", ["-c", "ls -A \(scratch.path) | grep undertext-part"]).text.isEmpty)
    }

    @Test(.requires("ffmpeg")) func filesBecomePresentations() throws {
        let scratch = TemporaryDirectory()
        let film = try StreamSamples.film(in: scratch)
        scratch.write(StreamSamples.subRip, to: "film.srt")
        let made = Command.undertext(
            "hls", "package", "--video", film, "--subtitle", "en=\(scratch / "film.srt")", "-o",
            scratch / "out")
        #expect(made.status == 0, "\(made.stderr)")
        #expect(try Self.extracted(scratch / "out", "en") == Self.expected)
        // Players begin with the audio, which has 23 ms before the video that are not played in the file.
        #expect(Self.read(scratch / "out/master.m3u8") == Self.expected(later: 23))
        let master = fileText(scratch / "out/master.m3u8") ?? ""
        #expect(master.contains("RESOLUTION=320x180"), "\(master)")
        #expect(master.contains("CODECS=\"avc1."), "\(master)")
        func hashes(_ path: String) -> [String] {
            Self.frames(path).split(separator: "\n").filter { $0.hasPrefix("0,") }
                .map { String($0.split(separator: ",").last ?? "") }
        }
        let frames = hashes(film)
        #expect(frames.count == 600)
        let isSame = hashes(scratch / "out/master.m3u8") == frames
        #expect(isSame)
    }

    /// H.264 with start codes and AAC in frames of its own must become what MP4 holds.
    @Test(.requires("ffmpeg", "mkvmerge"), arguments: ["ts", "mkv"])
    func transportStreamsBecomePresentations(_ kind: String) throws {
        let scratch = TemporaryDirectory()
        let film = try StreamSamples.film(in: scratch)
        let other = scratch / "film.\(kind)"
        // A quiet beginning, so that the first segment is not the largest.
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=size=320x180:rate=25:duration=8", "-i",
                film, "-filter_complex", "[0:v][1:v]concat=n=2[v]", "-map", "[v]", "-map", "1:a",
                "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p",
                "-c:a", "copy", other,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        scratch.write(StreamSamples.subRip, to: "film.srt")
        let packaged = Command.undertext(
            "hls", "package", "--video", other, "--subtitle", "en=\(scratch / "film.srt")", "-o",
            scratch / "out")
        #expect(packaged.status == 0, "\(packaged.stderr)")
        // FFmpeg 9 stores the delay of the codec, which players play.
        let delay = run("mkvmerge", ["-J", other]).text.contains("\"codec_delay\"") ? 23 : 0
        #expect(Self.read(scratch / "out/master.m3u8") == Self.expected(later: delay))
        let master = fileText(scratch / "out/master.m3u8") ?? ""
        #expect(master.contains("CODECS=\"avc1.42c0"), "\(master)")
        #expect(master.contains(",mp4a.40.2\""), "\(master)")
        func bandwidth(_ name: String) -> Int? {
            master.split(whereSeparator: { ":,\n".contains($0) })
                .first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
        }
        let sizes = names(in: scratch / "out").filter { $0.hasSuffix(".m4s") }
            .compactMap { fileSize(scratch / "out/\($0)") }
        let largest = try #require(sizes.max())
        // Segments have four seconds, two at least: the keyframes.
        let peak = try #require(bandwidth("BANDWIDTH"))
        #expect((largest * 8 / 6...largest * 4).contains(peak), "\(peak), \(sizes)")
        let average = try #require(bandwidth("AVERAGE-BANDWIDTH"))
        #expect(average < peak)
        let decoded = run(
            "ffmpeg", ["-v", "error", "-i", scratch / "out/master.m3u8", "-f", "null", "-"])
        #expect(decoded.status == 0 && decoded.stderr.isEmpty, "\(decoded.stderr)")
    }

    /// Images that are shown later than they are decoded, and sound that begins two seconds late.
    @Test(.requires("ffmpeg")) func soundAndImagesStayTogether() throws {
        let scratch = TemporaryDirectory()
        let film = scratch / "late.mp4"
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-itsoffset",
                "2", "-f", "lavfi", "-i", "sine=frequency=440", "-t", "12", "-c:v", "libx264",
                "-preset", "veryfast", "-bf", "2", "-g", "50", "-pix_fmt", "yuv420p", "-c:a",
                "aac", "-b:a", "48k", film,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        scratch.write("1\n00:00:01,000 --> 00:00:02,000\nhere\n", to: "film.srt")
        let packaged = Command.undertext(
            "hls", "package", "--video", film, "--subtitle", "en=\(scratch / "film.srt")", "-o",
            scratch / "out")
        try #require(packaged.status == 0, "\(packaged.stderr)")
        let header = try #require(fileBytes(scratch / "out/media-init.mp4"))
        #expect(header.firstRange(of: Array("edts".utf8)) == nil)

        func starts(_ path: String) -> [Double] {
            ["v", "a"].map { Self.start(of: $0, in: path) }
        }
        let (before, after) = (starts(film), starts(scratch / "out/media.m3u8"))
        #expect(before[1] > 1.9)
        #expect(abs((after[1] - after[0]) - (before[1] - before[0])) < 0.005, "\(before), \(after)")
        let segment = fileBytes(scratch / "out/en-0.vtt") ?? []
        let map = try #require(TimestampMap(header: segment))
        #expect(abs(Double(map.mpegTS) / 90_000 - after[0]) < 0.005, "\(map), \(after)")
    }

    /// A cue is shown with the image that it is shown with in the file: where sound has samples in front that
    /// an edit list hides, where all begins late, and where a container has no zero of its own.
    @Test(
        .requires("ffmpeg"),
        arguments: [
            ("mp4", []), ("mp4", ["-output_ts_offset", "5"]), ("mkv", []), ("ts", []),
        ])
    func cuesStayWithTheirImages(_ kind: String, _ options: [String]) throws {
        let scratch = TemporaryDirectory()
        let film = try StreamSamples.film(in: scratch)
        let other = scratch / "other.\(kind)"
        let made = run("ffmpeg", ["-v", "error", "-i", film, "-c", "copy"] + options + [other])
        try #require(made.status == 0, "\(made.stderr)")
        scratch.write("1\n00:00:06,000 --> 00:00:07,000\nhere\n", to: "film.srt")
        let packaged = Command.undertext(
            "hls", "package", "--video", other, "--subtitle", "en=\(scratch / "film.srt")", "-o",
            scratch / "out")
        #expect(packaged.status == 0 && packaged.notes.isEmpty, "\(packaged.stderr)")
        // A transport stream's own zero is its first time, that of the sound.
        let zero = kind == "ts" ? Self.start(of: "a", in: other) : 0
        let inFile = 6 - (Self.start(of: "v", in: other) - zero)
        let segment = try #require(
            names(in: scratch / "out").filter { $0.hasSuffix(".vtt") }.lazy
                .compactMap { fileBytes(scratch / "out/\($0)") }
                .first { String(decoding: $0, as: UTF8.self).contains("00:00:06.000") })
        let map = try #require(TimestampMap(header: segment))
        let shown = 6 - Double(map.local.roundedMilliseconds) / 1000 + Double(map.mpegTS) / 90_000
        let inPackage = shown - Self.start(of: "v", in: scratch / "out/media.m3u8")
        #expect(abs(inPackage - inFile) < 0.001, "\(inPackage), \(inFile)")
    }

    @Test func aFilmThatIsCutOffIsALoss() throws {
        let scratch = TemporaryDirectory()
        let film = try #require(fileBytes(fixture("containers/movie.mkv")))
        scratch.write(Array(film.prefix(film.count * 2 / 3)), to: "film.mkv")
        scratch.write("1\n00:00:01,000 --> 00:00:02,000\nhere\n", to: "film.srt")
        let made = Command.undertext(
            "hls", "package", "--video", scratch / "film.mkv", "--subtitle",
            "en=\(scratch / "film.srt")", "-o", scratch / "out", "-q")
        #expect(made.status == 3)
        // The bytes that are missing.
        #expect(made.states("\(film.count - film.count * 2 / 3)"), "\(made.stderr)")
        #expect(names(in: scratch / "out").contains("en-0.vtt"))
    }

    @Test func foreignFilesAreNotReplaced() throws {
        let scratch = TemporaryDirectory()
        scratch.write(StreamSamples.subRip, to: "film.srt")
        #expect(makeFolder(scratch / "film"))
        // Somebody's own presentation, or what calls itself one.
        scratch.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n", to: "film/master.m3u8")
        let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:24\n#EXTINF:24,\nv0.ts\n#EXTINF:1,\nthesis.doc\n#EXT-X-ENDLIST\n"
        scratch.write(list, to: "film/v.m3u8")
        scratch.write("media", to: "film/v0.ts")
        scratch.write("thesis", to: "film/thesis.doc")
        func package(_ video: String, _ more: String...) -> ToolResult {
            Command.undertext(
                [
                    "hls", "package", "--video", scratch / video, "--subtitle",
                    "en=\(scratch / "film.srt")", "-o", scratch / "film", "--media-start", "0",
                ] + more)
        }
        let refused = package("film/master.m3u8", "--force")
        #expect(refused.status == 1)
        #expect(refused.states("master.m3u8"), "\(refused.stderr)")
        #expect(
            names(in: scratch / "film") == ["master.m3u8", "thesis.doc", "v.m3u8", "v0.ts"])
        // Generated files may be replaced, but not by their own copy.
        #expect(run("mv", [scratch / "film", scratch / "other"]).status == 0)
        #expect(package("other/v.m3u8").status == 0)
        #expect(package("other/v.m3u8", "--force").status == 0)
        let same = package("film/en.m3u8", "--force")
        #expect(same.status == 1)
        #expect(same.states(scratch / "film/en.m3u8"), "\(same.stderr)")
        #expect(names(in: scratch / "film").contains("en-0.vtt"))
    }

    /// A folder with a playlist of one segment without a time, and a subtitle file.
    private func playlistOfOne() -> TemporaryDirectory {
        let scratch = TemporaryDirectory()
        scratch.write("1\n00:00:01,000 --> 00:00:02,000\nhere\n", to: "film.srt")
        scratch.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nv0.ts\n#EXT-X-ENDLIST\n", to: "v.m3u8")
        scratch.write("media", to: "v0.ts")
        return scratch
    }

    /// A list may be a stranger's, and mean files of the user.
    @Test(arguments: [
        "thesis.doc", "../master.m3u8", "/etc/passwd", "sub/en.m3u8", "en-1.txt", "en-x.vtt",
        "holiday film-1.vtt", "media-1.ts", ".", "..", "en.x.m3u8", ".bashrc", "media-.m4s",
        "en.m3u8 ", "fr.m3u8",
    ])
    func aListOfForeignFilesIsRefused(_ name: String) throws {
        let scratch = playlistOfOne()
        let arguments = [
            "hls", "package", "--video", scratch / "v.m3u8", "--subtitle",
            "en=\(scratch / "film.srt")", "-o", scratch / "out", "--force", "-q",
        ]
        #expect(Command.undertext(arguments).status == 0)
        let list = try #require(fileText(scratch / "out/.undertext-package"))
        scratch.write("mine", to: "out/thesis.doc")
        scratch.write(list + name + "\n", to: "out/.undertext-package")
        // A name that fits, but of a link.
        #expect(run("ln", ["-s", "../film.srt", scratch / "out/fr.m3u8"]).status == 0)
        let before = names(in: scratch / "out")
        let refused = Command.undertext(arguments)
        #expect(refused.status == 1, "\(refused.stderr)")
        #expect(refused.states(".undertext-package"), "\(refused.stderr)")
        #expect(names(in: scratch / "out") == before)
        // Unchanged, it is accepted.
        scratch.write(list, to: "out/.undertext-package")
        #expect(Command.undertext(arguments).status == 0)
        #expect(fileText(scratch / "out/thesis.doc") == "mine")
    }

    /// The names that any language leads to are known the next time.
    @Test func languagesOfAllKindsAreReplaced() throws {
        let scratch = playlistOfOne()
        let languages = [
            "und", "UND", "und:forced", "und:sdh", "und:forced:sdh", "eng", "en", "pt-br:sdh",
            "zh-hans:forced", "x-sdh", "x-forced:sdh", "master", "media",
        ]
        let arguments =
            ["hls", "package", "--video", scratch / "v.m3u8", "-o", scratch / "out", "--force"]
            + languages.flatMap { ["--subtitle", "\($0)=\(scratch / "film.srt")"] }
        for _ in 0..<2 {
            let made = Command.undertext(arguments)
            #expect(made.status == 0, "\(made.stderr)")
        }
        let playlists = names(in: scratch / "out").filter { $0.hasSuffix(".m3u8") }
        #expect(
            playlists == [
                "en.2.m3u8", "en.m3u8", "master.2.m3u8", "master.m3u8", "media.2.m3u8",
                "pt-BR-sdh.m3u8", "und-forced-sdh.m3u8",
                "und-forced.m3u8", "und-sdh.m3u8", "und.2.m3u8", "und.m3u8", "x-forced-sdh.m3u8",
                "x-sdh.m3u8", "zh-Hans-forced.m3u8",
            ])
        // The list leads out of the folder.
        #expect(run("mv", [scratch / "out/.undertext-package", scratch / "list"]).status == 0)
        #expect(run("ln", ["-s", "../list", scratch / "out/.undertext-package"]).status == 0)
        let refused = Command.undertext(arguments)
        #expect(refused.status == 1)
        #expect(refused.states(".undertext-package"), "\(refused.stderr)")
        // The same list as a file is believed.
        #expect(run("rm", [scratch / "out/.undertext-package"]).status == 0)
        #expect(run("mv", [scratch / "list", scratch / "out/.undertext-package"]).status == 0)
        #expect(Command.undertext(arguments).status == 0)
    }

    @Test(.requires("ffmpeg")) func optionsWithoutEffectAreReported() throws {
        let scratch = TemporaryDirectory()
        let film = try StreamSamples.film(in: scratch)
        try StreamSamples.presentation("ts", in: scratch, [])
        scratch.write(StreamSamples.subRip, to: "film.srt")
        func package(_ video: String, _ more: String...) -> ToolResult {
            Command.undertext(
                [
                    "hls", "package", "--video", video, "--subtitle", "en=\(scratch / "film.srt")",
                    "-o", scratch / "out", "--force",
                ] + more)
        }
        for (video, option, value) in [
            (scratch / "ts/media.m3u8", "--segment-length", "4"),
            (scratch / "ts/media.m3u8", "--media-start", "1.4"), (film, "--media-start", "1.4"),
        ] {
            let told = package(video, option, value)
            #expect(told.status == 0)
            #expect(told.states("warning", option), "\(told.stderr)")
            #expect(package(video, option, value, "--strict").status == 3)
        }
        #expect(package(film, "--segment-length", "2").notes.isEmpty)
        let web = package("https://example.com/m.m3u8", "--segment-length", "4")
        #expect(web.status == 64)
        #expect(web.states("--segment-length"), "\(web.stderr)")
    }

    @Test(.requires("ffmpeg", "nginx")) func otherDocumentsAreNamed() throws {
        let scratch = TemporaryDirectory()
        let film = try StreamSamples.film(in: scratch)
        scratch.write(StreamSamples.subRip, to: "film.srt")
        scratch.write(
            "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>\n",
            to: "show.mpd")
        scratch.write("<!DOCTYPE html>\n<title>x</title>\n", to: "page.html")
        // More than any playlist may have.
        let size = try #require(fileSize(film))
        #expect(run("cp", [film, scratch / "large.mp4"]).status == 0)
        #expect(run("truncate", ["-s", "\(size + (33 << 20))", scratch / "large.mp4"]).status == 0)
        let server = try WebServer.nginx(serving: scratch.path)
        let subtitle = "en=\(scratch / "film.srt")"
        for (name, fact) in [("show.mpd", "DASH"), ("page.html", "page.html")] {
            let local = Command.undertext(
                "hls", "package", "--video", scratch / name, "--subtitle", subtitle, "-o",
                scratch / "out")
            #expect(local.status == 1)
            #expect(local.states(name, fact), "\(local.stderr)")
        }
        // The tests of ForeignUpstream check the kinds.
        for (name, fact) in [
            ("show.mpd", "DASH"), ("film.mp4", "MP4"), ("large.mp4", "MP4"), ("page.html", "HLS"),
        ] {
            let address = "\(server.address)/\(name)"
            let packaged = Command.undertext(
                "hls", "package", "--video", address, "--subtitle", subtitle, "-o",
                scratch / "out")
            let served = Command.undertext(
                "serve", "--upstream", address, "--subtitle", subtitle, "--port", "0")
            for result in [packaged, served] {
                #expect(result.status == 1)
                #expect(result.states(address, fact), "\(result.stderr)")
            }
        }
        #expect(!names(in: scratch.path).contains("out"))
    }

    @Test(.requires("mkvmerge")) func subtitlesReportLosses() throws {
        let scratch = TemporaryDirectory()
        scratch.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:24\n#EXTINF:24,\nv0.ts\n#EXT-X-ENDLIST\n",
            to: "v.m3u8")
        scratch.write("media", to: "v0.ts")
        scratch.write("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nno time\nb\n", to: "damaged.vtt")
        scratch.write(
            "1\n00:00:01,000 --> 00:00:02,000\n<font face=\"Arial\">a</font>\n", to: "font.srt")
        func package(_ subtitle: String, _ more: String...) -> ToolResult {
            Command.undertext(
                [
                    "hls", "package", "--video", scratch / "v.m3u8", "--subtitle", subtitle, "-o",
                    scratch / "out", "--media-start", "0", "--force",
                ] + more)
        }
        let damaged = package("en=\(scratch / "damaged.vtt")", "-q")
        #expect(damaged.status == 3)
        #expect(damaged.states("error", "damaged.vtt"), "\(damaged.stderr)")
        #expect(damaged.stderr.statedPosition == "6:1", "\(damaged.stderr)")
        let lossy = package("en=\(scratch / "font.srt")")
        #expect(lossy.status == 0)
        #expect(lossy.states("warning", "font.srt", "font", "1"), "\(lossy.stderr)")
        #expect(package("en=\(scratch / "font.srt")", "--strict").status == 3)
        // Of several tracks the one of the language is taken, and none by guess.
        let several = scratch / "several.mkv"
        scratch.write(StreamSamples.subRip, to: "en.srt")
        scratch.write("1\n00:00:01,000 --> 00:00:02,000\nDeutsch\n", to: "de.srt")
        let merged = run(
            "mkvmerge",
            [
                "-q", "-o", several, "--language", "0:en", scratch / "en.srt", "--language", "0:de",
                scratch / "de.srt",
            ])
        try #require(merged.status == 0, "\(merged.text)")
        #expect(package("de=\(several)").status == 0)
        #expect(fileText(scratch / "out/de-0.vtt")?.contains("Deutsch") == true)
        let none = package("fr=\(several)")
        #expect(none.status == 1)
        // The tracks that there are, and the language that none has.
        #expect(none.states("0", "1", "'fr'"), "\(none.stderr)")
    }

    @Test func inputsThatCannotBePackaged() {
        let scratch = TemporaryDirectory()
        scratch.write(StreamSamples.subRip, to: "film.srt")
        scratch.write("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n", to: "live.m3u8")
        scratch.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../../etc/passwd\n", to: "out.m3u8")
        scratch.write("nothing", to: "film.mkv")
        let subtitle = "en=\(scratch / "film.srt")"
        for (video, fact) in [
            ("live.m3u8", "undertext serve"), ("out.m3u8", "'../../etc/passwd'"),
            ("film.mkv", "EBML"), ("none.m3u8", "No such file or directory"),
        ] {
            let result = Command.undertext(
                "hls", "package", "--video", scratch / video, "--subtitle", subtitle, "-o",
                scratch / "packaged")
            #expect(result.status == 1)
            #expect(result.states(video, fact), "\(video): \(result.stderr)")
            #expect(fileText(scratch / "packaged/master.m3u8") == nil)
        }
        // Players would be given them.
        let secret = Command.undertext(
            "hls", "package", "--video", "http://user:secret@127.0.0.1:9/m.m3u8", "--subtitle",
            subtitle, "-o", scratch / "packaged")
        #expect(secret.status == 1)
        #expect(!secret.states("secret") && !secret.states("user"), "\(secret.stderr)")
        // Nobody was asked, or the connection would have failed.
        #expect(!secret.states("Couldn't connect to server"), "\(secret.stderr)")
        #expect(!secret.stderr.isEmpty)
        for arguments in [
            ["--video", "x", "-o", "y", "--no-embedded-subtitles"],
            ["--video", "http://127.0.0.1:9/x", "-o", "y"],
            ["--video", "x", "-o", "y", "--subtitle", "film.srt"],
            ["--video", "x", "-o", "y", "--subtitle", "en:a:b=film.srt"],
            ["--video", "x", "-o", "y", "--subtitle", "en=film.srt", "--segment-length", "0"],
            ["--video", "x", "-o", "y", "--subtitle", "en=film.srt", "--media-start", "soon"],
        ] {
            #expect(Command.undertext(["hls", "package"] + arguments).status == 64)
        }
    }

    @Test(.requires("ffmpeg")) func encryptedMediaNeedAStart() throws {
        let scratch = TemporaryDirectory()
        _ = try StreamSamples.film(in: scratch)
        scratch.write([UInt8](0..<16), to: "key.bin")
        scratch.write("../key.bin\n\(scratch / "key.bin")\n", to: "key.info")
        try StreamSamples.presentation(
            "aes", in: scratch, ["-hls_key_info_file", scratch / "key.info"])
        scratch.write(StreamSamples.subRip, to: "film.srt")
        func package(_ output: String, _ more: [String]) -> ToolResult {
            Command.undertext(
                [
                    "hls", "package", "--video", scratch / "aes/master.m3u8", "--subtitle",
                    "en=\(scratch / "film.srt")", "-o", scratch / output,
                ] + more)
        }
        let without = package("without", [])
        #expect(without.status == 0)
        #expect(without.states("warning", "--media-start"), "\(without.stderr)")
        #expect(fileText(scratch / "without/en-0.vtt")?.contains("X-TIMESTAMP-MAP") == false)
        #expect(package("strict", ["--strict"]).status == 3)
        let with = package("with", ["--media-start", "1.4"])
        #expect(with.status == 0 && Self.isQuiet(with))
        #expect(fileText(scratch / "with/en-0.vtt")?.contains("MPEGTS:126000") == true)
    }
}

@Suite struct ServeTests {
    @Test func aPackagedFolderIsServed() throws {
        let scratch = TemporaryDirectory()
        scratch.write("#EXTM3U\n", to: "master.m3u8")
        let server = try #require(ServeProcess(["--local", scratch.path]))
        #expect(server.address.hasSuffix("/master.m3u8"))
        let end = server.stop(2)
        #expect(end.status == 130, "\(end.stderr)")
        let other = try #require(ServeProcess(["--local", scratch.path]))
        #expect(other.stop(15).status == 143)
    }

    /// The first segment of a window depends on when the server starts.
    @Test(.requires("nginx")) func aStartOfALiveStreamNamesItsOption() throws {
        let scratch = TemporaryDirectory()
        scratch.write(StreamSamples.subRip, to: "film.srt")
        scratch.write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n", to: "m.m3u8")
        scratch.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:100\n#EXTINF:4,\na.ts\n",
            to: "v.m3u8")
        let server = try WebServer.nginx(serving: scratch.path)
        let refused = Command.undertext(
            "serve", "--upstream", "\(server.address)/m.m3u8", "--subtitle",
            "en=\(scratch / "film.srt")", "--media-start", "0", "--port", "0")
        #expect(refused.status == 1)
        #expect(refused.states("m.m3u8", "--media-start"), "\(refused.stderr)")
    }

    @Test func inputsThatCannotBeServed() {
        let scratch = TemporaryDirectory()
        scratch.write(StreamSamples.subRip, to: "film.srt")
        let subtitle = "en=\(scratch / "film.srt")"
        for arguments in [
            [], ["--upstream", "film.m3u8", "--subtitle", subtitle],
            ["--upstream", "http://127.0.0.1:9/x"],
            ["--upstream", "http://user:secret@127.0.0.1:9/x", "--subtitle", subtitle],
            ["--upstream", "http://127.0.0.1:9/x", "--local", scratch.path],
            ["--local", scratch.path, "--subtitle", subtitle],
            ["--local", scratch.path, "--cors", "example.com"],
            ["--local", scratch.path, "--cors", "https://example.com/"],
            ["--local", scratch.path, "--zero-date", "today"],
            ["--local", scratch.path, "--zero-date", "2026-03-01T20:15:00Z"],
            ["--local", scratch.path, "--media-start", "1.4"],
            ["--local", scratch.path, "--shift", "2"],
        ] {
            #expect(Command.undertext(["serve"] + arguments).status == 64, "\(arguments)")
        }
        let gone = Command.undertext(
            "serve", "--upstream", "http://127.0.0.1:9/x", "--subtitle", subtitle)
        #expect(gone.status == 1)
        #expect(!gone.stderr.isEmpty)
        #expect(Command.undertext("serve", "--local", scratch / "none").status == 1)
    }
}
