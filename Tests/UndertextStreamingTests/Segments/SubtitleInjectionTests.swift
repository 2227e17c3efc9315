import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextStreaming

@Suite struct SubtitleInjectionTests {
    private static let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001f"
        v/low.m3u8?x=1
        #EXT-X-STREAM-INF:BANDWIDTH=2
        https://cdn.example/high.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="v/i.m3u8"

        """
    private static let media = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:41
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.678+01:00
        #EXTINF:6,
        s41.m4s
        #EXT-X-DISCONTINUITY
        #EXTINF:5.5,
        s42.m4s
        #EXT-X-KEY:METHOD=AES-128,URI="key"
        #EXTINF:5.5,
        s43.m4s
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="key"
        #EXTINF:5.5,
        s44.m4s
        #EXT-X-ENDLIST

        """

    /// Answers from memory, and knows what it was asked.
    private struct Memory: Fetcher {
        var files: [String: [UInt8]]
        func fetch(
            _ request: HTTPRequest, cancellation: Cancellation
        ) throws(UndertextError) -> HTTPResponse {
            guard let body = files[request.url] else {
                return HTTPResponse(status: 404, url: request.url)
            }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    private static func cue(_ start: Int64, _ end: Int64, _ text: String) -> Cue {
        Cue(
            order: Int(start), start: .milliseconds(start), end: .milliseconds(end),
            content: .text(StyledText(text)))
    }

    private static let document = SubtitleDocument(cues: [
        cue(1000, 2000, "one"), cue(5000, 7000, "two"), cue(22_000, 23_000, "three"),
        cue(30_000, 31_000, "late"),
    ])

    @Test func masterIsRewritten() throws {
        let master = try PlaylistSamples.master(Self.master, url: "https://example.com/a/m.m3u8")
        let side = SubtitleInjection([
            InjectedSubtitle(
                Self.document, name: "Deutsch", language: LanguageTag("de"), isDefault: true),
            InjectedSubtitle(
                Self.document, name: "Deutsch", language: LanguageTag("de"), isSDH: true),
        ])
        let (text, notes) = side.master(master) { "s\($0).m3u8" }
        let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
        #expect(
            lines == [
                "#EXTM3U",
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"Deutsch\",LANGUAGE=\"de\",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI=\"s0.m3u8\"",
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"Deutsch (2)\",LANGUAGE=\"de\",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound\",URI=\"s1.m3u8\"",
                "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.64001f\",SUBTITLES=\"subs\"",
                "https://example.com/a/v/low.m3u8?x=1",
                "#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES=\"subs\"",
                "https://cdn.example/high.m3u8",
                "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"https://example.com/a/v/i.m3u8\"",
            ])
        #expect(notes.map(\.code) == ["renamed"])
    }

