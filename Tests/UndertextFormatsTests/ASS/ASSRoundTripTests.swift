import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Written scripts can be read, and are written identically again.
@Suite struct ASSRoundTripTests {
    @Test(arguments: UInt64(1)...120)
    func randomDocuments(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let kind: ASSWriter.Kind = seed % 4 == 0 ? .ssa : .ass
        var document = SubtitleDocument()
        if seed % 3 == 0 { document.header.canvas = PixelSize(width: 640, height: 360) }
        var start: Int64 = 0
        for order in 0..<20 {
            start += Int64.random(in: 0...3000, using: &generator)
            document.cues.append(randomCue(order: order, start: start, &generator))
        }
        let first = script(document, kind)
        let read = ReadScript(first)
        #expect(read.diagnostics.isEmpty, "\(read.notes)")
        // With the script at hand, and from the neutral form alone.
        #expect(script(read.document, kind) == first)
        let again = events(script(read.document.withoutSource, kind))
        #expect(again.count == events(first).count)
        for (one, other) in zip(again, events(first)) { #expect(one == other) }
        let shown = document.cues.filter { $0.plainText != "" }
        try #require(read.document.cues.count == shown.count)
        for (cue, original) in zip(read.document.cues, shown) {
            #expect((cue.start.nanoseconds - original.start.nanoseconds).magnitude <= 5_000_000)
            #expect(cue.plainText == original.plainText)
            #expect(cue.layer == (kind == .ssa ? 0 : original.layer))
            guard case .text(let one) = cue.content, case .text(let other) = original.content else {
                continue
            }
            #expect(faces(one) == faces(other))
        }
    }

    /// The look of each character, as far as a script and the neutral form agree on it.
    private func faces(_ text: StyledText) -> [String] {
        text.runs.flatMap { run in
            let style = run.style
            let color = style.color ?? .white
            let face = [
                style.isBold, style.isItalic, style.isUnderlined, style.isStruckThrough,
            ].map { $0 ? "1" : "0" }.joined()
            return run.text.map { _ in
                "\(face) \(color.rawValue) \(style.background?.rawValue ?? 0)"
            }
        }
    }

    private func randomCue(
        order: Int, start: Int64, _ generator: inout SeededGenerator
    ) -> Cue {
        let words = [
            "a", "\\N", "{x}", "}", "\\", "é\nü", "日本, x", " ", "\\h{", "🙂", "\u{A0}", "<b>",
        ]
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
        func color() -> RGBA {
            RGBA(rawValue: UInt32(truncatingIfNeeded: generator.next()) | (chance(2) ? 0xFF : 1))
        }
        let length = Int64.random(in: 500...4000, using: &generator)
        let voice = chance(4) ? "Ann" : nil
        var text = StyledText()
        var onset = start
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            var style = TextStyle()
            style.isBold = chance(2)
            style.isItalic = chance(2)
            style.isUnderlined = chance(4)
            style.isStruckThrough = chance(4)
            style.voice = voice
            if chance(3) { style.color = color() }
            if chance(4) { style.background = color() }
            if chance(4) {
                style.font = ["Serif", "Noto Sans", "Mono 3"].randomElement(using: &generator)
            }
            if chance(4) {
                style.fontSize = .ofHeight(Int.random(in: 1000...30_000, using: &generator))
            }
            var run = TextRun(words.randomElement(using: &generator) ?? "a", style: style)
            if chance(5) { onset = min(onset + 130, start + length) }
            if onset > start { run.appearsAt = .milliseconds(onset) }
            text.append(run)
        }
        var layout = CueLayout()
        if chance(2) {
            layout.line = Double(Int.random(in: 0...1000, using: &generator)) / 10
            layout.snapToLines = false
            layout.lineAlignment =
                [.start, .center, .end].randomElement(using: &generator) ?? .start
        } else if chance(2) {
            layout.line = Double(Int.random(in: -6...6, using: &generator))
        }
        if chance(2) {
            layout.position = Double(Int.random(in: 0...1000, using: &generator)) / 10
            layout.positionAlignment =
                [.auto, .lineLeft, .center, .lineRight].randomElement(using: &generator) ?? .auto
        }
        if chance(2) {
            layout.textAlignment =
                [.start, .end, .left, .right].randomElement(using: &generator) ?? .end
        }
        var cue = textCue(start, start + length, text, order: order, layout: layout)
        cue.layer = Int.random(in: 0...3, using: &generator)
        return cue
    }

    /// Bold, italic, underlined and struck through text, colors and the nine positions are unchanged after a
    /// conversion to a script and to the other formats.
    @Test(arguments: 1...9)
    func subRipThroughAScript(key: Int) throws {
        let body =
            "{\\an\(key)}<b>a</b> <i>b</i> <u>c</u> <s>d</s> <font color=\"#ff8000\">e</font>\n{f}"
        let read = SubRipText(Array(body.utf8))
        let cue = Cue(
            start: .zero, end: .seconds(1), layout: read.layout,
            content: .text(read.text))
        var direct = SubRipWriter()
        let expected = text(&direct, [cue])
        let document = ReadScript(script(SubtitleDocument(cues: [cue]))).document
        var again = SubRipWriter()
        let stripped = document.cues.map { cue in
            var cue = cue
            if case .text(var text) = cue.content {
                for index in text.runs.indices {
                    text.runs[index].style.font = nil
                    text.runs[index].style.fontSize = nil
                }
                cue.content = .text(text)
            }
            return cue
        }
        #expect(text(&again, stripped) == expected)
        #expect(again.losses.isEmpty)
    }

