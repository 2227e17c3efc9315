import TestSupport
import Testing
import UndertextCore
import UndertextFormats
import UndertextIO

@testable import UndertextStreaming

/// Presentations by their playlists: what is in them, and the packets of their subtitles.
@Suite struct PresentationTests {
    private static let base = "https://example.org/show/"

    /// A cue as a line: start, end, text, in milliseconds.
    private static func line(_ packet: Packet) -> String {
        "\(packet.start?.roundedMilliseconds ?? -1)-\(packet.end?.roundedMilliseconds ?? -1) "
            + String(decoding: packet.data, as: UTF8.self)
    }

    private static func transportSegment(pts: Int64) -> [UInt8] {
        FirstTimeTests.packets([(256, 0xE0, pts)])
    }

    private func open(
        _ files: [String: String], _ main: String = "master.m3u8", media: [String: [UInt8]] = [:]
    ) throws -> (presentation: Presentation, client: ScriptedFetcher) {
        var all = media.reduce(into: [:]) { $0[Self.base + $1.key] = $1.value }
        for (name, text) in files { all[Self.base + name] = Array(text.utf8) }
        let client = ScriptedFetcher(files: all)
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        let fetcher = StreamFetcher(client, named: Self.base + main, options: options)
        return (try Presentation(fetcher), client)
    }

