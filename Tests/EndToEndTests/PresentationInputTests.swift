import TestSupport
import Testing
import UndertextCore

/// HLS and DASH presentations on a loopback server, read by the command as a user would.
@Suite struct PresentationInputTests {
    private let folder = TemporaryDirectory()

    /// Start, end and text of each cue of JSON lines, times in milliseconds.
    private struct Cue: Hashable {
        var start: Int
        var end: Int
        var text: String
    }

    private func cues(_ result: ToolResult) -> [Cue] {
        result.text.split(separator: "\n").filter { jsonValue("type", in: $0) == "cue" }.map {
            Cue(
                start: jsonMilliseconds("start", in: $0), end: jsonMilliseconds("end", in: $0),
                text: jsonValue("text", in: $0) ?? "")
        }
    }

    private func extract(_ input: String, _ more: String...) -> ToolResult {
        Command.undertext(["extract", "--format", "json", "-o", "-"] + more + [input])
    }

    private func reported(_ input: String, _ more: String...) -> ReportedRun {
        Command.reported(["extract", "--format", "json", "-o", "-"] + more + [input])
    }

    /// Copies files of the corpus into the folder.
    private func copy(_ names: [String]) throws {
        for name in names {
            let bytes = try #require(corpusPath(name).flatMap(fileBytes))
            folder.write(bytes, to: String(name.split(separator: "/").last ?? ""))
        }
    }

    @Test(.requires("nginx"), .requiresCorpus("shaka-player/hls-text-no-discontinuity"))
    func timesAreThoseOfTheMedia() throws {
        let path = try #require(corpusPath("shaka-player/hls-text-no-discontinuity"))
        let server = try WebServer.nginx(serving: path)
        let result = extract("\(server.address)/index.m3u8")
        #expect(result.status == 0, "\(result.stderr)")
        let found = cues(result)
        // The corpus' expected.json: no map, so that zero is the clock's, 1.4 s before the media.
        for (cue, expected) in zip(found, [(0, 1480), (1480, 4960), (4960, 9280)]) {
            #expect(abs(cue.start - expected.0) <= 100 && abs(cue.end - expected.1) <= 100)
        }
        #expect(found.count == 3)
        let probe = Command.undertext("probe", "--json", "\(server.address)/index.m3u8")
        #expect(probe.status == 0)
        let json = try JSON(parsing: probe.stdout)
        #expect(json["format"]?["format_name"]?.text == "hls")
        #expect(json["undertext"]?["content"]?["fileFormat"]?.text == "hls")
        let streams = json["streams"]?.elements.compactMap { $0["undertext"] } ?? []
        let texts = streams.filter { $0["kind"]?.text == "text" }
        #expect(texts.contains { $0["language"]?.text == "de" && $0["codec"]?.text == "webvtt" })
        // A player of files needs no server: everything lies in the folder of the playlist.
        #expect(cues(extract(path + "/index.m3u8")) == found)
    }

    @Test(
        .requires("nginx"), .requiresCorpus(),
        arguments: [
            (
                "androidx-media/hls/standalone-webvtt", "multivariant_playlist.m3u8",
                "english_subs.vtt"
            ),
            ("androidx-media/dash/standalone-webvtt", "sample.mpd", "sample.vtt"),
            ("androidx-media/dash/ttml-in-mp4", "sample.mpd", "sample.text.mp4"),
        ])
    func neighboringFiles(_ name: String, _ main: String, _ file: String) throws {
        let path = try #require(corpusPath(name))
        let server = try WebServer.nginx(serving: path)
        let direct = cues(extract(path + "/" + file))
        #expect(!direct.isEmpty)
        let result = extract("\(server.address)/\(main)")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(cues(result) == direct)
        // And from a server without ranges.
        #expect(cues(extract("\(server.address)/no-ranges/\(main)")) == direct)
    }