    @Test func playlistAndSegments() throws {
        var timeline = InjectionTimeline(try PlaylistSamples.media(Self.media))
        timeline.setClock(126_000, of: timeline.media.segments[0])
        let side = SubtitleInjection([InjectedSubtitle(Self.document, name: "x")]) { text, place in
            text.replacing("one", with: "one of \(place.sequence)")
        }
        #expect(
            String(decoding: side.playlist(beside: timeline, prefix: "p/").bytes, as: UTF8.self)
                == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:41
                #EXT-X-PROGRAM-DATE-TIME:2026-01-02T02:04:05.678Z
                #EXTINF:6.0,
                p/41.vtt
                #EXT-X-DISCONTINUITY
                #EXTINF:5.5,
                p/42.vtt
                #EXTINF:5.5,
                p/43.vtt
                #EXTINF:5.5,
                p/44.vtt
                #EXT-X-ENDLIST

                """)
        func text(_ sequence: Int64) throws -> String {
            let segment = try #require(timeline.segment(numbered: sequence))
            let file = try #require(side.segment(of: 0, beside: segment, in: timeline))
            return String(decoding: file.bytes, as: UTF8.self)
        }
        #expect(
            try text(41) == """
                WEBVTT
                X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000

                00:00:01.000 --> 00:00:02.000
                one of 41

                00:00:05.000 --> 00:00:07.000
                two

                """)
        // The part after the discontinuity has no clock, therefore no map.
        #expect(try text(42) == "WEBVTT\n\n00:00:05.000 --> 00:00:07.000\ntwo\n")
        #expect(try text(43) == "WEBVTT\n")
        #expect(try text(44).contains("three"))
        #expect(side.cuesOutside(timeline, of: 0).map(\.start) == [.seconds(30)])
        #expect(side.segment(of: 1, beside: timeline.media.segments[0], in: timeline) == nil)
    }

    @Test func readerOfThePresentation() throws {
        let base = "https://example.com/a/"
        let files = [
            base + "m.m3u8": Array(Self.master.utf8), base + "v/low.m3u8?x=1": Array("no".utf8),
            "https://cdn.example/high.m3u8": Array(Self.media.utf8),
        ]
        let reader = UpstreamReader(url: base + "m.m3u8", fetcher: Memory(files: files))
        let master = try reader.master()
        // The first variant cannot be had.
        let media = try reader.media(of: master)
        #expect(media.url == "https://cdn.example/high.m3u8")
        // An encrypted segment is not requested.
        #expect(try reader.firstPTS(of: media.segments[2], in: media) == nil)
        #expect(throws: UndertextError.self) {
            try reader.firstPTS(of: media.segments[3], in: media)
        }
        #expect(throws: UndertextError.self) { try reader.address(of: "file:///etc/x", in: base) }
        #expect(throws: UndertextError.self) {
            try reader.address(of: "http://127.0.0.1/", in: base)
        }
        #expect(throws: UndertextError.self) {
            try UpstreamReader(url: base + "none", fetcher: Memory(files: files)).master()
        }
    }

    /// A reader that does not wait, of a client that is asked by `script`.
    private static func reader(_ script: @escaping ScriptedFetcher.Script) -> UpstreamReader {
        var options = UpstreamReader.options
        options.clock = NotedClock().clock
        return UpstreamReader(
            url: "https://example.com/m.m3u8", fetcher: ScriptedFetcher(script), options: options)
    }

    private static func segment(pts: Int64) -> [UInt8] {
        FirstTimeTests.packets([(256, 0xE0, pts)])
    }

    @Test func transientFailuresAreRetried() throws {
        let reader = Self.reader { request, count in
            guard count > 0 else { return .success(HTTPResponse(status: 503)) }
            let isMaster = request.url.hasSuffix("/m.m3u8")
            let text = isMaster ? "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n" : Self.media
            return .success(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
        }
        #expect(try reader.media(of: reader.master()).segments.count == 4)
    }

    @Test(arguments: ["/m.m3u8", "/v.m3u8"])
    func listsOfFilesAreNoPlaylists(place: String) throws {
        let reader = Self.reader { request, _ in
            let text =
                request.url.hasSuffix(place)
                ? "#EXTM3U\n#EXTINF:3,song\nsong.mp3\n"
                : "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
            return .success(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
        }
        let error = #expect(throws: UndertextError.self) { try reader.media(of: reader.master()) }
        #expect(error?.code == .notMedia)
        #expect(error?.path == "https://example.com" + place)
    }

    @Test func theNextSegmentStatesTheTime() throws {
        let reader = Self.reader { request, _ in
            guard request.url.hasSuffix("/2.ts") else { return .success(HTTPResponse(status: 404)) }
            return .success(
                HTTPResponse(status: 200, body: Self.segment(pts: 900_000), url: request.url))
        }
        let media = try PlaylistSamples.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            0.ts
            #EXT-X-GAP
            #EXTINF:2,
            1.ts
            #EXTINF:6,
            2.ts
            #EXT-X-DISCONTINUITY
            #EXTINF:6,
            3.ts
            """, url: "https://example.com/v.m3u8")
        #expect(try reader.firstPTS(of: media.segments[0], in: media) == 900_000 - 8 * 90_000)
        #expect(throws: UndertextError.self) {
            try reader.firstPTS(of: media.segments[3], in: media)
        }
        var timeline = InjectionTimeline(media)
        let notes = try reader.readClocks(of: &timeline)
        #expect(notes.map(\.code) == ["segment-not-read", "no-media-start"])
        #expect(timeline.clock(of: media.segments[0])?.firstPTS == 180_000)
    }

    @Test func theMediaClockIsUsed() throws {
        let reader = Self.reader { request, _ in
            .success(
                HTTPResponse(status: 200, body: Self.segment(pts: 900_000), url: request.url))
        }
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na\n", url: "https://example.com/v.m3u8")
        var timeline = InjectionTimeline(media)
        let notes = try reader.readClocks(of: &timeline, mediaStart: 126_000)
        #expect(notes.map(\.code) == ["option-ignored"])
        #expect(timeline.clock(of: media.segments[0])?.firstPTS == 900_000)
    }

    /// Media that begin before or after the zero of the subtitles.
    @Test(arguments: [(-23, 900_000 + 23 * 90), (0, 900_000), (5000, 900_000)] as [(Int64, Int64)])
    func positionOfTheFirstSegment(_ start: Int64, _ mpegTS: Int64) throws {
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na\n#EXTINF:4,\nb\n#EXT-X-ENDLIST\n",
            url: "https://example.com/v.m3u8")
        var timeline = InjectionTimeline(media, start: .milliseconds(start))
        timeline.setClock(900_000, of: timeline.media.segments[0])
        #expect(
            timeline.media.segments.map(\.start) == [
                .milliseconds(start), .milliseconds(start + 4000),
            ])
        let map = timeline.clock(of: timeline.media.segments[1])?.map
        #expect(map == TimestampMap(local: .milliseconds(max(0, start)), mpegTS: mpegTS))
    }

    @Test(
        arguments: [
            (Array("<MPD xmlns='urn:mpeg:dash:schema:mpd:2011'>".utf8), ForeignUpstream.manifest),
            ([0, 0, 0, 24] + Array("ftypisom".utf8), .media("MP4")),
            ([0x1A, 0x45, 0xDF, 0xA3], .media("Matroska or WebM")),
            (FirstTimeTests.packets([(256, 0xE0, 0), (256, 0xE0, 0)]), .media("MPEG-TS")),
            (Array("\n<!DOCTYPE HTML>".utf8), .page), (Array("<html lang=en>".utf8), .page),
            (Array("WEBVTT".utf8), nil), ([], nil), ([0x47], nil),
        ] as [([UInt8], ForeignUpstream?)])
    func documentsThatAreNotPlaylists(_ bytes: [UInt8], _ kind: ForeignUpstream?) {
        #expect(ForeignUpstream(bytes) == kind)
        #expect(ForeignUpstream(Array("#EXTM3U\n".utf8) + bytes) == nil)
        let reader = Self.reader { request, _ in
            .success(HTTPResponse(status: 200, body: bytes, url: request.url))
        }
        let error = #expect(throws: UndertextError.self) { try reader.master() }
        #expect(error?.path == "https://example.com/m.m3u8")
        if let kind { #expect(error == kind.refusal(path: "https://example.com/m.m3u8")) }
    }

    @Test func initializationSectionsAreFetchedOnce() throws {
        let client = ScriptedFetcher { request, _ in
            .success(HTTPResponse(status: request.url.hasSuffix("i.mp4") ? 200 : 404))
        }
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"i.mp4\"\n"
                + (0..<50).map { "#EXT-X-DISCONTINUITY\n#EXTINF:4,\n\($0)\n" }.joined(),
            url: "https://example.com/v.m3u8")
        var timeline = InjectionTimeline(media)
        let reader = UpstreamReader(url: "https://example.com/v.m3u8", fetcher: client)
        let notes = try reader.readClocks(of: &timeline)
        #expect(notes.count { $0.code == "segment-not-read" } == 50)
        #expect(client.requests.count == 51)
    }

    @Test(arguments: ["#EXTINF:4,\na\n", "#EXT-X-GAP\n#EXTINF:4,\na\n"])
    func theStatedClockAppliesToTheBeginning(_ first: String) throws {
        let reader = Self.reader { _, _ in .success(HTTPResponse(status: 404)) }
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
                + "#EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:15:08Z\n\(first)#EXTINF:4,\nb\n"
                + "#EXT-X-DISCONTINUITY\n#EXTINF:4,\nc\n", url: "https://example.com/v.m3u8")
        let date = try #require(ISO8601.date("2026-03-01T20:15:00Z"))
        var timeline = InjectionTimeline(media, zeroDate: date)
        let notes = try reader.readClocks(of: &timeline, mediaStart: 126_000)
        #expect(notes.map(\.code) == ["no-media-start"])
        let clocks = timeline.media.segments.map { timeline.clock(of: $0) }
        let clock = MediaClock(start: .seconds(8), firstPTS: 126_000)
        #expect(clocks == [clock, clock, nil])
    }

    /// A stated start is no remedy where it is refused, or was given.
    @Test func remediesWithoutAClock() throws {
        let ended = try missingClock("#EXT-X-ENDLIST\n", nil)
        #expect(try missingClock("#EXT-X-PLAYLIST-TYPE:EVENT\n", nil) == ended)
        let live = try missingClock("", nil)
        let given = try missingClock("#EXT-X-ENDLIST\n", 126_000)
        #expect(Set([ended, live, given]).count == 3)
    }

    private func missingClock(_ tag: String, _ start: Int64?) throws -> String? {
        let reader = Self.reader { _, _ in .success(HTTPResponse(status: 404)) }
        let media = try PlaylistSamples.media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
                + "#EXTINF:4,\na\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\nb\n\(tag)",
            url: "https://example.com/v.m3u8")
        var timeline = InjectionTimeline(media)
        let notes = try reader.readClocks(of: &timeline, mediaStart: start)
        #expect(notes.map(\.code) == ["no-media-start"])
        return notes.first?.message
    }

    @Test func discontinuitiesOfTheMediaAreThoseOfTheSubtitles() throws {
        func written(_ text: String) throws -> [Substring] {
            let media = try PlaylistSamples.media("#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + text)
            let text = SubtitlePlaylist(beside: media).text
            return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
        }
        // The same number of discontinuities, because players count them.
        let breaks = try written(
            "#EXTINF:4,\na\n#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\nb\n")
        #expect(breaks.filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 2)
        #expect(!breaks.contains("#EXT-X-ENDLIST"))
        // A segment that cannot be read keeps its place.
        let gap = try written(
            "#EXTINF:4,\na\n#EXT-X-BYTERANGE:5\n#EXTINF:3,\nb\n#EXTINF:4,\nc\n#EXT-X-ENDLIST\n")
        #expect(
            gap.suffix(7) == [
                "#EXTINF:4.0,", "0.vtt", "#EXTINF:3.0,", "1.vtt", "#EXTINF:4.0,", "2.vtt",
                "#EXT-X-ENDLIST",
            ])
        // A type that the media do not have is not invented.
        #expect(!gap.contains { $0.hasPrefix("#EXT-X-PLAYLIST-TYPE") })
        // The type alone states that it is complete.
        let complete = try written("#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:4,\na\n")
        #expect(complete.contains("#EXT-X-PLAYLIST-TYPE:VOD"))
        #expect(complete.last == "#EXT-X-ENDLIST")
        let growing = try written("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:4,\na\n")
        #expect(growing.contains("#EXT-X-PLAYLIST-TYPE:EVENT"))
        #expect(growing.last == "0.vtt")
    }

    @Test func mediaPlaylistsGetAMaster() throws {
        let base = "https://example.com/"
        let files = [
            base + "m.m3u8": Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n".utf8),
            base + "a.ts": [UInt8](repeating: 0x47, count: 50_000),
        ]
        let reader = UpstreamReader(url: base + "m.m3u8", fetcher: Memory(files: files))
        let master = try reader.master()
        #expect(master.variants.map(\.uri) == ["./m.m3u8"])
        #expect(master.variants.first?.bandwidth == 100_000)
        #expect(try reader.media(of: master).segments.count == 1)
    }

    @Test func filesStayAmongFiles() throws {
        let reader = UpstreamReader(url: "file:///a/m.m3u8", fetcher: Memory(files: [:]))
        #expect(
            try reader.address(of: "v/x y.ts", in: "file:///a/m.m3u8") == "file:///a/v/x%20y.ts")
        for reference in ["http://example.com/x", "//host/x", "ftp://x/y", "file://host/x"] {
            #expect(throws: UndertextError.self) {
                try reader.address(of: reference, in: "file:///a/m.m3u8")
            }
        }
    }

    /// Packaging and joining keeps the cues, across windows of a live playlist.
    @Test func liveWindowsGiveAllCues() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            var cues: [Cue] = []
            for order in 0..<25 {
                let start = Int64.random(in: 0..<110_000, using: &generator)
                let end = min(120_000, start + .random(in: 100..<15_000, using: &generator))
                var cue = Self.cue(start, end, "\(order)")
                cue.order = order
                cues.append(cue)
            }
            let side = SubtitleInjection([InjectedSubtitle(SubtitleDocument(cues: cues), name: "x")]
            )
            let first = Int.random(in: 0..<1000, using: &generator)
            let pts = Int64.random(in: 0..<1 << 33, using: &generator)
            var timeline: InjectionTimeline?
            var joiner = WebVTTJoiner()
            var next = Int64(first)
            var found: [[String]] = []
            var window = first
            while next < first + 20 {
                let numbers = window..<min(window + 4, first + 20)
                let text =
                    "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(window)\n"
                    + numbers.map { "#EXTINF:6,\n\($0).ts\n" }.joined()
                let media = try PlaylistSamples.media(text)
                if timeline == nil {
                    timeline = InjectionTimeline(media)
                } else {
                    timeline?.update(media)
                }
                var now = try #require(timeline)
                for segment in now.segmentsWithoutClock { now.setClock(pts, of: segment) }
                timeline = now
                for segment in now.media.segments where segment.sequence >= next {
                    let file = try #require(side.segment(of: 0, beside: segment, in: now))
                    let packets = joiner.packets(
                        of: WebVTTJoiner.Segment(
                            file.bytes, start: segment.start,
                            clock: MediaClock(start: .zero, firstPTS: pts)))
                    for packet in packets {
                        found.append([
                            "\(packet.start?.roundedMilliseconds ?? -1)",
                            "\(packet.end?.roundedMilliseconds ?? -1)",
                            String(decoding: packet.data, as: UTF8.self),
                        ])
                    }
                    next = segment.sequence + 1
                }
                window += Int.random(in: 1...3, using: &generator)
            }
            let expected = cues.map { cue in
                [
                    "\(cue.start.roundedMilliseconds)", "\(cue.end.roundedMilliseconds)",
                    cue.plainText ?? "",
                ]
            }
            #expect(
                Set(found.map { $0.joined(separator: "|") })
                    == Set(expected.map { $0.joined(separator: "|") }))
            #expect(found.count == expected.count)
        }
    }
}
