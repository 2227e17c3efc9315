import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct TextCorrectionTests {
    private static func replacements(_ old: String, _ new: String) -> [String] {
        TextCorrection(from: old, to: new).replacements.map {
            "\($0.range.lowerBound)-\($0.range.upperBound) \($0.text)"
        }
    }

    private static func decoded(_ codec: CodecID, _ stored: String) -> Cue? {
        var decoder = SubtitleFormat.decoder(of: stream(codec), diagnostics: DiagnosticSink())
        guard let draft = drafts(decoder?.decode(packet(stored)) ?? []).first else { return nil }
        return Cue(
            start: draft.start, end: draft.start.advanced(by: .seconds(2)), layout: draft.layout,
            content: draft.content, source: draft.source)
    }

    private static func corrected(_ codec: CodecID, _ stored: String, to new: String) -> Cue? {
        decoded(codec, stored)?.corrected(to: new)
    }

    // MARK: The difference

    @Test func onlyChangedLettersAreReplaced() {
        #expect(Self.replacements("same", "same") == [])
        #expect(Self.replacements("", "new") == ["0-0 new"])
        #expect(Self.replacements("old", "") == ["0-3 "])
        #expect(
            Self.replacements("I realy love teh dog", "I really love the dog") == [
                "6-6 l", "14-16 he",
            ])
        #expect(Self.replacements("one two three", "one three") == ["4-8 "])
        #expect(Self.replacements("a\nb", "a\nx\nb") == ["2-2 x\n"])
        // Letters that are equal only canonically differ.
        #expect(Self.replacements("caf\u{E9}", "cafe\u{301}") == ["3-5 e\u{301}"])
    }

    /// Whatever the texts are, the replacements make one of the other.
    @Test func replacementsMakeTheNewText() {
        var random = SeededGenerator(seed: 7)
        let letters = Array("ab \n\u{E9}e\u{301}👨‍👩‍👧🇩🇪\u{0}<&{\\")
        func text(_ count: Int) -> String {
            String(
                (0..<count).map { _ in letters[Int.random(in: letters.indices, using: &random)] })
        }
        for _ in 0..<2000 {
            let (old, new) = (
                text(Int.random(in: 0...30, using: &random)),
                text(Int.random(in: 0...30, using: &random))
            )
            let correction = TextCorrection(from: old, to: new)
            var bytes = Array(old.utf8)
            for replacement in correction.replacements.reversed() {
                bytes.replaceSubrange(replacement.range, with: replacement.text.utf8)
            }
            #expect(
                bytes.elementsEqual(new.utf8), "\(old.debugDescription) \(new.debugDescription)")
            // Styled text of many runs has the new text, too.
            let runs = old.enumerated().map { index, letter in
                var style = TextStyle()
                style.isItalic = index % 3 == 0
                style.isBold = index % 4 == 0
                return TextRun(String(letter), style: style)
            }
            #expect(
                correction.applied(to: StyledText(runs: runs)).plainText.utf8.elementsEqual(
                    new.utf8))
        }
    }

    /// The time grows with the text, not with its square.
    @Test(.timeLimit(.minutes(1))) func longTexts() {
        let old = String(repeating: "a b ", count: 250_000)
        let new = String(repeating: "c d ", count: 250_000)
        #expect(TextCorrection(from: old, to: new).replacements.count == 1)
        #expect(TextCorrection(from: old, to: "x" + old + "y").replacements.count == 1)
        let stored = String(repeating: "<i>a</i>&amp;", count: 50_000)
        let shown = String(repeating: "a&", count: 50_000)
        let correction = TextCorrection(from: shown, to: shown + " end")
        #expect(correction.applied(to: .webVTT(stored)) == .webVTT(stored + " end"))
    }

    // MARK: Stored forms

    @Test(
        arguments: [
            // Tags stay around what is left, and around what replaces something.
            ("Hello <i>wrld</i>!", "Hello world!", "Hello <i>world</i>!"),
            (#"{\an8}<b>One</b> too"#, "One two", #"{\an8}<b>One</b> two"#),
            ("<i>a</i> b c", "x b z", "<i>x</i> b z"),
            ("one<br>two", "one\ntwo three", "one<br>two three"),
            ("<i>gone</i> stays", " stays", "<i></i> stays"),
        ])
    func subRip(stored: String, new: String, expected: String) throws {
        let cue = try #require(Self.corrected(.subRip, stored, to: new))
        #expect(cue.source == .subRip(expected))
        #expect(cue.plainText == new)
    }

    @Test(
        arguments: [
            ("<v Ann>Tom &amp; Jery</v>", "Tom & Jerry", "<v Ann>Tom &amp; Jerry</v>"),
            ("<c.red>a</c> b", "a < b & c", "<c.red>a</c> &lt; b &amp; c"),
            ("one<00:00:11.000> too", "one two", "one<00:00:11.000> two"),
            ("<i>a&nbsp;b</i>", "a b", "<i>a b</i>"),
        ])
    func webVTT(stored: String, new: String, expected: String) throws {
        let cue = try #require(Self.corrected(.webVTT, stored, to: new))
        #expect(cue.source == .webVTT(expected))
        #expect(cue.plainText == new)
    }

    @Test(
        arguments: [
            (#"{\pos(10,20)\blur3}Teh sign"#, "The sign", #"{\pos(10,20)\blur3}The sign"#),
            (#"{\k20}ka{\k30}ra{\k40}oke"#, "kara oke", #"{\k20}ka{\k30}ra {\k40}oke"#),
            (#"one\Ntwo"#, "one\ntwo\nthree", #"one\Ntwo\Nthree"#),
            (#"a\hb {comment}c"#, "a\u{A0}b x", #"a\hb {comment}x"#),
            (#"{\p1}m 0 0 l 9 9{\p0}text"#, "texts", #"{\p1}m 0 0 l 9 9{\p0}texts"#),
            ("plain", "a {b} \\N c", "a \\{b} \\\u{2060}N c"),
        ])
    func scripts(stored: String, new: String, expected: String) throws {
        let fields = "3,1,Sign,Ann,10,20,30,,"
        let cue = try #require(Self.corrected(.ass, fields + stored, to: new))
        #expect(cue.source == .ass(fields + expected))
        #expect(cue.plainText == new)
    }

    /// Text that would be a tag in the stored form is written from the styled text, where the writer protects it.
    @Test func textThatWouldBeATag() throws {
        let cue = try #require(Self.corrected(.subRip, "<i>a</i> b", to: "a <b>b</b>"))
        #expect(cue.source == nil)
        #expect(dump(styledText(cue)) == "a[i]| <b>b</b>")
        // Ruby text is between the bases.
        let ruby = try #require(
            Self.corrected(.webVTT, "<ruby>a<rt>b</rt></ruby> c", to: "a d"))
        #expect(ruby.source == nil)
        #expect(styledText(ruby).runs.first?.ruby == "b")
    }

    @Test func newTextTakesTheStyleOfWhatItReplaces() throws {
        let cue = try #require(
            Self.corrected(.subRip, "plain <i>italic</i> <b>bold</b>", to: "plain Roman <b>"))
        #expect(styledText(cue).plainText == "plain Roman <b>")
        #expect(styledText(cue).runs.map(\.style.isItalic) == [false, true, false, false])
        #expect(styledText(cue).runs.map(\.style.isBold) == [false, false, false, true])
    }

    /// Stored forms that are damaged in any way, corrected to any text: the new text is shown, or there is no stored form.
    @Test(arguments: [CodecID.subRip, .webVTT, .ass])
    func damagedStoredForms(codec: CodecID) {
        let seeds: [CodecID: String] = [
            .subRip: #"{\an8}<b>One</b> <font color="red">t</font>{\p1}m 0{\p0}<br>x <i"#,
            .webVTT: "<v Ann>A &amp; B<00:00:11.000>&eacute;<c.x>d</c> &#x41; <ruby>a<rt>b</rt>",
            .ass: #"0,0,Default,,0,0,0,,{\k9}a\Nb\h{\p1}m 0{\p0}\{c\} {x}d\n{\r}e{"#,
        ]
        let seed = Array((seeds[codec] ?? "").utf8)
        for bytes in bitFlips(of: seed, count: 400) {
            let stored = String(decoding: bytes, as: UTF8.self)
            guard let cue = Self.decoded(codec, stored) else { continue }
            for new in ["", "One", "a\nb <i> & {\\c", stored] {
                let corrected = cue.corrected(to: new)
                #expect(corrected.plainText?.utf8.elementsEqual(new.utf8) == true)
                // What a decoder trims is in no stored form.
                guard let source = corrected.source, new == "One" || new.hasSuffix("c") else {
                    continue
                }
                let again = Self.decoded(codec, source.text)
                #expect(again?.plainText == new, "\(stored.debugDescription)")
            }
        }
    }
}

extension CueSource {
    fileprivate var text: String {
        switch self {
        case .webVTT(let text), .ass(let text), .subRip(let text): text
        }
    }
}