    private static let ttml: [(Int, Int)] = [
        (23_000, 24_500), (25_000, 27_000), (27_000, 30_500), (30_800, 34_000), (34_500, 36_000),
        (37_000, 38_000), (38_000, 41_000), (41_000, 42_000), (42_200, 45_000), (50_000, 53_500),
    ]

    @Test(.requires("nginx"), .requiresCorpus("shaka-player"), arguments: ["ttml", "vtt"])
    func textInFragments(_ kind: String) throws {
        let names = ["\(kind)-init.mp4", "\(kind)-segment.mp4"]
        try copy(names.map { "shaka-player/" + $0 })
        let server = try WebServer.nginx(serving: folder.path)
        folder.write(
            """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:200
            #EXT-X-MAP:URI="\(names[0])"
            #EXTINF:200,
            \(names[1])
            #EXT-X-ENDLIST

            """, to: "list.m3u8")
        folder.write(
            """
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT200S">
            <Period><AdaptationSet contentType="text" lang="en" mimeType="application/mp4">
            <Representation id="t" bandwidth="1" codecs="\(kind == "ttml" ? "stpp" : "wvtt")">
            <SegmentList duration="200"><Initialization sourceURL="\(names[0])"/>
            <SegmentURL media="\(names[1])"/></SegmentList>
            </Representation></AdaptationSet></Period></MPD>
            """, to: "show.mpd")
        for main in ["list.m3u8", "show.mpd"] {
            let result = extract("\(server.address)/\(main)")
            #expect(result.status == 0, "\(result.stderr)")
            let times = cues(result).map { [$0.start, $0.end] }
            if kind == "ttml" {
                #expect(times == Self.ttml.map { [$0.0, $0.1] })
            } else {
                #expect(times == [[111_800, 115_800], [118_000, 120_000]])
            }
        }
    }

