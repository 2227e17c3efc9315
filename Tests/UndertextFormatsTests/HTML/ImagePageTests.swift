import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct ImagePageTests {
    private func page(_ cues: [Cue]) -> String {
        var page = ImagePage(title: "film", track: JSONCueTrack(codec: .pgs))
        for cue in cues {
            page.add(
                cue, images: [JSONCueImage(.file("0001.png"), x: 1, y: 2, width: 3, height: 4)])
        }
        return String(decoding: page.document(), as: UTF8.self)
    }

    private func count(_ text: String, in page: String) -> Int {
        page.ranges(of: text).count
    }

    /// The usual end of a cue is not marked; an assumed end is.
    @Test func onlyAssumedEndsAreMarked() {
        var cues: [Cue] = []
        for source in [EndSource.explicit, .containerDuration, .nextEvent, .clamped, .endOfStream] {
            var cue = imageCue(1000, 2000, [])
            cue.endSource = source
            cues.append(cue)
        }
        let page = page(cues)
        #expect(count("<article", in: page) == 5)
        #expect(count("<span class=\"tag", in: page) == 2)
        #expect(page.contains("<span class=\"tag is-assumed\">end limited</span>"))
        #expect(page.contains("<time title=\"ended by the next event\">"))
    }

    @Test func textThatIsNotSureIsMarked() {
        let texts = [("Hello", 0.95), ("He11o", 0.41), ("", 0)]
        let page = page(
            texts.map { text, confidence in
                var cue = imageCue(1000, 2000, [])
                cue.recognition = RecognizedText(text: text, confidence: confidence)
                return cue
            })
        #expect(count("class=\"unsure\"", in: page) == 2)
        #expect(page.contains("<span class=\"tag is-unsure\">text 41 % sure</span>"))
        #expect(page.contains("<span class=\"tag is-unsure\">no text recognized</span>"))
        #expect(page.contains("<span>2 with uncertain text</span>"))
        #expect(count("<p class=\"text\">", in: page) == 2)
    }

    /// Head, cues and tail written one by one are the page.
    @Test func pieces() {
        let cues = [imageCue(1000, 2000, []), imageCue(3000, 4000, [], isForced: true)]
        var page = ImagePage(title: "film", track: JSONCueTrack(codec: .pgs))
        for cue in cues { page.count(cue) }
        let image = JSONCueImage(.file("0001.png"), x: 1, y: 2, width: 3, height: 4)
        let pieces = cues.enumerated().map { page.article($0 + 1, of: $1, images: [image]) }
        let whole = page.head() + pieces.joined() + ImagePage.tail
        #expect(String(decoding: whole, as: UTF8.self) == self.page(cues))
    }
}
