import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// `bitmap_text.json` of the corpus lists every state of the screen that FFmpeg decodes: a time and
/// the number of images.
@Suite struct CorpusStatesTests {
    static let tracks = [
        ("bdsup2sub/test.sup", 0), ("c0bra5-pgs/sample/sup1.sup", 0),
        ("subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup", 0),
        ("androidx-media/mkv/sample_with_vobsub.mkv", 0),
        ("androidx-media/mp4/sample_with_vobsub.mp4", 0),
        ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", 0),
        ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", 1),
        ("subtitleedit/tests/libse/Files/sample_TS_with_graphics.ts", 0),
        ("subtitles-rs/fixtures/example.idx", 0), ("subtitles-rs/fixtures/tiny.idx", 0),
    ]

    private struct State {
        var time: Int64
        var images: Int

        init?(_ json: JSON) {
            guard case .number(let time)? = json.values.first, let seconds = Double(time),
                case .number(let count)? = json.values.last, let images = Int(count)
            else { return nil }
            self.time = Int64((seconds * 1000).rounded())
            self.images = images
        }
    }

    @Test(.requiresCorpus("bitmap_text.json"), arguments: tracks) func cuesAreTheStates(
        _ name: String, _ number: Int
    ) throws {
        let list = try #require(corpusPath("bitmap_text.json"))
        let path = try #require(corpusPath(name))
        let json = try #require(fileBytes(list).flatMap(readJSON))
        let entry = try #require(json["\(name)#s\(number)"])
        let listed = try #require(entry["display_states_t_numrects"]).values
        let states = listed.compactMap(State.init)
        #expect(states.count == listed.count && !states.isEmpty)

        var options = Media.Options()
        options.timeline = .source
        let file = try Media(path, options: options)
        let track = file.subtitleTracks[number]
        var cues = try track.document().cues
        if name.hasSuffix("sample_BDSUP_multi_image.sup") {
            // A part of a longer file: its last display set lacks its END, so that FFmpeg, of which the
            // list was made, drops it, and one caption is listed. Its image is whole: we show it.
            #expect(cues.count == 2)
            cues.removeLast()
        }
        let shown = states.indices.filter { states[$0].images > 0 }
        try #require(cues.count == shown.count)
        #expect(entry["captions"]?.values.count == cues.count)
        for (cue, index) in zip(cues, shown) {
            // The times of the list are cut, not rounded, to milliseconds.
            #expect(abs(cue.start.roundedMilliseconds - states[index].time) <= 1)
            guard case .images(let content) = cue.content else {
                Issue.record("a cue without images")
                continue
            }
            #expect(content.images.count == states[index].images)
            #expect(cue.end > cue.start)
            // DVD units state their own ends, which are not separate states in the list.
            guard track.codec != .dvd,
                states.indices.contains(index + 1)
            else { continue }
            #expect(abs(cue.end.roundedMilliseconds - states[index + 1].time) <= 1)
            #expect(cue.endSource == .nextEvent)
        }
    }
}
