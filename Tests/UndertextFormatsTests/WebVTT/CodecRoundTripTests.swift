import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The project's parsers read the writers' output unchanged.
@Suite struct CodecRoundTripTests {
    private func randomText(
        _ generator: inout SeededGenerator, words: [String],
        change: (inout TextStyle, inout SeededGenerator) -> Void
    ) -> StyledText {
        var text = StyledText()
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            var style = TextStyle()
            style.isBold = Bool.random(using: &generator)
            style.isItalic = Bool.random(using: &generator)
            style.isUnderlined = Bool.random(using: &generator)
            change(&style, &generator)
            text.append(TextRun(words.randomElement(using: &generator) ?? "a", style: style))
        }
        return text
    }

    @Test(arguments: UInt64(1)...200)
    func webVTT(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["a", "<b>", "&amp;", "-->", "é\nü", "日本", "x y", "&lt;i&gt;", "1:2"]
        var styled = randomText(&generator, words: words) { style, generator in
            if Bool.random(using: &generator) { style.voice = "Tom & <Jerry>" }
            if Bool.random(using: &generator) { style.language = "pt-BR" }
            if Bool.random(using: &generator) { style.classes = ["a", "b--"] }
        }
        if Bool.random(using: &generator) {
            styled.runs.append(TextRun("base", ruby: "over & under"))
        }
        if Bool.random(using: &generator) {
            styled.runs.append(TextRun("later", appearsAt: .milliseconds(1250)))
        }
        var layout = CueLayout()
        layout.line = Double(Int64.random(in: 0...100_000, using: &generator)) / 1000
        layout.snapToLines = false
        layout.lineAlignment = .end
        layout.position = Double(Int64.random(in: 0...100_000, using: &generator)) / 1000
        layout.positionAlignment = .center
        layout.size = Double(Int64.random(in: 0...100, using: &generator))
        layout.vertical = .growingRight
        layout.textAlignment = .start
        var writer = WebVTTWriter()
        let read = try StrictWebVTT(
            file(&writer, [textCue(1000, 2000, styled, layout: layout)]))
        let cue = try #require(read.cues.first)
        #expect(WebVTTCueText(cue.text).styledText == styled)
        let settings = cue.settings.map { "\($0.key):\($0.value)" }.joined(separator: " ")
        #expect(WebVTTSettings.layout(Array(settings.utf8)[...]) == layout)
        #expect(writer.losses.isEmpty)
    }

    @Test(arguments: UInt64(1)...200)
    func subRip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["a", "b < c", "&amp;", "é\nü", "日本", "x y", "1", "{x}", "> 3"]
        let styled = randomText(&generator, words: words) { style, generator in
            style.isStruckThrough = Bool.random(using: &generator)
            if Bool.random(using: &generator) {
                style.color = RGBA(rawValue: UInt32(generator.next() & 0xFF) << 16 | 0xFF)
            }
        }
        let key = Int.random(in: 1...9, using: &generator)
        let layout = try #require(NumpadAlignment(numpad: key)).layout()
        var writer = SubRipWriter()
        let lines = text(&writer, [textCue(0, 1000, styled, layout: layout)])
            .split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.dropFirst(2).dropLast(2).joined(separator: "\n")
        let read = SubRipText(Array(body.utf8))
        #expect(read.text == styled)
        #expect(read.layout == layout)
        #expect(writer.losses.isEmpty)
    }

    @Test func assToWebVTT() throws {
        let script = """
            [Script Info]
            PlayResX: 384
            PlayResY: 288

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
            Style: Default,Arial,16,&H00FFFFFF,2

            """
        var decoder = ASSDecoder(
            stream: StreamDescription(
                index: 0, kind: .text, codec: .ass, codecPrivate: Array(script.utf8)))
        let lines = [
            (0, "0,0,Default,,0,0,0,,{\\an8}top {\\i1}slanted{\\i0} & <b>"),
            (0, "1,0,Default,,0,0,0,,{\\an8}top {\\i1}slanted{\\i0} & <b>"),
            (1000, "2,0,Default,Bob,0,0,0,,{\\c&H0080FF&}orange{\\r}\\N\\Nlast{\\frz30\\fad(1,2)}"),
            (2000, "3,0,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}"),
            (3000, "4,0,Default,,0,0,0,,{\\k20}Ka{\\k30}ra"),
        ]
        var cues: [Cue] = []
        for (start, line) in lines {
            for case .cue(let draft) in decoder.decode(packet(Int64(start), 1000, line)) {
                cues.append(draft.cue(order: cues.count))
            }
        }
        var writer = WebVTTWriter(header: decoder.header)
        #expect(
            text(&writer, cues) == """
                WEBVTT

                STYLE
                ::cue(.cFF8000){color:#FF8000}

                00:00:00.000 --> 00:00:01.000 line:0
                top <i>slanted</i> &amp; &lt;b&gt;

                00:00:01.000 --> 00:00:02.000
                <v Bob><c.cFF8000>orange</c>
                \u{A0}
                last</v>

                00:00:03.000 --> 00:00:04.000
                Ka<00:00:03.200>ra

                """)
        let kinds = Set(writer.losses.entries.map(\.kind))
        #expect(
            kinds.subtracting([.font, .size]) == [.rotation, .animation, .drawing])
        var srt = SubRipWriter()
        _ = text(&srt, cues)
        #expect(srt.losses.entries.contains { $0.kind == .karaoke && $0.count == 1 })
    }
}