    private func packets(
        _ presentation: Presentation, _ streams: Set<Int>, window: TimeWindow = .all
    ) throws -> (lines: [String], diagnostics: [Diagnostic]) {
        let reader = presentation.reader(for: streams, window: window)
        var lines: [String] = []
        while let packet = try reader.nextPacket() { lines.append(Self.line(packet)) }
        return (lines, reader.takeDiagnostics())
    }

    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",URI="de/list.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Forced",LANGUAGE="en",FORCED=YES,URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",LANGUAGE="en",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.64001f",RESOLUTION=640x360,SUBTITLES="s"
        video.m3u8
        """

    private static let video = """
        #EXTM3U
        #EXT-X-TARGETDURATION:10
        #EXTINF:10,
        0.ts
        #EXTINF:10,
        1.ts
        #EXT-X-ENDLIST
        """

    private static func list(_ names: [String], tags: String = "") -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n\(tags)"
            + names.map { "#EXTINF:10,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    private func usual() throws -> (presentation: Presentation, client: ScriptedFetcher) {
        try open(
            [
                "master.m3u8": Self.master, "video.m3u8": Self.video,
                "de/list.m3u8": Self.list(["a.vtt", "b.vtt"]), "en.m3u8": Self.list(["en.vtt"]),
                "de/a.vtt":
                    "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:126000\n\n00:01.000 --> 00:02.000\neins\n\n00:09.000 --> 00:11.000\nzwei <00:10.000>halb\n",
                "de/b.vtt":
                    "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:126000\n\n00:09.000 --> 00:11.000\nzwei <00:10.000>halb\n\n00:12.000 --> 00:13.000\ndrei\n",
                "en.vtt": "WEBVTT\n\n00:02.400 --> 00:03.400\nsign\n",
            ], media: ["0.ts": Self.transportSegment(pts: 126_000)])
    }

    @Test func streamsAreDescribed() throws {
        let (presentation, client) = try usual()
        let streams = presentation.description.streams
        #expect(presentation.description.formatName == "hls")
        #expect(presentation.description.duration == 20_000_000)
        #expect(streams.map(\.kind) == [.video, .text, .text, .text])
        #expect(streams.map(\.index) == [0, 1, 2, 3])
        #expect(streams[1].codec == .webVTT)
        #expect(streams[1].language == LanguageTag("de"))
        #expect(streams[1].title == "Deutsch")
        #expect(streams[2].isForced)
        #expect(streams[3].codec == .cea608)
        #expect(!presentation.isLive)
        // No media.
        #expect(!client.requests.contains { $0.url.hasSuffix(".ts") })
    }

    @Test func segmentsBecomeOneTrack() throws {
        let (presentation, client) = try usual()
        let (lines, diagnostics) = try packets(presentation, [1])
        #expect(
            lines == [
                "1000-2000 eins", "9000-11000 zwei <00:10.000>halb", "12000-13000 drei",
            ])
        #expect(diagnostics.isEmpty)
        // Of the media only the beginning of the first segment.
        let media = client.requests.filter { $0.url.hasSuffix(".ts") }
        #expect(media.map(\.url) == [Self.base + "0.ts"])
        #expect(media.first?.range?.offset == 0)
        // Without a map zero is the clock's zero: 1.4 s before the media.
        #expect(try packets(presentation, [2]).lines == ["1000-2000 sign"])
        // Both, by the beginning of their segments.
        #expect(try packets(presentation, [1, 2]).lines.count == 4)
    }

    @Test func onlyWhatIsWantedIsOpened() throws {
        let files = [
            "master.m3u8": Self.master, "video.m3u8": Self.video, "en.m3u8": Self.list(["en.vtt"]),
            "de/list.m3u8": Self.list(["a.vtt"]), "en.vtt": Self.cue, "de/a.vtt": Self.cue,
        ].reduce(into: [:]) { $0[Self.base + $1.key] = Array($1.value.utf8) }
        let client = ScriptedFetcher(files: files)
        let fetcher = StreamFetcher(client, named: Self.base + "master.m3u8")
        let presentation = try Presentation(
            fetcher, opening: { $0.language == LanguageTag("de") })
        func names() -> Set<String> {
            Set(client.requests.map { String($0.url.dropFirst(Self.base.count)) })
        }
        #expect(names() == ["master.m3u8", "video.m3u8", "de/list.m3u8", "de/a.vtt"])
        #expect(presentation.description.streams.map(\.kind) == [.video, .text, .text, .text])
        // A stream that is read although it was not wanted is opened then.
        #expect(presentation.refusal(ofStream: 2) == nil)
        #expect(names().contains("en.vtt"))
        #expect(try packets(presentation, [2]).lines == ["2400-3400 sign"])
    }

    private static let cue = "WEBVTT\n\n00:02.400 --> 00:03.400\nsign\n"

    /// The times of another variant or segment are equivalent.
    @Test func timesComeFromWhatCanBeHad() throws {
        let master = Self.master + "\n#EXT-X-STREAM-INF:BANDWIDTH=2000\nother.m3u8\n"
        let (presentation, _) = try open(
            [
                "master.m3u8": master, "other.m3u8": Self.video, "en.m3u8": Self.list(["en.vtt"]),
                "de/list.m3u8": Self.list(["a.vtt"]), "en.vtt": Self.cue, "de/a.vtt": Self.cue,
            ], media: ["1.ts": Self.transportSegment(pts: 126_000 + 900_000)])
        let (lines, diagnostics) = try packets(presentation, [2])
        #expect(lines == ["1000-2000 sign"])
        #expect(diagnostics.isEmpty)
        #expect(!presentation.diagnostics.contains { $0.code == "no-media-time" })
    }

    @Test func onlySegmentsOfTheWindowAreFetched() throws {
        let names = (0..<50).map { "\($0).vtt" }
        var files = ["list.m3u8": Self.list(names)]
        for (number, name) in names.enumerated() {
            let start = number * 10
            files[name] = String(
                decoding: Array("WEBVTT\n\n".utf8) + Self.clock(start + 1) + Array(" --> ".utf8)
                    + Self.clock(start + 2) + Array("\n\(number)\n".utf8), as: UTF8.self)
        }
        let (presentation, client) = try open(files, "list.m3u8")
        let window = TimeWindow(from: .seconds(300), until: .seconds(320))
        let lines = try packets(presentation, [0], window: window).lines
        #expect(lines.contains("301000-302000 30"))
        let fetched = Set(client.requests.map(\.url)).filter { $0.hasSuffix(".vtt") }
        // The first for the description, those of a minute before, and the two.
        #expect(fetched.count <= 1 + 7 + 2)
        #expect(!fetched.contains(Self.base + "32.vtt"))
    }

    private static func clock(_ seconds: Int) -> [UInt8] {
        let text = { (value: Int) in String(String(value + 100).dropFirst()) }
        return Array("00:\(text(seconds / 60)):\(text(seconds % 60)).000".utf8)
    }

    @Test func lossesAreReportedAndTheRestIsKept() throws {
        let (presentation, _) = try open(
            [
                "list.m3u8": Self.list([
                    "a.vtt", "gone.vtt", "../../x.vtt", "http://other/c.vtt", "bad.vtt", "b.vtt",
                ]),
                "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\na\n",
                "bad.vtt": "<html>nothing</html>",
                "b.vtt": "WEBVTT\n\n00:51.000 --> 00:52.000\nb\n",
            ], "list.m3u8")
        let (lines, diagnostics) = try packets(presentation, [0])
        #expect(lines == ["1000-2000 a", "51000-52000 b"])
        #expect(
            diagnostics.map(\.code).sorted()
                == ["lost-segment", "lost-segment", "lost-segment", "no-subtitles"])
        #expect(diagnostics.allSatisfy { $0.severity == .error && $0.streamIndex == 0 })
    }

    @Test func encryptedTextIsRefused() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"
        let (presentation, client) = try open(
            ["list.m3u8": Self.list(["a.vtt"], tags: key)], "list.m3u8")
        let refusal = presentation.refusal(ofStream: 0)
        #expect(refusal?.code == .encrypted)
        #expect(refusal?.message.states("AES-128") == true)
        #expect(client.requests.count == 1)
        let (lines, diagnostics) = try packets(presentation, [0])
        #expect(lines.isEmpty)
        #expect(diagnostics.map(\.code) == ["encrypted"])
    }

    @Test func aMissingPlaylistCostsItsStream() throws {
        let (presentation, _) = try open(
            [
                "master.m3u8": Self.master, "video.m3u8": Self.video,
                "en.m3u8": Self.list(["e.vtt"]),
                "e.vtt": "WEBVTT\n",
            ])
        #expect(presentation.refusal(ofStream: 1)?.code == .notFound)
        #expect(presentation.refusal(ofStream: 2) == nil)
    }

    @Test func mediaAloneHaveNoSubtitles() throws {
        let (presentation, _) = try open(
            ["video.m3u8": Self.video], "video.m3u8",
            media: ["0.ts": Self.transportSegment(pts: 1)])
        #expect(presentation.description.streams.map(\.kind) == [.video])
    }

    @Test func aServerThatIsGoneEndsTheReading() throws {
        let names = (0..<1000).map { "\($0).vtt" }
        let list = Array(Self.list(names).utf8)
        let clock = NotedClock()
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("m3u8") {
                return .success(HTTPResponse(status: 200, body: list, url: request.url))
            }
            let number = request.url.dropLast(4).split(separator: "/").last.flatMap { Int($0) }
            guard number ?? 0 < 3 else {
                // Failing takes a while: the clock advances even without waiting requests.
                clock.clock.sleep(.milliseconds(500), Cancellation())
                return .failure(UndertextError(.io, "gone"))
            }
            return .success(HTTPResponse(status: 200, body: Array("WEBVTT\n".utf8)))
        }
        var options = StreamFetchOptions()
        options.clock = clock.clock
        let presentation = try Presentation(
            StreamFetcher(client, named: Self.base + "l.m3u8", options: options))
        let (_, diagnostics) = try packets(presentation, [0])
        #expect(diagnostics.contains { $0.code == "server-gone" })
        #expect(diagnostics.filter { $0.code == "lost-segment" }.count < 80)
        #expect(client.requests.count < 200)
    }

    @Test func manySegmentsTakeBoundedMemory() throws {
        let count = 5000
        let list = Array(Self.list((0..<count).map { "\($0).vtt" }).utf8)
        let client = ScriptedFetcher { request, _ in
            let body = request.url.hasSuffix("m3u8") ? list : Array("WEBVTT\n".utf8)
            return .success(HTTPResponse(status: 200, body: body, url: request.url))
        }
        let presentation = try Presentation(StreamFetcher(client, named: Self.base + "l.m3u8"))
        let (lines, diagnostics) = try packets(presentation, [0])
        #expect(lines.isEmpty && diagnostics.isEmpty)
        #expect(client.requests.count == count + 2)
    }

    @Test func aWordThatIsNoPresentation() {
        #expect(!Presentation.isPresentation(Array("WEBVTT\n".utf8)))
        #expect(!Presentation.isPresentation(Array("<tt><MPD/></tt>".utf8)))
        #expect(Presentation.isPresentation(Array("#EXTM3U\n".utf8)))
        #expect(
            Presentation.isPresentation(
                Array("\u{FEFF}<?xml version='1.0'?>\n<!-- <x> --><a:MPD xmlns:a='b'>".utf8)))
        #expect(throws: UndertextError.self) { try open(["master.m3u8": "hello"]) }
    }

    @Test func aStretchThatTheMediaDoNotHaveIsReported() throws {
        let (presentation, _) = try open([
            "master.m3u8": Self.master,
            "video.m3u8": Self.list(["0.ts"], tags: "#EXT-X-DISCONTINUITY-SEQUENCE:5\n"),
            "de/list.m3u8": Self.list(["a.vtt"]),
            "de/a.vtt":
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:900000\n\n00:01.000 --> 00:02.000\na\n",
        ])
        let stream = try #require(
            presentation.description.streams.first { $0.language == LanguageTag("de") })
        let (lines, diagnostics) = try packets(presentation, [stream.index])
        #expect(lines.count == 1)
        #expect(diagnostics.map(\.code).contains("no-media-time"))
    }

    @Test func renditionsThatAreNotOpenedAreALoss() throws {
        let renditions = (0..<501).map {
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"\($0)\",URI=\"\($0).m3u8\"\n"
        }.joined()
        let master =
            "#EXTM3U\n\(renditions)#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nvideo.m3u8\n"
        let (presentation, _) = try open(["master.m3u8": master, "video.m3u8": Self.video])
        let note = presentation.diagnostics.first { $0.code == "too-many-streams" }
        #expect(note?.severity == .error)
    }

    /// Styles of a later segment are returned with its first cue, each once.
    @Test func stylesOfAllSegmentsAreRead() throws {
        @Sendable func segment(_ number: Int, _ style: String) -> [UInt8] {
            let text = SamplePresentation.segment(number)
            return Array(text.replacing("WEBVTT\n", with: "WEBVTT\n\n" + style).utf8)
        }
        let red = "STYLE\n::cue(.red){color:red}\n"
        let blue = "STYLE\n::cue(.blue){color:blue}\n"
        let styles = ["", red, red, red + "\n" + blue, blue, ""]
        let client = ScriptedFetcher { request, _ in
            if request.url.hasSuffix("m3u8") {
                return SamplePresentation.answer(SamplePresentation.list(styles.count), to: request)
            }
            let number = SamplePresentation.number(of: request) ?? 0
            return .success(
                HTTPResponse(status: 200, body: segment(number, styles[number]), url: request.url))
        }
        let presentation = try Presentation(SamplePresentation.fetcher(client, "list.m3u8"))
        let reader = presentation.reader(for: [0])
        var decoder = WebVTTDecoder(stream: presentation.description.streams[0])
        var sheets: [Int] = []
        while let packet = try reader.nextPacket() {
            _ = decoder.decode(packet)
            sheets.append(decoder.header.styleSheets.count)
        }
        #expect(sheets == [0, 1, 1, 2, 2, 2])
        #expect(
            decoder.header.styleSheets == ["::cue(.red){color:red}", "::cue(.blue){color:blue}"])
        #expect(reader.takeDiagnostics().isEmpty)
    }
}
