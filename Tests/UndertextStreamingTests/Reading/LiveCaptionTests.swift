import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Captions of live presentations: one packet for each video frame of the segments, while the presentation is
/// followed.
@Suite struct LiveCaptionTests {
    private static let base = "https://example.org/live/"
    /// Pictures of a segment, at 30000/1001 a second.
    private static let pictures = 31

    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="English",LANGUAGE="en",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d001e",CLOSED-CAPTIONS="cc"
        media.m3u8
        """

    /// A window of segments of the fixture, whose clock begins again with number 3.
    private static func window(_ range: Range<Int>, _ kind: String, ended: Bool = false) -> String {
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:2"]
        lines += ["#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)"]
        if kind == "m4s" { lines.append("#EXT-X-MAP:URI=\"init.mp4\"") }
        for number in range {
            if number == 3, kind == "ts" { lines.append("#EXT-X-DISCONTINUITY") }
            lines += ["#EXTINF:1.034367,", "\(number).\(kind)"]
        }
        return (lines + (ended ? ["#EXT-X-ENDLIST"] : [])).joined(separator: "\n") + "\n"
    }

    private static func follow(
        for duration: Duration?, _ kind: String, _ playlist: @escaping @Sendable (Int) -> String
    ) throws -> (packets: [Packet], diagnostics: [Diagnostic]) {
        let client = ScriptedFetcher { request, count in
            let name = String(request.url.split(separator: "/").last ?? "")
            let body: [UInt8]? =
                switch name {
                case "master.m3u8": Array(master.utf8)
                case "media.m3u8": Array(playlist(count).utf8)
                default: try? fixtureBytes("captions/segments/\(name)")
                }
            return .success(
                body.map { HTTPResponse(status: 200, body: $0, url: request.url) }
                    ?? HTTPResponse(status: 404))
        }
        var options = StreamFetchOptions()
        options.clock = NotedClock().clock
        let presentation = try Presentation(
            StreamFetcher(client, named: base + "master.m3u8", options: options))
        #expect(presentation.isLive)
        #expect(presentation.description.streams.map(\.service) == [nil, "CC1"])
        let reader = presentation.reader(for: [0], following: duration)
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        return (packets, reader.takeDiagnostics())
    }

    /// Each video frame once, one frame duration after the previous one.
    private static func check(_ packets: [Packet], segments: Int) throws {
        #expect(packets.count == segments * pictures)
        let times = try packets.map { try #require($0.start) }
        #expect(try #require(times.first).nanoseconds.magnitude < 1_000_000)
        for (one, next) in zip(times, times.dropFirst()) {
            // Playlists round the lengths of segments, clocks their ticks.
            let difference = one.duration(to: next) - .nanoseconds(33_366_667)
            #expect(difference < .microseconds(20) && difference > .microseconds(-20))
        }
    }

    @Test(arguments: ["ts", "m4s"]) func segmentsAreReadOnce(kind: String) throws {
        let (packets, diagnostics) = try Self.follow(for: .seconds(100), kind) { load in
            switch load {
            case 0: Self.window(0..<2, kind)
            case 1: Self.window(1..<4, kind)
            default: Self.window(2..<5, kind, ended: true)
            }
        }
        try Self.check(packets, segments: 5)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
    }

    @Test func onlyWhatIsThereIsReadUnlessAsked() throws {
        let (packets, diagnostics) = try Self.follow(for: nil, "ts") { _ in Self.window(1..<3, "ts")
        }
        try Self.check(packets, segments: 2)
        #expect(diagnostics.isEmpty)
    }

    @Test func segmentsThatAreGoneAreReported() throws {
        let (packets, diagnostics) = try Self.follow(for: .seconds(100), "m4s") { load in
            load == 0 ? Self.window(0..<1, "m4s") : Self.window(3..<5, "m4s", ended: true)
        }
        #expect(packets.count == 3 * Self.pictures)
        #expect(diagnostics.map(\.code) == ["lost-segments"])
    }
}
