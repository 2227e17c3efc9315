import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Fonts and letters, of which libass forgets nothing or everything.
@Suite struct FontLimitTests {
    private let script = Array(sampleScript.utf8)

    private func price(_ text: String, style: String = "Default") -> EventPrice {
        EventCost(script: script, geometry: small)
            .price(of: Array("0,0,\(style),,0,0,0,,\(text)".utf8))
    }

    /// The messages of libass with these words, which are its own: it has no codes.
    private static func libassSaid(_ words: String, _ reported: [Diagnostic]) -> [Diagnostic] {
        reported.filter { $0.code == "libass" && $0.message.contains(words) }
    }

    private func cues(_ texts: [String], each: Int64? = nil) -> OverlayContent {
        let header = sampleScript.components(before: "[Events]")
        return OverlayContent(
            header: SubtitleHeader(codec: .ass, codecPrivate: Array(header.utf8)),
            cues: texts.enumerated().map { index, text in
                let start = each.map { Timestamp.milliseconds($0 * Int64(index)) } ?? .zero
                return Cue(
                    order: index, start: start,
                    end: start.advanced(by: .milliseconds(each ?? 10_000)),
                    content: .text(StyledText("x")),
                    source: .ass("\(index),0,Default,,0,0,0,,\(text)"))
            })
    }

