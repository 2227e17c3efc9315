import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// Captions of the corpus: how many, and when.
@Suite struct DVBCorpusTests {
    private static let name = "subtitleedit/tests/libse/Files/sample_TS_with_graphics.ts"

    /// `bitmap_text.json` lists every state of the screen: time, number of images.
    @Test(.requiresCorpus("bitmap_text.json")) func statesOfTheScreen() throws {
        let list = try #require(corpusPath("bitmap_text.json"))
        let path = try #require(corpusPath(Self.name))
        let json = try #require(fileBytes(list).flatMap(readJSON))
        let entry = try #require(json[Self.name + "#s0"])
        func number(_ json: JSON?) -> Double {
            if case .number(let text)? = json { return Double(text) ?? -1 }
            return -1
        }
        let states = (entry["display_states_t_numrects"]?.values ?? []).map { state in
            (Int64((number(state.values.first) * 1000).rounded()), Int(number(state.values.last)))
        }
        let cues = try PacketTrack(path, stream: 0).cues().cues
        let shown = states.indices.filter { states[$0].1 > 0 }
        #expect(shown.count == 10 && cues.count == shown.count)
        #expect(entry["captions"]?.values.count == cues.count)
        for (cue, index) in zip(cues, shown) {
            // The times of the list are cut, not rounded, to milliseconds.
            #expect(abs(cue.start.roundedMilliseconds - states[index].0) <= 1)
            guard case .images(let content) = cue.content else { continue }
            #expect(content.images.count == states[index].1)
            #expect(content.canvas == PixelSize(width: 720, height: 576))
            guard states.indices.contains(index + 1) else { continue }
            #expect(abs(cue.end.roundedMilliseconds - states[index + 1].0) <= 1)
            #expect(cue.endSource == .nextEvent)
        }
    }
}
