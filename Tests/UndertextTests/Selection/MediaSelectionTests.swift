import TestSupport
import Testing
import Undertext
import UndertextCore

/// The selection of a player decides what is opened: seen in the log of a web server.
@Suite(.requires("nginx")) struct MediaSelectionTests {
    private let folder = TemporaryDirectory()

    /// Two qualities, each with subtitles of its own group in two languages.
    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="plain",NAME="English",LANGUAGE="en",URI="plain-en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="plain",NAME="Deutsch",LANGUAGE="de",URI="plain-de.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="rich",NAME="English",LANGUAGE="en",URI="rich-en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="rich",NAME="Deutsch",LANGUAGE="de",URI="rich-de.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=640x360,CODECS="avc1.64001f",SUBTITLES="plain",GRADE="a"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080,CODECS="avc1.640028",SUBTITLES="rich",GRADE="b"
        high.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=3840x2160,CODECS="avc1.640033",SUBTITLES="rich",GRADE="c"
        gone.m3u8

        """

    private func list(_ name: String, _ end: String) {
        let segments = (0..<2).map { "#EXTINF:10,\n\(name)-\($0).\(end)\n" }.joined()
        folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n\(segments)#EXT-X-ENDLIST\n", to: "\(name).m3u8")
    }

    /// The beginning of a transport stream whose video begins at zero.
    private static let segment: [UInt8] =
        ([0x47, 0x41, 0, 0x10, 0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
            + [UInt8](repeating: 0, count: 170))
        + (0..<5).flatMap { _ in
            [0x47, 0x01, 0, 0x10] + [UInt8](repeating: 0, count: 184)
        }

    private func hls() throws -> WebServer {
        folder.write(Self.master, to: "master.m3u8")
        for name in ["low", "high"] {
            list(name, "ts")
            for number in 0..<2 { folder.write(Self.segment, to: "\(name)-\(number).ts") }
        }
        for group in ["plain", "rich"] {
            for language in ["en", "de"] {
                let name = "\(group)-\(language)"
                list(name, "vtt")
                for number in 0..<2 {
                    folder.write(
                        "WEBVTT\n\n00:0\(number * 9).500 --> 00:1\(number).000\n\(name) \(number)\n",
                        to: "\(name)-\(number).vtt")
                }
            }
        }
        return try WebServer.nginx(serving: folder.path)
    }

    /// The requested names in alphabetical order, from request `first` on.
    private func asked(_ server: WebServer, from first: Int = 0, count: Int) -> [String] {
        server.requests(atLeast: first + count).dropFirst(first).map { String($0.path.dropFirst()) }
            .sorted()
    }

    private func media(_ server: WebServer, _ name: String) async throws -> Media {
        var options = Media.Options()
        options.opensSelectionOnly = true
        return try await Media.open("\(server.address)/\(name)", options: options)
    }

    private func texts(_ media: Media) async throws -> [String] {
        let id = try #require(media.content.currentTextStreamID)
        var texts: [String] = []
        for try await cue in try media.subtitleTrack(id: id).cues() {
            texts.append(cue.plainText ?? "")
        }
        return texts
    }

    @Test func variantAndRenditionAreOpenedAsSelected() async throws {
        let server = try hls()
        let media = try await media(server, "master.m3u8")
        #expect(media.content.currentTextStream == nil)
        #expect(media.content.streams(ofType: .text).map(\.currentTrackID) == [0, 1])
        // The input is looked at before it is opened as a presentation.
        #expect(asked(server, count: 3) == ["low.m3u8", "master.m3u8", "master.m3u8"])

        try await media.select(text: .language("de"))
        #expect(asked(server, from: 3, count: 2) == ["plain-de-0.vtt", "plain-de.m3u8"])
        #expect(media.content.currentVideoStream?.currentTrack?.bandwidth == 1_000_000)
        #expect(try await texts(media) == ["plain-de 0", "plain-de 1"])
        // The clock comes from the variant, too.
        let read = ["low-0.ts", "plain-de-0.vtt", "plain-de-1.vtt"]
        #expect(asked(server, from: 5, count: 3) == read)

        try await media.setTargetBandwidth(6_000_000)
        #expect(media.content.currentVideoStream?.currentTrack?.bandwidth == 5_000_000)
        #expect(media.content.currentTextStream?.currentTrackID == 3)
        let opened = ["high.m3u8", "rich-de-0.vtt", "rich-de.m3u8"]
        #expect(asked(server, from: 8, count: 3) == opened)
        #expect(try await texts(media) == ["rich-de 0", "rich-de 1"])
        #expect(asked(server, from: 11, count: 2) == ["rich-de-0.vtt", "rich-de-1.vtt"])

        // Another language in the same quality: nothing of the video is requested.
        try await media.select(text: .language("en"))
        #expect(asked(server, from: 13, count: 2) == ["rich-en-0.vtt", "rich-en.m3u8"])
        #expect(media.content.currentVideoStream?.currentTrack?.bandwidth == 5_000_000)
        // Back to what is open.
        try await media.select(text: .language("de"))
        #expect(try await texts(media) == ["rich-de 0", "rich-de 1"])
        #expect(asked(server, from: 15, count: 2) == ["rich-de-0.vtt", "rich-de-1.vtt"])
        #expect(server.requests.count == 17)
    }

    /// The synchronous form waits for nothing; the next reader opens what was selected.
    @Test func selectionActsOnTheNextReader() async throws {
        let server = try hls()
        let media = try await media(server, "master.m3u8")
        let before = try media.subtitleTrack(id: 1).cueReader()
        #expect(try before.next()?.plainText == "plain-en 0")
        let asked = asked(server, count: 7)
        #expect(
            asked.filter { $0.hasSuffix("m3u8") } == [
                "low.m3u8", "master.m3u8", "master.m3u8", "plain-en.m3u8",
            ])
        try { try media.select(text: .language("en"), attributes: ["GRADE": "b"]) }()
        #expect(media.content.currentVideoStream?.currentTrack?.height == 1080)
        #expect(server.requests.allSatisfy { !$0.path.contains("high") })
        // The open reader continues with its rendition.
        #expect(try before.next()?.plainText == "plain-en 1")
        let after = try media.subtitleTrack(id: 1).cueReader()
        #expect(try after.next()?.plainText == "rich-en 0")
        #expect(server.requests(atLeast: 11).contains { $0.path == "/high.m3u8" })
    }

    @Test func impossibleSelectionsChangeNothing() async throws {
        let server = try hls()
        let media = try await media(server, "master.m3u8")
        try await media.select(text: .language("en"))
        let content = media.content
        let requests = server.requests(atLeast: 5).count
        var errors: [UndertextError.Code?] = []
        errors.append(
            await #expect(throws: UndertextError.self) {
                try await media.select(text: .language("de"), attributes: ["GRADE": "none"])
            }?.code)
        errors.append(
            await #expect(throws: UndertextError.self) {
                try await media.select(text: .language("fr"))
            }?.code)
        errors.append(
            await #expect(throws: UndertextError.self) {
                try await media.setTargetBandwidth(10)
            }?.code)
        #expect(errors == [.noSuchTrack, .noSuchStream, .noSuchTrack])
        #expect(media.content == content && server.requests.count == requests)
        // A variant whose playlist is not there.
        let error = await #expect(throws: UndertextError.self) {
            try await media.setTargetBandwidth(9_000_000)
        }
        #expect(error?.code == .notFound)
        #expect(media.content == content)
        #expect(try await texts(media) == ["plain-en 0", "plain-en 1"])
    }

    /// Captions come from the segments of the selected variant.
    @Test func captionsAreReadFromTheSelectedVariant() async throws {
        let server = try hls()
        folder.write(
            Self.master.replacing("#EXTM3U\n", with: "#EXTM3U\n" + Self.captions), to: "cc.m3u8")
        let media = try await media(server, "cc.m3u8")
        let track = try #require(media.subtitleTracks.first { $0.stream.service == "CC1" })
        func segments(from first: Int, count: Int) async throws -> Set<String> {
            for try await _ in track.cues() {}
            return Set(asked(server, from: first, count: count).filter { $0.hasSuffix(".ts") })
        }
        #expect(try await segments(from: 3, count: 2) == ["low-0.ts", "low-1.ts"])
        try await media.setTargetBandwidth(6_000_000)
        let before = server.requests(atLeast: 6).count
        #expect(try await segments(from: before, count: 2) == ["high-0.ts", "high-1.ts"])
    }

    private static let captions = """
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC",INSTREAM-ID="CC1"

        """

    @Test func representationsOfDASHAreReadAsSelected() async throws {
        func set(_ type: String, _ language: String?, _ names: [(String, Int)]) -> String {
            let language = language.map { " lang=\"\($0)\"" } ?? ""
            return "<AdaptationSet contentType=\"\(type)\"\(language)>"
                + names.map { name, bandwidth in
                    let (mime, end) = type == "text" ? ("text/vtt", "vtt") : ("video/mp4", "mp4")
                    return """
                        <Representation id="\(name)" bandwidth="\(bandwidth)" mimeType="\(mime)">
                        <BaseURL>\(name).\(end)</BaseURL></Representation>
                        """
                }.joined() + "</AdaptationSet>"
        }
        let sets =
            set("video", nil, [("low", 1_000), ("high", 5_000)]) + set("text", "en", [("en", 1)])
            + set("text", "de", [("de", 1), ("de-more", 2)])
        folder.write(
            """
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT20S"
            profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>\(sets)</Period></MPD>
            """, to: "show.mpd")
        for name in ["en", "de", "de-more"] {
            folder.write("WEBVTT\n\n00:01.000 --> 00:02.000\n\(name)\n", to: "\(name).vtt")
        }
        let server = try WebServer.nginx(serving: folder.path)
        let media = try await media(server, "show.mpd")
        #expect(asked(server, count: 2) == ["show.mpd", "show.mpd"])
        try await media.select(text: .language("de"))
        #expect(asked(server, from: 2, count: 1) == ["de.vtt"])
        #expect(try await texts(media) == ["de"])
        try await media.setTargetBandwidth(5_000)
        #expect(media.content.currentVideoStream?.currentTrack?.bandwidth == 5_000)
        try await media.select(text: .language("en"))
        #expect(asked(server, from: 4, count: 1) == ["en.vtt"])
        #expect(try await texts(media) == ["en"])
        #expect(asked(server, from: 2, count: 4) == ["de.vtt", "de.vtt", "en.vtt", "en.vtt"])
    }

    /// Of other inputs the selection is a description alone, by the same rules.
    @Test func filesHaveASelectionToo() async throws {
        let media = try await Media.open(fixture("containers/movie.mkv"))
        let text = try #require(media.content.streams(ofType: .text).last)
        try await media.select(text: .stream(text.id))
        #expect(media.content.currentTextStreamID == text.id)
        await #expect(throws: UndertextError.self) {
            try await media.select(attributes: ["VIDEO-RANGE": "PQ"])
        }
        #expect(media.content.currentTextStreamID == text.id)
    }
}