    /// Texts that make libass open another font, and texts that do not.
    @Test(arguments: [
        ("x", 1), (#"{\fnA}{\fnB}x"#, 3), (#"{\fnA\fnA\fn}x"#, 2), (#"{\fn@A}{\fnA}x"#, 3),
        (#"{\b1}{\b700}{\b701}{\b50}x"#, 4), (#"{\i1\b1}x"#, 3), (#"{\rSign}x{\r}"#, 2),
        (#"{\t(0,9,\fnA)}x"#, 2), (#"{\fs20\c&HFF&\k5}x"#, 1), (#"{\rNone}x"#, 1),
    ])
    func fontsAreCounted(_ text: String, _ count: Int) {
        #expect(price(text).fonts.count == count)
    }

    @Test func stylesAreFonts() {
        #expect(Set([price("x"), price("x", style: "Sign")].flatMap(\.fonts.keys)).count == 2)
    }

    @Test func manyFontsAreLeftOut() throws {
        let many = (0..<500).map { "{\\fnF\($0)}x" }
        for texts in [[many.joined()], many, (100..<600).map { "{\\b\($0)}x" }] {
            let renderer = try OverlayRenderer(cues(texts + ["x"]), geometry: small)
            _ = try renderer.overlay(at: .seconds(1))
            let reported = renderer.takeDiagnostics()
            #expect(reported.filter { $0.code == "not-drawn" }.count == 1)
            let opened = Self.libassSaid("default font family", reported)
            #expect(opened.count <= FontFace.mostAtOnce)
        }
    }

    @Test func manyFontsOfSubRipAreLeftOut() throws {
        let text = (0..<300).map { "<font face=\"F\($0)\">x</font>" }.joined()
        let renderer = try OverlayRenderer(
            content("1\n00:00:01,000 --> 00:00:03,000\n\(text)\n", .subRip), geometry: small)
        #expect(try renderer.overlay(at: .seconds(2)).isEmpty)
        #expect(renderer.takeDiagnostics().contains { $0.code == "not-drawn" })
    }

    @Test func fontsAreGivenBackWhilePlaying() throws {
        let texts = (0..<25).map { cue in
            (0..<20).map { "{\\fnF\(cue * 20 + $0)}\(Character(Unicode.Scalar(UInt8(97 + cue))))" }
                .joined()
        }
        let layer = try OverlayLayer(
            cues(texts, each: 1000), geometry: small, style: SubtitleStyle(), mayBeNative: true,
            limits: Limits())
        for index in texts.indices {
            #expect(try layer.update(to: Int64(index) * 1000 + 500))
            #expect(layer.fontCount <= FontFace.mostOfRenderer)
            #expect(!layer.bounds.isEmpty)
        }
        #expect(layer.fontCount > FontFace.mostAtOnce)
        // A new instance that draws nothing is a change, too.
        #expect(try layer.update(to: 30_000))
        #expect(layer.bounds.isEmpty)
        #expect(layer.takeDiagnostics().allSatisfy { $0.code != "not-drawn" })
    }

    // MARK: Letters

    /// Letters of an ancient script that the fonts at hand lack; seen by what libass says.
    private static let absent = "\u{12000}\u{12001}\u{12002}"

    @Test func lettersArePricedOnce() {
        let letters = price("aé{\\fnA}éß\u{200D}\u{202B}中中").fonts.values.map(\.letters)
        #expect(Set(letters) == [["é"], ["é", "ß", "中"]])
        let drawing = price("{\\p1}é").fonts.values.map(\.letters)
        #expect(drawing == [[]])
    }

    @Test func manyUnknownCharactersAreDropped() throws {
        let letters = String(
            String.UnicodeScalarView((0x3400..<0x4DB0).compactMap(Unicode.Scalar.init)))
        let renderer = try OverlayRenderer(cues([letters, "x"]), geometry: small)
        #expect(try !renderer.overlay(at: .seconds(1)).isEmpty)
        let reported = renderer.takeDiagnostics()
        #expect(reported.filter { $0.code == "not-drawn" }.count == 1)
        #expect(Self.libassSaid("glyph", reported).isEmpty)
    }

    /// Draws letters that no common font has.
    private static func layerWithoutGlyphs() throws -> OverlayLayer {
        let layer = try OverlayLayer(
            FontLimitTests().cues(["{\\kf500}a\(absent)é"]), geometry: small,
            style: SubtitleStyle(), mayBeNative: true, limits: Limits())
        try #require(try layer.update(to: 100))
        return layer
    }

    /// The letters of the layer that libass found in no font.
    private static func missing(in layer: OverlayLayer) -> Int {
        libassSaid("find any fallback", layer.takeDiagnostics()).count
    }

    @Test(
        .enabled(
            if: try missing(in: layerWithoutGlyphs()) == 3,
            "an installed font has cuneiform letters"
        ))
    func lettersWithoutGlyphAreLookedForOnce() throws {
        let layer = try Self.layerWithoutGlyphs()
        #expect(Self.missing(in: layer) == 3)
        // libass does not receive them again: they are replaced in its input.
        let renderer = try #require(layer.drawnBy)
        let asked = renderer.messages.missingGlyphs { _ = renderer.render(at: 200) }
        #expect(asked.isEmpty)
        #expect(!layer.bounds.isEmpty)
    }

    @Test func lettersAreReplacedWhereTheirFontLacksThem() throws {
        let cost = EventCost(script: script, geometry: small)
        let line = Array("0,0,Default,,0,0,0,,{\\k1}é中{\\fnA}中x{\\fn}中{\\p1}m 1".utf8)
        let uses = cost.price(of: line).fonts
        var glyphs = GlyphCoverageCache()
        #expect(glyphs.drawable(line, uses, cost.script) == line)
        let face = try #require(uses.keys.first { $0.family == Array("DejaVu Sans".utf8) })
        glyphs.learn(["é", "中", "\u{FFFD}"], without: ["中"], face)
        #expect(glyphs.unknown(["é", "x"], face) == ["x"])
        #expect(
            String(decoding: glyphs.drawable(line, uses, cost.script), as: UTF8.self)
                == "0,0,Default,,0,0,0,,{\\k1}é\u{FFFD}{\\fnA}中x{\\fn}\u{FFFD}{\\p1}m 1")
        glyphs.learn(["\u{FFFD}"], without: ["\u{FFFD}"], face)
        #expect(
            String(decoding: glyphs.drawable(line, uses, cost.script), as: UTF8.self)
                == "0,0,Default,,0,0,0,,{\\k1}é?{\\fnA}中x{\\fn}?{\\p1}m 1")
        glyphs.learn(
            Set((0x1_0000..<0x2_FFFF).compactMap(Unicode.Scalar.init)), without: [], face)
        glyphs.forgetIfLarge()
        #expect(glyphs.count == 0)
    }

    @Test func aFullPageOfLettersIsDrawn() throws {
        // Three hundred layers of a sign of many letters, as gradients are made.
        let sign = String(
            String.UnicodeScalarView((0x400..<0x450).compactMap(Unicode.Scalar.init)))
        let content = cues((0..<300).map { "{\\pos(300,\($0))\\clip(0,0,100,3)}\(sign)" })
        let renderer = try OverlayRenderer(content, geometry: small)
        _ = try renderer.overlay(at: .seconds(1))
        #expect(renderer.takeDiagnostics().isEmpty)
    }

    // MARK: Prices

    @Test func growingEventsAreCharged() {
        let budget = EventCost.budget(large)
        #expect(price("a" + String(repeating: "\u{301}", count: 30_000)).pixels > budget)
        #expect(price(String(repeating: "a\u{301}", count: 3000)).pixels < budget)
        #expect(price(String(repeating: #"{\k1}x"#, count: 30_000)).pixels > 30_000_000)
    }
}
