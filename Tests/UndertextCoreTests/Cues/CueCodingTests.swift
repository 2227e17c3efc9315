import Foundation
import TestSupport
import Testing
import UndertextCore

/// The stored form of cues.
@Suite struct CueCodingTests {
    private func decoded(_ text: String) throws -> Cue {
        try JSONDecoder().decode(Cue.self, from: Data(text.utf8))
    }

    private func encoded(_ cue: Cue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(cue), as: UTF8.self)
    }

    private var text: Cue {
        var first = TextRun("Hi ", ruby: "r", appearsAt: .milliseconds(1500))
        first.style.isItalic = true
        first.style.color = RGBA(rawValue: 0x0000_FF80)
        first.style.fontSize = .ofHeight(7500)
        first.style.classes = ["a", "b"]
        first.style.voice = "Ann"
        first.style.outline = TextOutline(color: .black, width: 5)
        first.style.shadows = [TextShadow(color: .clear, x: -1, y: 2, blur: 3)]
        first.style.lineHeight = 9000
        first.style.isUnbroken = true
        var layout = CueLayout()
        layout.line = 10.5
        layout.snapToLines = false
        layout.vertical = .growingLeft
        layout.direction = .rightToLeft
        layout.region = "r1"
        layout.background = RegionBackground(
            color: .white, left: 1, top: 2, right: 3, bottom: 4, isAlwaysShown: true)
        return Cue(
            identifier: "1", order: 7, start: .seconds(1), end: .milliseconds(2500),
            endSource: .clamped, isForced: true, layer: -2, layout: layout,
            content: .text(StyledText(runs: [first, TextRun("you\n")])), source: .ass("0,0,…"))
    }

    private var image: Cue {
        let bitmap = IndexedBitmap(
            width: 2, height: 2, indices: [0, 1, 1, 0], palette: [.clear, .white])
        var cue = Cue(
            start: .zero, end: .seconds(1),
            content: .images(
                CueImages(
                    canvas: PixelSize(width: 720, height: 576),
                    images: bitmap.map { [PlacedBitmap(x: -3, y: 4, bitmap: $0)] } ?? [])))
        cue.recognition = RecognizedText(text: "x", confidence: 0.75)
        return cue
    }

    @Test func comesBack() throws {
        for cue in [
            text, image, Cue(start: .zero, end: .seconds(1), content: .text(StyledText())),
            Cue(
                start: Timestamp(nanoseconds: .min), end: .distantFuture,
                content: .images(CueImages(canvas: nil, images: [])), source: .webVTT("")),
        ] {
            #expect(try decoded(try encoded(cue)) == cue)
        }
    }

    /// The form does not change: older files stay readable.
    @Test func staysTheSame() throws {
        let plain = Cue(
            identifier: "a", start: .seconds(1), end: .milliseconds(2500),
            content: .text(StyledText("Hi")), source: .subRip("Hi"))
        let form =
            #"{"end":2500000000,"endSource":"explicit","identifier":"a","order":0,"#
            + #""source":{"subRip":"Hi"},"start":1000000000,"text":[{"text":"Hi"}]}"#
        #expect(try encoded(plain) == form)
        let images =
            #"{"canvas":{"height":576,"width":720},"end":1000000000,"endSource":"explicit","images":[{"height":2,"#
            + ##""indices":"AAEBAA==","palette":["#00000000","#FFFFFFFF"],"width":2,"x":-3,"y":4}],"order":0,"##
            + #""recognition":{"confidence":0.75,"text":"x"},"start":0}"#
        #expect(try encoded(image) == images)
    }

    @Test func isIdentifiedByItsOrder() {
        #expect(text.id == 7 && text.identifier == "1")
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"order":0,"start":0,"end":1}"#,
        #"{"order":0,"start":1,"end":1,"text":[]}"#, #"{"order":-1,"start":0,"end":1,"text":[]}"#,
        #"{"order":1e30,"start":0,"end":1,"text":[]}"#,
        #"{"order":0,"start":0,"end":9223372036854775808,"text":[]}"#,
        #"{"order":0,"start":0,"end":1,"layer":9223372036854775807,"text":[]}"#,
        #"{"order":0,"start":0,"end":1,"endSource":"x","text":[]}"#,
        ##"{"order":0,"start":0,"end":1,"text":[{"text":"a","color":"#FFF"}]}"##,
        ##"{"order":0,"start":0,"end":1,"text":[{"text":"a","color":"#+FFFFFFF"}]}"##,
        #"{"order":0,"start":0,"end":1,"text":[{"text":"a","fontSize":{}}]}"#,
        #"{"order":0,"start":0,"end":1,"text":[{"text":"a","lineHeight":9000000000}]}"#,
        #"{"order":0,"start":0,"end":1,"text":[],"layout":{"line":1e300}}"#,
        #"{"order":0,"start":0,"end":1,"text":[],"layout":{"align":"middle"}}"#,
        #"{"order":0,"start":0,"end":1,"text":[],"source":{}}"#,
        ##"{"order":0,"start":0,"end":1,"images":[{"x":0,"y":0,"width":4000000000,"height":4000000000,"palette":["#00000000"],"indices":"AA=="}]}"##,
        ##"{"order":0,"start":0,"end":1,"images":[{"x":0,"y":0,"width":1,"height":1,"palette":["#00000000"],"indices":"AQ=="}]}"##,
        #"{"order":0,"start":0,"end":1,"images":[{"x":0,"y":0,"width":0,"height":0,"palette":[],"indices":""}]}"#,
    ])
    func refuses(_ text: String) {
        #expect(throws: DecodingError.self) { try decoded(text) }
    }

    @Test func damageIsAnErrorOrACue() throws {
        for cue in [text, image] {
            let bytes = Array(try encoded(cue).utf8)
            for damaged in truncations(of: bytes) {
                #expect(throws: DecodingError.self) {
                    try JSONDecoder().decode(Cue.self, from: Data(damaged))
                }
            }
            for damaged in bitFlips(of: bytes, count: 1000) {
                guard let cue = try? JSONDecoder().decode(Cue.self, from: Data(damaged)) else {
                    continue
                }
                #expect(cue.end > cue.start)
            }
        }
    }
}
