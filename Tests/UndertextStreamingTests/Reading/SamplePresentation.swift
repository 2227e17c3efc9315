import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Playlists, segments and answers of which tests make presentations.
enum SamplePresentation {
    static let base = "https://example.org/show/"

    static func master(_ count: Int) -> String {
        "#EXTM3U\n"
            + (0..<count).map {
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"\($0)\",URI=\"t\($0).m3u8\"\n"
            }.joined() + "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\nvideo.m3u8\n"
    }

    /// A playlist of segments of ten seconds.
    static func list(_ count: Int, _ end: String = "vtt", before: String = "") -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
            + (0..<count).map { "\(before)#EXTINF:10,\n\($0).\(end)\n" }.joined()
            + "#EXT-X-ENDLIST\n"
    }

    /// A cue in the middle of a segment.
    static func segment(_ number: Int) -> String {
        func clock(_ seconds: Int) -> String {
            let minutes = String(seconds / 60 + 100).dropFirst()
            return "\(minutes):\(String(seconds % 60 + 100).dropFirst()).000"
        }
        return "WEBVTT\n\n\(clock(number * 10 + 4)) --> \(clock(number * 10 + 5))\n\(number)\n"
    }

    /// The number in the name of a segment.
    static func number(of request: HTTPRequest) -> Int? {
        request.url.split(separator: "/").last?.split(separator: ".").first.flatMap { Int($0) }
    }

    static func answer(
        _ text: String, to request: HTTPRequest
    ) -> Result<HTTPResponse, UndertextError> {
        .success(HTTPResponse(status: 200, body: Array(text.utf8), url: request.url))
    }

    static func fetcher(
        _ client: ScriptedFetcher, clock: NotedClock = NotedClock(), _ name: String = "master.m3u8",
        parallel: Int = 4
    ) -> StreamFetcher {
        var options = StreamFetchOptions()
        options.clock = clock.clock
        options.parallel = parallel
        return StreamFetcher(client, named: base + name, options: options)
    }

    static func texts(_ reader: PresentationReader) throws -> [String] {
        var texts: [String] = []
        while let packet = try reader.nextPacket() {
            texts.append(String(decoding: packet.data, as: UTF8.self))
        }
        return texts
    }
}
