import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

/// Text of a growing presentation is shown when it is available, not when a batch is full.
@Suite struct LiveSubtitlesTests {
    private let folder = TemporaryDirectory()

    /// Writes a playlist that continues, with segments of two seconds and three cues each.
    private func write(segments: Int) {
        for segment in 0..<segments {
            let cues = (0..<3).map { cue in
                let start = segment * 2000 + cue * 600
                func clock(_ time: Int) -> String {
                    "00:0\(time / 1000).\(String(time % 1000 + 1000).dropFirst())"
                }
                return "\(clock(start)) --> \(clock(start + 500))\n\(segment).\(cue)\n"
            }
            folder.write(
                "WEBVTT\n\n" + cues.joined(separator: "\n"), to: "\(segment).vtt")
        }
        let list = (0..<segments).map { "#EXTINF:2,\n\($0).vtt\n" }.joined()
        folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n" + list, to: "live.m3u8")
    }

    private func waitForCues(_ model: SubtitleModel, _ count: Int) -> [String] {
        for _ in 0..<24_000 where (model.loadedTrack?.cues.count ?? 0) < count {
            _ = model.subtitle(currentTime: .seconds(1))
            pause(milliseconds: 5)
        }
        return model.loadedTrack?.cues.compactMap(\.plainText) ?? []
    }

    @Test(.requires("python3")) func allCuesOfASegmentAreKnownWithIt() throws {
        write(segments: 1)
        let server = try WebServer.hostile(serving: folder.path)
        var options = SubtitleModel.Options()
        options.media.liveDuration = .seconds(3600)
        let model = SubtitleModel(options: options)
        try model.addSubtitles(of: EmbeddedSubtitles(of: "\(server.address)/plain/live.m3u8"))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        // No further segment follows for now.
        #expect(waitForCues(model, 3) == ["0.0", "0.1", "0.2"])
        #expect(model.loadedTrack?.isComplete == false)
        write(segments: 2)
        #expect(
            waitForCues(model, 6) == ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"])
        #expect(model.selectedSubtitleInfo?.error == nil)
        model.removeAll()
    }
}
