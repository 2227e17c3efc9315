import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Damaged and hostile scripts: nothing traps, nothing grows without bound, nothing goes unsaid.
@Suite struct ASSDamageTests {
    private static let whole = Array(
        """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, BorderStyle, Alignment
        Style: Default,Sans,20,&H00FFFFFF,3,2
        [Fonts]
        fontname: é.ttf
        !!!#ABC[]
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,é
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,0,0,0,,{\\an8\\k10}é\\N{\\r}b, c\\{
        Dialogue: 1,0:00:03.00,0:00:04.00,Default,,0,0,0,Banner;1,{\\p1}m 0 0{\\p0}x

        """.utf8)

    private func check(_ bytes: [UInt8]) {
        // Readers get text whose characters are right.
        let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
        let read = ReadScript(text)
        if !read.packets.isEmpty { #expect(read.written == text) }
        let document = read.document
        for kind in [ASSWriter.Kind.ass, .ssa] { _ = script(document, kind) }
        let neutral = script(document.withoutSource)
        #expect(ReadScript(neutral).diagnostics.allSatisfy { $0.severity != .error })
        #expect(read.diagnostics.allSatisfy { $0.message.statedPosition != nil })
    }

    @Test func everyTruncation() {
        // Each of them is checked whole; every third of them is written, too.
        for (index, bytes) in truncations(of: Self.whole).enumerated() {
            if index % 3 == 0 { check(bytes) } else { _ = ReadScript(bytes).document }
        }
    }

    @Test func mutations() {
        for bytes in bitFlips(of: Self.whole, count: 400, seed: 11) { check(bytes) }
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<200 {
            var bytes = Self.whole
            let from = Int.random(in: 0..<bytes.count, using: &generator)
            let to = Int.random(in: from...min(bytes.count, from + 60), using: &generator)
            let place = Int.random(in: 0...bytes.count, using: &generator)
            bytes.insert(contentsOf: Self.whole[from..<to], at: place)
            check(bytes)
        }
    }

    private static let head = "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,"

    @Test(
        arguments: [
            ("{\\t(", 1_000_000), ("\\t(", 1_000_000), ("{", 1_000_000), ("{\\i1}", 20_000),
            ("\\{", 20_000), ("{\\k1}x", 20_000), ("{}", 20_000), ("{\\rX\\r}y", 20_000),
            ("\\N", 20_000), ("{\\fs+1}z", 20_000), ("\\pos(1,", 20_000),
            ("{\\1c&HFF&}q", 20_000),
        ])
    func manyTags(tag: String, count: Int) {
        var limits = Limits()
        limits.lineLength = 64 << 20
        for (opening, closing) in [("", ""), ("{", "}")] {
            let text =
                Self.head + opening + String(repeating: tag, count: count) + closing + "end\n"
            let read = ReadScript(Array(text.utf8), limits: limits)
            #expect(read.packets.count == 1)
            guard case .ass(let line)? = read.document.cues.first?.source else {
                Issue.record("no cue")
                continue
            }
            // Decoders take no more of a packet than a line of a file may have.
            let whole = text.utf8.count - Self.head.utf8.count + 19
            #expect(line.utf8.count == min(whole, Limits().lineLength))
            _ = ASSEvent.features(of: line)
        }
    }

    @Test func manyEvents() {
        var bytes = Array("[Events]\n".utf8)
        let line = Array("Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x\n".utf8)
        for _ in 0..<100_000 { bytes += line }
        let read = ReadScript(bytes)
        #expect(read.packets.count == 100_000)
        #expect(read.written == bytes)
    }

    @Test func hugeNumbersOfOddThings() {
        let junk = ReadScript("[Events]\n" + String(repeating: "junk\n", count: 100_000))
        #expect(junk.diagnostics.count == 101)
        #expect(junk.diagnostics.last?.message.statedNumbers == [99900])
        let formats = ReadScript(
            (0..<5000).map { "[Events]\nFormat: Start, End, X\($0), Text\n" }.joined()
                + "Dialogue: 0:00:01.00,0:00:02.00,x,y\n")
        #expect(formats.packets.count == 1)
        let fonts = ReadScript("[Fonts]\n" + String(repeating: "fontname: a\n!!\n", count: 12_000))
        #expect(fonts.files.count == 10_000)
        let styles = (0..<50_000).map { "Style: S\($0),20\n" }.joined()
        let styled = ReadScript(
            "[V4+ Styles]\nFormat: Name, Fontsize\n" + styles
                + "[Events]\nFormat: Start, End, Style, Text\nDialogue: 0:00:01.00,0:00:02.00,S7,y\n"
        )
        #expect(styled.document.cues.count == 1)
    }
}
