import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Random cues, written and read back by an independent strict reader.
@Suite struct WebVTTPropertyTests {
    @Test(arguments: UInt64(1)...40)
    func everythingReadsBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var cues: [Cue] = []
        var start: Int64 = 0
        for order in 0..<40 {
            start += Int64.random(in: 0...1500, using: &generator)
            cues.append(randomCue(order: order, start: start, &generator))
        }
        var writer = WebVTTWriter()
        let read = try StrictWebVTT(file(&writer, cues))
        var expected: [Cue] = []
        for cue in cues where visible(cue) != "" {
            let isKnown = expected.contains {
                $0.start == cue.start && $0.end == cue.end && $0.layout == cue.layout
                    && $0.content == cue.content && $0.identifier == cue.identifier
            }
            if !isKnown { expected.append(cue) }
        }
        try #require(read.cues.count == expected.count)
        #expect(writer.cueCount == expected.count)
        for (cue, original) in zip(read.cues, expected) {
            #expect(cue.start == original.start.roundedMilliseconds)
            #expect(cue.end == original.end.roundedMilliseconds)
            #expect(cue.id == original.identifier)
            #expect(cue.settings == settings(original.layout))
            let text = CueTextReader(cue.text)
            #expect(text.isBalanced, "\(cue.text)")
            #expect(text.plain == visible(original))
            if case .text(let styled) = original.content {
                #expect(text.letters.map(\.tags) == tags(styled, count: text.letters.count))
            }
        }
    }

    private static let words = [
        "a", "<b>", "&amp;", "-->", "--", ">", "é", "日本", "x y", "1", "</c>", "🙂", "\u{200E}",
    ]

    private func randomCue(
        order: Int, start: Int64, _ generator: inout SeededGenerator
    ) -> Cue {
        var runs: [TextRun] = []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            var style = TextStyle()
            style.isBold = Bool.random(using: &generator)
            style.isItalic = Bool.random(using: &generator)
            style.isUnderlined = Bool.random(using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 { style.voice = "V--" }
            if Int.random(in: 0..<4, using: &generator) == 0 { style.language = "de" }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                style.color = RGBA(rawValue: UInt32(generator.next() & 3) << 8 | 0xFF)
            }
            // Spaces and line ends only inside, so that the repaired text is the text.
            var text = Self.words.randomElement(using: &generator) ?? "a"
            if Bool.random(using: &generator) {
                text += "\n" + (Self.words.randomElement(using: &generator) ?? "b")
            }
            runs.append(TextRun(text, style: style))
        }
        var layout = CueLayout()
        if Bool.random(using: &generator) {
            layout.line = Double(Int.random(in: -5...100, using: &generator))
            layout.snapToLines = (layout.line ?? 0) < 0
            layout.lineAlignment = .center
        }
        if Bool.random(using: &generator) {
            layout.position = Double(Int.random(in: 0...1000, using: &generator)) / 10
            layout.positionAlignment = .lineLeft
        }
        if Bool.random(using: &generator) { layout.textAlignment = .right }
        let length = Int64.random(in: 1...4000, using: &generator)
        return textCue(
            start, start + length, StyledText(runs: runs),
            id: Bool.random(using: &generator) ? "id \(order)" : "", order: order, layout: layout)
    }

    private func visible(_ cue: Cue) -> String { cue.plainText ?? "" }

    private func settings(_ layout: CueLayout) -> [String: String] {
        var settings: [String: String] = [:]
        if let line = layout.line {
            settings["line"] = "\(Int(line))\(layout.snapToLines ? "" : "%"),center"
        }
        if let position = layout.position {
            let tenths = Int((position * 10).rounded())
            settings["position"] =
                "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)")%,line-left"
        }
        if layout.textAlignment == .right { settings["align"] = "right" }
        return settings
    }

    private func tags(_ text: StyledText, count: Int) -> [Set<String>] {
        var result: [Set<String>] = []
        for run in text.runs {
            var tags: Set<String> = []
            if run.style.isBold { tags.insert("b") }
            if run.style.isItalic { tags.insert("i") }
            if run.style.isUnderlined { tags.insert("u") }
            if let voice = run.style.voice { tags.insert("v \(voice)") }
            if let language = run.style.language { tags.insert("lang \(language)") }
            if let color = run.style.color {
                let level = color.blue
                tags.insert(level == 0 ? "c.black" : "c.c00000\(level)")
            }
            result += [Set<String>](repeating: tags, count: run.text.count)
        }
        return result.count == count ? result : []
    }
}
