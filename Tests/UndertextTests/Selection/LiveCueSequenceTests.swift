import TestSupport
import Testing
import Undertext
import UndertextCore

/// Asynchronous sequences of cues of a live presentation that waits for its next segment.
@Suite(.requires("nginx")) struct LiveCueSequenceTests {
    private let folder = TemporaryDirectory()

    /// The start of a transport stream whose video begins at zero.
    private static let segment: [UInt8] =
        ([0x47, 0x41, 0, 0x10, 0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
            + [UInt8](repeating: 0, count: 170))
        + (0..<5).flatMap { _ in [0x47, 0x01, 0, 0x10] + [UInt8](repeating: 0, count: 184) }

    private func write(_ name: String, _ end: String, _ segment: [UInt8]) {
        folder.write(segment, to: "\(name)-0.\(end)")
        folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:2,\n\(name)-0.\(end)\n",
            to: "\(name).m3u8")
    }

    /// A live presentation with one segment, which stays the last one.
    private func media() async throws -> (Media, WebServer) {
        folder.write(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",LANGUAGE="en",URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="Deutsch",LANGUAGE="de",URI="de.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=640x360,CODECS="avc1.64001f",SUBTITLES="text"
            video.m3u8

            """, to: "master.m3u8")
        write("video", "ts", Self.segment)
        for name in ["en", "de"] {
            let cues = (0..<3).map { "00:00.\($0)00 --> 00:00.\($0)90\n\(name) \($0)\n" }
            write(name, "vtt", Array("WEBVTT\n\n\(cues.joined(separator: "\n"))".utf8))
        }
        let server = try WebServer.nginx(serving: folder.path)
        var options = Media.Options()
        options.opensSelectionOnly = true
        options.liveDuration = .seconds(120)
        return (try await Media.open("\(server.address)/master.m3u8", options: options), server)
    }

    /// The number of times that the playlist of the selected subtitles was loaded: about once per second of waiting.
    private func loads(_ server: WebServer) -> Int {
        server.requests(atLeast: 1).count { $0.path == "/en.m3u8" }
    }

    @MainActor private final class Log {
        var texts: [String] = []
    }

    @Test @MainActor func cuesAndSelectionsDoNotWaitForSegments() async throws {
        let (media, server) = try await media()
        try await media.select(text: .language("en"))
        let id = try #require(media.content.currentTextStreamID)
        let track = try media.subtitleTrack(id: id)
        let log = Log()
        let reading = Task { @MainActor in
            for try await cue in track.cues() { log.texts.append(cue.plainText ?? "") }
        }
        while log.texts.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(log.texts == ["en 0", "en 1", "en 2"])
        // The reader waits for a segment that never comes; a selection interrupts it.
        try await Task.sleep(for: .milliseconds(100))
        try await media.select(text: .language("de"))
        #expect(media.content.currentTextStream?.language == "de")
        try await media.select(text: .language("en"))
        // Following would have taken 120 seconds.
        #expect(loads(server) < 60)
        reading.cancel()
        let result = await reading.result
        #expect(throws: UndertextError.self) { try result.get() }
    }
}