    @Test func webVTTThroughAScript() {
        var runs = WebVTTCueText(
            "<v Ann><b>a</b> <i>b</i> <u>c</u> <c.red>d</c> <c.bg_blue>e</c></v>"
        ).styledText
        // Their colors stand for them.
        for index in runs.runs.indices { runs.runs[index].style.classes = [] }
        var layout = CueLayout()
        layout.line = 25
        layout.snapToLines = false
        layout.position = 30
        layout.positionAlignment = .lineLeft
        layout.textAlignment = .start
        let cue = textCue(1000, 2000, runs, layout: layout)
        var direct = WebVTTWriter()
        let expected = text(&direct, [cue])
        var again = WebVTTWriter()
        #expect(
            text(&again, ReadScript(script(SubtitleDocument(cues: [cue]))).document.cues)
                == expected)
    }

    private static let styled = """
        [Script Info]\r
        ScriptType: v4.00+\r
        PlayResX: 640\r
        PlayResY: 360\r
        \r
        [V4+ Styles]\r
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\r
        Style: Default,Sans,20,&H00FFFFFF,&H000000FF,&H00112233,&H80000000,-1,0,0,0,100,100,0,0,1,2,1,2,10,10,10,1\r
        Style: Sign,Serif,30,&H0000FFFF,&H000000FF,&H00000000,&H00000000,0,0,-1,0,120,100,0,45,1,2,1,9,10,10,10,1\r
        \r
        [Events]\r
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,Bob,0,0,0,,{\\t(\\fs3)}{\\k10}a{note}\\h\r
        Dialogue: 2,0:00:01.50,0:00:02.00,Sign,,0,0,0,Scroll up;1;2,{\\p1}m 0 0{\\p0}\r
        \r
        [Fonts]\r
        fontname: x.ttf\r
        !!!!\r

        """

    @Test func aScriptStaysAsItWas() {
        let read = ReadScript(Self.styled)
        let document = read.document
        #expect(
            script(document) == Self.styled)
        var writer = ASSWriter(header: document.header)
        _ = text(&writer, document.cues)
        #expect(writer.losses.isEmpty)
    }

    @Test func fromOneKindOfScriptToTheOther() {
        let document = ReadScript(Self.styled).document
        var writer = ASSWriter(.ssa, header: document.header)
        let legacy = text(&writer, document.cues)
        #expect(legacy.contains("[V4 Styles]\r\n"))
        #expect(legacy.contains("ScriptType: v4.00\r\n") && !legacy.contains("v4.00+"))
        #expect(
            legacy.contains(
                "Style: Default,Sans,20,&H00FFFFFF,&H000000FF,&H00112233,&H00112233,-1,0,1,2,1,2,10,10,10,0,1\r\n"
            ))
        #expect(
            legacy.contains(",7,10,10,10,0,1\r\n") && legacy.contains("fontname: x.ttf\r\n!!!!"))
        #expect(
            legacy.contains(
                "Dialogue: Marked=0,0:00:01.00,0:00:02.00,Default,Bob,0,0,0,,{\\t(\\fs3)}{\\k10}a{note}\\h\r\n"
            ))
        #expect(
            Set(writer.losses.entries.map(\.kind)) == [.style, .size, .rotation, .metadata])
        let read = ReadScript(legacy)
        #expect(read.stream.codec == .ssa)
        #expect(read.diagnostics.isEmpty)
        #expect(read.document.cues.map(\.layout) == document.cues.map(\.layout))
        var back = ASSWriter(.ass, header: read.document.header)
        let modern = ReadScript(text(&back, read.document.cues))
        #expect(back.losses.isEmpty)
        #expect(modern.stream.codec == .ass)
        #expect(modern.document.cues.map(\.plainText) == document.cues.map(\.plainText))
        #expect(modern.document.cues.map(\.layout) == document.cues.map(\.layout))
    }

    /// Losses of styles are counted like those of tags.
    @Test func stylesLoseToo() {
        let script = Self.styled.replacing(
            "Sign,,0,0,0,Scroll up;1;2,{\\p1}m 0 0{\\p0}", with: "Sign,,0,0,0,,x")
        let document = ReadScript(script).document
        var webVTT = WebVTTWriter(header: document.header)
        _ = text(&webVTT, document.cues)
        var subRip = SubRipWriter(header: document.header)
        _ = text(&subRip, document.cues)
        for losses in [webVTT.losses, subRip.losses] {
            let entry = losses.entries.first { $0.kind == .rotation }
            #expect(entry?.count == 1 && entry?.start == .milliseconds(1500))
        }
    }

    @Test func cuesThatWereChangedFitTheScript() {
        var document = ReadScript(Self.styled).document
        document.cues[0].source = nil
        document.cues[0].content = .text(
            StyledText(runs: [textRun("new") { $0.background = .black }]))
        var writer = ASSWriter(header: document.header)
        let lines = events(text(&writer, document.cues))
        #expect(lines.first == "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\b0}new")
        #expect(writer.losses.entries.map(\.kind) == [.background])
    }
}
