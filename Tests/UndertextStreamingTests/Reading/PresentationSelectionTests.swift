import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// The playlists that a presentation opens for another selection, and those that it keeps.
@Suite struct PresentationSelectionTests {
    private static let base = SamplePresentation.base

    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="mono",NAME="English",LANGUAGE="en",URI="mono.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="wide",NAME="English",LANGUAGE="en",URI="wide.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="English",LANGUAGE="en",URI="a.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="b",NAME="English",LANGUAGE="en",URI="b.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=5000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="wide",SUBTITLES="b"
        high.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="mono",SUBTITLES="a"
        low.m3u8
        """

    /// A live playlist of segments from number `first` on.
    private static func live(_ first: Int, _ count: Int, _ end: String) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            + (first..<first + count).map { "#EXTINF:10,\n\($0).\(end)\n" }.joined()
    }

    /// The group of the first variant is in use although it is not the first group of the playlist.
    @Test func groupsAreThoseOfTheVariant() throws {
        let master = try MasterPlaylist(PlaylistText(Array(Self.master.utf8)))
        var content = ContentInfo(hls: master)
        func tracks() -> [Int?] { content.streams.map(\.currentTrackID) }
        #expect(content.streams.map(\.type) == [.video, .audio, .text])
        #expect(tracks() == [0, 1, 3])
        try content.setTargetBandwidth(2000)
        master.settle(&content)
        #expect(tracks() == [1, 0, 2])
        #expect(master.choice(for: content).uris == ["low.m3u8", "mono.m3u8"])
    }

    /// A playlist that is opened later than the others is placed on their timeline, and a reader that is
    /// open is not disturbed.
    @Test func liveSelectionsStayOnTheTimeline() throws {
        let client = ScriptedFetcher { request, count in
            let name = request.url.split(separator: "/").last.map(String.init) ?? ""
            switch name {
            case "master.m3u8": return SamplePresentation.answer(Self.master, to: request)
            case "high.m3u8":
                return SamplePresentation.answer(Self.live(5 + count, 3, "ts"), to: request)
            case "low.m3u8":
                return SamplePresentation.answer(Self.live(7, 3, "ts"), to: request)
            case "b.m3u8": return SamplePresentation.answer(Self.live(5, 3, "vtt"), to: request)
            case "a.m3u8": return SamplePresentation.answer(Self.live(7, 3, "vtt"), to: request)
            default:
                return SamplePresentation.answer("WEBVTT\n", to: request)
            }
        }
        let presentation = try Presentation(SamplePresentation.fetcher(client))
        let names = { client.requests.map { $0.url.split(separator: "/").last.map(String.init) } }
        #expect(
            names().compactMap(\.self).sorted() == ["5.vtt", "b.m3u8", "high.m3u8", "master.m3u8"])
        let plan = try #require(Self.plan(presentation))
        #expect(plan.pieces(of: 2).map(\.start) == [.zero, .seconds(10), .seconds(20)])
        var content = presentation.content
        try content.setTargetBandwidth(2000)
        try content.select(text: .language("en"))
        try presentation.select(content)
        let later = try #require(Self.plan(presentation))
        // Segment 7 begins where it began before.
        #expect(later.pieces(of: 2).map(\.start) == [.seconds(20), .seconds(30), .seconds(40)])
        #expect(plan.pieces(of: 2).map(\.start) == [.zero, .seconds(10), .seconds(20)])
        #expect(presentation.content.currentTextStream?.currentTrackID == 2)
        let count = client.requests.count
        try presentation.select(content)
        #expect(client.requests.count == count, "it is open")
    }

    @Test func aVariantThatCannotBeOpenedChangesNothing() throws {
        let files = [
            "master.m3u8": Self.master, "high.m3u8": SamplePresentation.list(2, "ts"),
            "a.m3u8": SamplePresentation.list(2), "b.m3u8": SamplePresentation.list(2),
        ]
        var all = files.reduce(into: [:]) { $0[Self.base + $1.key] = Array($1.value.utf8) }
        for number in 0..<2 {
            all[Self.base + "\(number).vtt"] = Array(SamplePresentation.segment(number).utf8)
        }
        let client = ScriptedFetcher(files: all)
        let presentation = try Presentation(SamplePresentation.fetcher(client))
        let before = presentation.content
        var content = before
        try content.setTargetBandwidth(2000)
        let error = #expect(throws: UndertextError.self) { try presentation.select(content) }
        #expect(error?.code == .notFound)
        #expect(presentation.content == before)
        // Optional playlists are left to readers, which read the group of the selection anyway.
        try presentation.select(content, isRequired: false)
        #expect(presentation.content.streams[2].currentTrackID == 2)
        _ = try SamplePresentation.texts(presentation.reader(for: [2]))
        #expect(client.requests.contains { $0.url == Self.base + "a.m3u8" })
    }

    private static func plan(_ presentation: Presentation) -> (any PresentationPlan)? {
        Mirror(reflecting: presentation).descendant("plan") as? any PresentationPlan
    }
}
