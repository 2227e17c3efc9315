import TestSupport
import Testing

/// The media file's own subtitle tracks, languages and styles in `hls package`.
@Suite struct PackageTracksTests {
    /// The lines of a master playlist that name renditions.
    private static func renditions(_ master: String) -> [String] {
        master.split(separator: "\n").map(String.init).filter { $0.hasPrefix("#EXT-X-MEDIA:") }
    }

    /// Adds tracks to the media file: German, two in English for different audiences, a forced one, images.
    private static func film(in scratch: TemporaryDirectory) throws -> String {
        let film = try StreamSamples.film(in: scratch)
        let images = try #require(
            names(in: Repository.root + "/Fixtures/bitmap/pgs").first { $0.hasSuffix(".sup") })
        scratch.write(StreamSamples.subRip, to: "film.srt")
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-i", film, "-i", scratch / "film.srt", "-i",
                Repository.root + "/Fixtures/bitmap/pgs/" + images, "-map", "0:v", "-map", "0:a",
                "-map", "1", "-map", "1", "-map", "1", "-map", "1", "-map", "2", "-c", "copy",
                "-metadata:s:s:0", "language=ger", "-metadata:s:s:1", "language=eng",
                "-metadata:s:s:2", "language=eng", "-metadata:s:s:3", "language=eng",
                "-metadata:s:s:3", "title=Director", "-metadata:s:s:4", "language=ger",
                "-disposition:s:0", "default", "-disposition:s:1", "default", "-disposition:s:2",
                "hearing_impaired", "-disposition:s:3", "0", scratch / "film.mkv",
            ])
        try #require(made.status == 0, "\(made.stderr)")
        return scratch / "film.mkv"
    }

    @Test(.requires("ffmpeg")) func tracksOfTheFileAreRenditions() throws {
        let scratch = TemporaryDirectory()
        let film = try Self.film(in: scratch)
        let made = Command.undertext(
            "hls", "package", "--video", film, "-o", scratch / "out", "--strict")
        #expect(made.status == 0, "\(made.stderr)")
        #expect(made.states("6", "de", "hdmv_pgs_subtitle"), "\(made.stderr)")
        let master = fileText(scratch / "out/master.m3u8") ?? ""
        #expect(master.contains(",FRAME-RATE=25.000,"), "\(master)")
        let expected = [
            "NAME=\"Deutsch\",LANGUAGE=\"de\",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI=\"de.m3u8\"",
            "NAME=\"English\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI=\"en.m3u8\"",
            "NAME=\"English (SDH)\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,"
                + "CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
                + "public.accessibility.describes-music-and-sound\",URI=\"en-sdh.m3u8\"",
            "NAME=\"Director\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=NO,FORCED=NO,URI=\"en.2.m3u8\"",
        ]
        let found = Self.renditions(master)
        #expect(found.count == expected.count)
        for (line, end) in zip(found, expected) { #expect(line.hasSuffix(end), "\(line)") }
        #expect(fileText(scratch / "out/de-0.vtt")?.contains("one") == true)
    }

    @Test(.requires("ffmpeg")) func tracksOfTheFileCanStayOut() throws {
        let scratch = TemporaryDirectory()
        let film = try Self.film(in: scratch)
        let made = Command.undertext(
            "hls", "package", "--video", film, "--no-embedded-subtitles", "--subtitle",
            "pt-BR=\(scratch / "film.srt")", "--subtitle", "en:Own=\(scratch / "film.srt")", "-o",
            scratch / "out")
        #expect(made.status == 0, "\(made.stderr)")
        let found = Self.renditions(fileText(scratch / "out/master.m3u8") ?? "")
        #expect(found.count == 2)
        #expect(found.first?.contains("NAME=\"Português (Brasil)\",LANGUAGE=\"pt-BR\"") == true)
        #expect(found.last?.contains("NAME=\"Own\",LANGUAGE=\"en\"") == true)
        let nothing = Command.undertext(
            "hls", "package", "--video", film, "--no-embedded-subtitles", "-o", scratch / "none")
        #expect(nothing.status == 64)
    }

    @Test(arguments: ["xx_yy", "en_US", "en-", "e", "123"])
    func invalidLanguageTagsAreRefused(_ tag: String) {
        let made = Command.undertext(
            "hls", "package", "--video", "a.m3u8", "--subtitle", "\(tag)=a.srt", "-o", "out")
        #expect(made.status == 64, "\(made.stderr)")
    }

    /// Colors come back, also those of cues that no first segment has.
    @Test(.requires("ffmpeg")) func colorsComeBack() throws {
        let scratch = TemporaryDirectory()
        _ = try StreamSamples.film(in: scratch)
        try StreamSamples.presentation("ts", in: scratch, [])
        scratch.write(
            """
            1
            00:00:01,000 --> 00:00:02,000
            plain

            2
            00:00:14,000 --> 00:00:15,000
            <font color="#ff0000">red</font> and <font color="#123456">dark</font>

            """, to: "film.srt")
        let made = Command.undertext(
            "hls", "package", "--video", scratch / "ts/master.m3u8", "--subtitle",
            "en=\(scratch / "film.srt")", "-o", scratch / "out")
        #expect(made.status == 0, "\(made.stderr)")
        // As in presentations of other producers, whose segments contain the styles that they need.
        let first = fileText(scratch / "out/en-0.vtt") ?? ""
        #expect(first.contains("::cue(.red)") && first.contains("::cue(.c123456)"))
        let blocks = first.split(separator: "\n\n").filter { !$0.hasPrefix("STYLE") }
        scratch.write(blocks.joined(separator: "\n\n") + "\n", to: "out/en-0.vtt")
        for format in ["vtt", "ass", "ttml"] {
            let read = Command.reported([
                "extract", scratch / "out/master.m3u8", "--format", format, "-o", scratch / "read",
            ])
            #expect(read.status == 0, "\(read.result.stderr)")
            #expect(!read.codes.contains("too-many-styles"), "\(read.codes)")
        }
        let vtt = fileText(scratch / "read/master.en.vtt") ?? ""
        #expect(
            vtt.contains("::cue(.red){color:") && vtt.contains("::cue(.c123456){color:"), "\(vtt)")
        let ass = fileText(scratch / "read/master.en.ass") ?? ""
        #expect(ass.contains("&H0000FF&") && ass.contains("&H563412&"), "\(ass)")
        let ttml = (fileText(scratch / "read/master.en.ttml") ?? "").lowercased()
        #expect(ttml.contains("red") && ttml.contains("#123456"), "\(ttml)")
    }
}