    @Test func variantsAreShown() {
        folder.write(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=2500000,RESOLUTION=1280x720,FRAME-RATE=50,CODECS="hvc1.2.4.L123.B0",VIDEO-RANGE=PQ
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64001f"
            b.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,RESOLUTION=320x180,URI="i.m3u8"
            """, to: "master.m3u8")
        let text = Command.undertext("probe", folder / "master.m3u8").text
        #expect(text.contains("1280x720, 50 fps, hevc, 2500 kbit/s"), "\(text)")
        #expect(text.contains("VIDEO-RANGE=PQ"), "\(text)")
        #expect(text.contains("320x180, h264, 300 kbit/s"), "\(text)")
        #expect(text.contains("90 kbit/s, I-frames only"), "\(text)")
    }

    /// Somebody's page in place of the first segment costs that segment.
    @Test(arguments: ["<html>no</html>", ""]) func aBadFirstSegmentIsNotTheWholeStream(
        _ bad: String
    ) {
        folder.write(bad, to: "a.vtt")
        folder.write("WEBVTT\n\n00:11.000 --> 00:12.000\nhere\n", to: "b.vtt")
        folder.write(list(["a.vtt", "b.vtt"]), to: "list.m3u8")
        let result = extract(folder / "list.m3u8")
        #expect(result.status == 3, "\(result.stderr)")
        #expect(cues(result).map(\.text) == ["here"])
    }

    private func list(_ names: [String], tags: String = "") -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n\(tags)"
            + names.map { "#EXTINF:10,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    /// One run with every fault, since each repetition waits as long as it does for users: 3.5 s.
    @Test(.requires("python3")) func faultsCostWhatTheyHit() throws {
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nfirst\n", to: "a.vtt")
        folder.write("WEBVTT\n\n00:51.000 --> 00:52.000\nlast\n", to: "b.vtt")
        folder.write(
            Array("WEBVTT\n\n00:41.000 --> 00:42.000\nbr".utf8) + [0xFF] + Array("ken\n".utf8),
            to: "c.vtt")
        folder.write(
            list([
                "a.vtt", "../missing/a.vtt", "../busy/a.vtt", "../no-ranges-cut/a.vtt",
                "../to-loop/a.vtt", "../to-file/a.vtt", "../to-private/a.vtt", "c.vtt",
                "../to-plain/b.vtt",
            ]), to: "list.m3u8")
        let server = try WebServer.hostile(serving: folder.path)
        let run = reported("\(server.address)/plain/list.m3u8")
        #expect(run.status == 3)
        #expect(cues(run.result).map(\.text) == ["first", "br\u{FFFD}ken", "last"])
        #expect(run.count("lost-segment") == 6, "\(run.codes)")
        #expect(run.count("invalid-utf8") == 1)
    }

    @Test(.requires("python3")) func encryptedTextIsSaidPlainly() throws {
        folder.write(
            list(
                ["a.vtt"],
                tags: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple\"\n"),
            to: "list.m3u8")
        let server = try WebServer.hostile(serving: folder.path)
        let run = reported("\(server.address)/plain/list.m3u8")
        #expect(run.status == 1 && run.statuses == ["failed"])
        #expect(run.result.states("SAMPLE-AES", "com.apple"), "\(run.result.stderr)")
    }

    @Test func protectionIsShown() {
        let key =
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
        folder.write(list(["a.vtt"], tags: key), to: "key.m3u8")
        folder.write(list(["a.ts"]), to: "v.m3u8")
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "a.vtt")
        folder.write(list(["a.vtt"]), to: "clear.m3u8")
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\","
        let master =
            "#EXTM3U\n\(media)NAME=\"E\",LANGUAGE=\"en\",URI=\"key.m3u8\"\n"
            + "\(media)NAME=\"D\",LANGUAGE=\"de\",URI=\"clear.m3u8\"\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv.m3u8\n"
        folder.write(master, to: "master.m3u8")
        folder.write(
            master + "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES-CTR,URI=\"k\"\n", to: "session.m3u8")
        folder.write(
            """
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S">
            <Period><AdaptationSet contentType="video" mimeType="video/mp4">
            <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>
            <Representation id="v" bandwidth="1000" codecs="avc1.64001f"><BaseURL>v.mp4</BaseURL>
            </Representation></AdaptationSet></Period></MPD>
            """, to: "show.mpd")
        func lines(_ name: String) -> [[Substring]] {
            let text = Command.undertext("probe", folder / name).text
            return text.split(separator: "\n").map { $0.split(separator: " ") }
        }
        #expect(lines("key.m3u8").contains(["protected", "SAMPLE-AES"]))
        #expect(lines("session.m3u8").contains(["protected", "SAMPLE-AES-CTR"]))
        #expect(lines("show.mpd").contains(["protected", "cenc"]))
        // Each rendition reports itself.
        let found = lines("master.m3u8")
        #expect(!found.contains { $0.first == "protected" })
        let extracts = found.filter { $0.first == "extracts" }.map { $0.joined(separator: " ") }
        #expect(extracts.count == 2)
        #expect(extracts.first?.hasPrefix("extracts nothing: it is encrypted (SAMPLE-AES") == true)
        #expect(extracts.last?.hasPrefix("extracts de.vtt") == true, "\(extracts)")
    }

    @Test func otherFilesAreNotOpened() {
        folder.write(list(["/etc/hostname", "file:///etc/hostname", "../x.vtt"]), to: "list.m3u8")
        let local = reported(folder / "list.m3u8")
        #expect(local.status == 1 && local.statuses == ["failed"] && local.cues == 0)
        // The system did not resolve it.
        #expect(local.result.states("/etc/hostname"), "\(local.result.stderr)")
        #expect(!local.result.states("No such file or directory"))
        // A media file that is really a playlist opens nothing, and neither does a pipe.
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "a.vtt")
        folder.write(list(["a.vtt"]), to: "film.mkv")
        #expect(extract(folder / "film.mkv").status == 1)
        folder.write(list(["a.vtt"]), to: "film.m3u8")
        #expect(cues(extract(folder / "film.m3u8")).map(\.text) == ["here"])
        let pipe = Command.reported(
            ["extract", "-o", "-", "-"], stdin: Array(list(["a.vtt"]).utf8))
        #expect(pipe.status == 1 && pipe.errors == ["nested-open-refused"])
    }

    @Test func endedPresentationsAreNotFollowed() {
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "a.vtt")
        folder.write(list(["a.vtt"]), to: "list.m3u8")
        let run = reported(folder / "list.m3u8", "--live", "1:00:00")
        #expect(run.status == 0 && run.codes == ["option-ignored"])
        #expect(cues(run.result).map(\.text) == ["here"])
        #expect(run.result.states("--live"), "\(run.result.stderr)")
        let strict = reported(folder / "list.m3u8", "--live", "1:00:00", "--strict")
        #expect(strict.status == 3 && strict.codes == ["option-ignored"])
        // A file is not a presentation, regardless of its contents.
        let film = extract(folder / "film.mkv", "--live", "5:00")
        #expect(film.status == 64)
        #expect(film.states("--live"), "\(film.stderr)")
        #expect(extract("-", "--live", "5:00").status == 64)
        #expect(extract(folder / "list.m3u8", "--live", "soon").status == 64)
        #expect(extract(folder / "list.m3u8", "--live", "0").status == 64)
    }

    /// RFC 8216, section 3.5: WebVTT is UTF-8.
    @Test func charsetsOfPresentationsAreNotChosen() {
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "a.vtt")
        folder.write(list(["a.vtt"]), to: "list.m3u8")
        let run = reported(folder / "list.m3u8", "--charset", "windows-1251")
        #expect(run.status == 0 && run.codes == ["option-ignored"])
        #expect(run.result.states("--charset"), "\(run.result.stderr)")
    }

    @Test(.requires("python3")) func aLivePlaylistIsFollowedAtItsPace() throws {
        folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\nhere\n", to: "a.vtt")
        folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.vtt\n", to: "live.m3u8")
        let server = try WebServer.hostile(serving: folder.path)
        let result = extract("\(server.address)/plain/live.m3u8", "--live", "1")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(cues(result).map(\.text) == ["here"])
        // The segment once for its form and once for its cues, the playlist again and again.
        let loads = server.lines.filter { $0.contains("live.m3u8") }.count
        #expect(server.lines.filter { $0.contains("a.vtt") }.count == 2)
        #expect((3...7).contains(loads), "\(loads)")
    }

    @Test(.requires("python3")) func filesAreNamedLikeThoseOfAVideo() throws {
        folder.write(
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"E\",LANGUAGE=\"en\",FORCED=YES,"
                + "URI=\"en.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nv.m3u8\n",
            to: "show.m3u8")
        folder.write(list(["en.vtt"]), to: "en.m3u8")
        let cue =
            "WEBVTT\n\nSTYLE\n::cue{color:red}\n\nid\n00:01.000 --> 00:02.000 align:left\n<b>x</b>\n"
        folder.write(cue, to: "en.vtt")
        let server = try WebServer.hostile(serving: folder.path)
        let url = "\(server.address)/plain/show.m3u8"
        let result = Command.undertext(
            "extract", "--format", "native", "-o", folder / "out", url)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(names(in: folder / "out") == ["show.en.forced.vtt"])
        let text = fileText(folder / "out/show.en.forced.vtt") ?? ""
        #expect(text.contains("STYLE\n::cue{color:red}"))
        #expect(text.contains("00:00:01.000 --> 00:00:02.000 align:left\n<b>x</b>"))
        let io = Command.reported(["extract", "--io", "scan", "-o", "-", url])
        #expect(io.status == 1 && io.errors == ["unsupported"])
        #expect(io.result.states("--io scan"))
    }
}
