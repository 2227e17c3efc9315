import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The captions of a video that other projects use for tests; libavformat extracts their `cc_data` from the
/// frames.
///
/// No other CEA-708 decoder is packaged for the machines that run the tests, so the expected text is that of
/// the video's author: each caption describes itself and its position.
@Suite struct CEA708CorpusTests {
    private static let file = "shaka-player/captions-test.ts"

    private func cues() throws -> [DecodedCue] {
        let path = try #require(corpusPath(Self.file))
        let probed = try #require(
            ProbedStream("movie=\(path)[out+subcc]", stream: 1, demuxer: "lavfi"))
        var decoder = CEA708Decoder(
            stream: StreamDescription(index: 1, kind: .text, codec: .cea708))
        let events = probed.packets.flatMap { decoder.decode($0) } + decoder.finish()
        // Its encoder leaves numbers out, and nothing is missing.
        #expect(Set(decoder.diagnostics.take().map(\.code)) == ["lost-packet"])
        return drafts(events)
    }

    @Test(.requires("ffprobe"), .requiresCorpus(Self.file))
    func captionsOfAVideo() throws {
        let lines = try cues().map { cue in
            "\(cue.start.roundedMilliseconds)-\(cue.end?.time.roundedMilliseconds ?? -1) "
                + "\(dump(cue.layout)) \(dump(styledText(cue.cue())))"
        }
        let look = "[font=monospace size=percent(75)]"
        let indent = String(repeating: "\u{A0}", count: 9)
        #expect(
            lines == [
                "1600-6338 line:10.0%,start position:10.0%,auto align:left "
                    + "These are 708 captions\n(top left)\(look)",
                "6672-13345 line:42.0%,start position:19.52%,auto align:left "
                    + "These are 708 captions\(look)|\n\(indent)|(middle)\(look)",
                "13679-20686 line:79.33%,start position:10.0%,auto align:left "
                    + "These are 708 captions\n(bottom left)\(look)",
            ])
    }
}
