import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Colors, boxes, edges and what a style overrides, by the pixels.
@Suite struct TextLookTests {
    private let red = RGBA(rawValue: 0xFF00_00FF)
    private let green = RGBA(rawValue: 0x00FF_00FF)
    private let blue = RGBA(rawValue: 0x0000_FFFF)

    /// Large enough for outlines of more than a pixel.
    private let middling = OverlayGeometry(video: PixelSize(width: 1280, height: 720))

    private func drawn(
        _ cue: Cue, _ style: SubtitleStyle = SubtitleStyle()
    ) throws -> Overlay {
        try OverlayRenderer(OverlayContent(cues: [cue]), geometry: middling, style: style)
            .overlay(at: .seconds(2))
    }

    private func count(_ overlay: Overlay, _ color: RGBA) -> Int {
        let bytes = overlay.straightRGBA
        var found = 0
        for place in stride(from: 0, to: bytes.count, by: 4)
        where bytes[place] == color.red && bytes[place + 1] == color.green
            && bytes[place + 2] == color.blue && bytes[place + 3] == color.alpha
        {
            found += 1
        }
        return found
    }

    private func styled(_ change: (inout TextStyle) -> Void) -> Cue {
        var style = TextStyle()
        change(&style)
        return textCue(StyledText(runs: [TextRun("WORDS", style: style)]))
    }

    @Test func whiteOnAnOutline() throws {
        let overlay = try drawn(textCue("WORDS"))
        #expect(count(overlay, .white) > 100)
        #expect(count(overlay, .black) > 20)
        #expect(overlay.bounds(where: { $0 == .black }).width >= overlay.ink.width - 4)
    }

    @Test func colors() throws {
        #expect(count(try drawn(styled { $0.color = red }), red) > 100)
        let half = RGBA(red: 0, green: 255, blue: 0, alpha: 128)
        #expect(count(try drawn(styled { $0.color = half }), green) == 0)
        var style = SubtitleStyle()
        style.foreground = green
        let overlay = try drawn(styled { $0.color = red }, style)
        #expect(count(overlay, red) == 0)
        #expect(count(overlay, green) > 100)
    }

    @Test func boxes() throws {
        let overlay = try drawn(styled { $0.background = blue })
        let box = overlay.bounds { $0 == blue }
        #expect(count(overlay, blue) > count(overlay, .white))
        // Nothing but the box and letters on it.
        #expect(count(overlay, .black) == 0)
        #expect(box.width >= overlay.ink.width - 2 && box.height >= overlay.ink.height - 2)
        var style = SubtitleStyle()
        style.background = .clear
        #expect(count(try drawn(styled { $0.background = blue }, style), blue) == 0)
        style.background = red
        #expect(count(try drawn(styled { $0.background = blue }, style), red) > 100)
    }

    @Test func windows() throws {
        var style = SubtitleStyle()
        style.window = RGBA(rawValue: 0x0000_FFFF)
        let overlay = try drawn(textCue("one\nand two"), style)
        let window = overlay.bounds { $0 == blue }
        #expect(window.height > 80)
        // Left and right of the short line, too.
        #expect(overlay.color(x: window.x + 3, y: window.y + 5) == blue)
    }

    @Test(arguments: SubtitleStyle.Edge.allCases) func edges(_ edge: SubtitleStyle.Edge) throws {
        var style = SubtitleStyle()
        style.edge = edge
        style.edgeColor = red
        style.foreground = green
        style.scale = 2
        let overlay = try drawn(textCue("I"), style)
        try overlay.keep(as: "edge-\(edge.rawValue)")
        let ink = overlay.bounds { $0 == green }
        let edges = overlay.bounds { $0.red > 150 && $0.green < 100 && $0.alpha > 100 }
        let light = overlay.bounds { $0.red > 150 && $0.blue > 150 && $0.alpha > 100 }
        switch edge {
        case .none:
            #expect(edges.width <= 0 && light.width <= 0)
        case .uniform:
            #expect(edges.x < ink.x && edges.x + edges.width > ink.x + ink.width)
            #expect(edges.y < ink.y && edges.y + edges.height > ink.y + ink.height)
        case .dropShadow, .raised:
            #expect(edges.x >= ink.x && edges.x + edges.width > ink.x + ink.width)
            #expect(edges.y + edges.height > ink.y + ink.height)
            if edge == .raised { #expect(light.x < ink.x && light.y < ink.y) }
        case .depressed:
            #expect(edges.x < ink.x && edges.y < ink.y)
            #expect(light.x + light.width > ink.x + ink.width)
        }
    }

    @Test func edgesOnBoxes() throws {
        var style = SubtitleStyle()
        style.edge = .uniform
        style.edgeColor = red
        let overlay = try drawn(styled { $0.background = blue }, style)
        #expect(count(overlay, red) > 10)
        #expect(count(overlay, blue) > 100)
        #expect(count(overlay, .white) > 100)
    }

    @Test func sizesAndFonts() throws {
        let usual = try drawn(textCue("Words")).ink
        var style = SubtitleStyle()
        style.scale = 2
        let double = try drawn(textCue("Words"), style).ink
        #expect((Double(double.width) / Double(usual.width) - 2).magnitude < 0.15)
        style = SubtitleStyle()
        style.isBold = true
        #expect(try drawn(textCue("Words"), style).ink.width > usual.width)
        let bold = try drawn(styled { $0.isBold = true }).ink
        style.isBold = false
        #expect(try drawn(styled { $0.isBold = true }, style).ink.width < bold.width)
        style = SubtitleStyle()
        style.isItalic = true
        #expect(
            try drawn(textCue("Words"), style).pixels != drawn(textCue("Words")).pixels)
        style = SubtitleStyle()
        style.typeface = "DejaVu Sans Mono"
        #expect(try drawn(textCue("iiiii"), style).ink.width > drawn(textCue("iiiii")).ink.width)
    }

    @Test func opacity() throws {
        var style = SubtitleStyle()
        style.opacity = 0.5
        let overlay = try drawn(textCue("WORDS"), style)
        let bytes = overlay.pixels
        var alphas: Set<UInt8> = []
        for place in stride(from: 3, to: bytes.count, by: 4) { alphas.insert(bytes[place]) }
        #expect(alphas.max() == 127)
        // Letters hide their outline as before.
        #expect(overlay.straightRGBA.contains(255))
        style.opacity = 0
        #expect(try drawn(textCue("WORDS"), style).pixels.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [
        (SubtitleStyle.Position.top, 36...50), (.middle, 326...350), (.bottom, 640...672),
        (.percent(0), 36...50), (.percent(100), 640...672), (.percent(25), 186...206),
    ])
    func positions(_ position: SubtitleStyle.Position, _ top: ClosedRange<Int>) throws {
        var style = SubtitleStyle()
        style.position = position
        #expect(top.contains(try drawn(textCue("WORDS"), style).ink.y))
    }

    @Test func rubyIsReadable() throws {
        let plain = try drawn(textCue("base")).ink
        let ruby = try drawn(textCue(StyledText(runs: [TextRun("base", ruby: "ruby")]))).ink
        #expect(ruby.width > plain.width * 3 / 2)
    }

    @Test func bracesAndBackslashes() throws {
        let braces = try drawn(textCue(#"{\b1}a\Nb"#)).ink
        #expect(braces.height < 60)
        #expect(braces.width > 120)
    }

    /// The effect of STYLE rules on `plain <b>bold</b> <v Bob>bob</v> <c.loud>loud</c>`, the cue `one`: visible
    /// and missing colors.
    @Test(arguments: [
        ("::cue { color: red }", "red", "white"),
        ("::cue(b) { color: red }", "red white", "blue"),
        ("::cue(b, .loud) { color: red } ::cue(.loud) { color: blue }", "red blue white", ""),
        ("::cue(#one) { color: #f00 } ::cue(#two) { color: blue }", "red", "blue white"),
        (#"::cue(v[voice="Bob"]) { color: rgb(255, 0, 0) }"#, "red white", ""),
        (#"::cue(v[voice="Eve"]) { color: red }"#, "white", "red"),
        ("::cue(b.loud) { color: red }", "white", "red"),
        ("::cue(.loud) { color: red } ::cue(c) { color: blue }", "red white", "blue"),
        ("::cue(c) { color: blue !important } ::cue(.loud) { color: red }", "blue", "red"),
        ("/* } */ video::cue( b )\n{ background : red", "red white", ""),
        ("::cue { background-color: red } ::cue(b) { color: blue }", "red blue white", ""),
        (
            #"::cue(.\6Coud) { color: red; content: "}" } ::cue { color: blue }"#, "red blue",
            "white"
        ),
        ("@media x { ::cue(b) { color: blue } } ::cue(b) { color: red }", "red", "blue"),
    ])
    func styleSheets(_ sheet: String, _ seen: String, _ unseen: String) throws {
        let colors = ["red": red, "blue": blue, "white": .white]
        let cue =
            "one\n00:01.000 --> 00:03.000\nplain <b>BOLD</b> <v Bob>bob</v> <c.loud>LOUD</c>\n"
        let overlay = try OverlayRenderer(
            content("WEBVTT\n\nSTYLE\n\(sheet)\n\n\(cue)", .webVTT), geometry: middling
        ).overlay(at: .seconds(2))
        for name in seen.split(separator: " ") {
            #expect(count(overlay, try #require(colors[String(name)])) > 50)
        }
        for name in unseen.split(separator: " ") {
            #expect(count(overlay, try #require(colors[String(name)])) < 10)
        }
    }

    /// Weight, slant, lines and size are drawn; unsupported properties are reported.
    @Test func styleSheetsBeyondColors() throws {
        func drawn(_ sheet: String) throws -> (overlay: Overlay, told: [String]) {
            let cue = "00:01.000 --> 00:03.000\n<c.x>WORDS</c> and <i>more</i>\n"
            let renderer = try OverlayRenderer(
                content("WEBVTT\n\nSTYLE\n\(sheet)\n\n\(cue)", .webVTT), geometry: middling)
            let overlay = try renderer.overlay(at: .seconds(2))
            let told = renderer.takeDiagnostics().filter { $0.code == "not-drawn" }
            return (overlay, told.map(\.message))
        }
        let plain = try drawn("::cue(.y) { color: red }")
        #expect(plain.told.isEmpty)
        for declaration in [
            "font-weight: bold", "font-style: italic", "text-decoration: underline line-through",
            "font-size: 150%", "font-size: 10vh", #"font-family: "DejaVu Serif", serif"#,
        ] {
            let other = try drawn("::cue(.x) { \(declaration) }")
            #expect(other.overlay.pixels != plain.overlay.pixels, "\(declaration)")
            #expect(other.told.isEmpty)
        }
        #expect(
            try drawn("::cue(i) { font-style: normal }").overlay.pixels != plain.overlay.pixels)
        let double = try drawn("::cue { font-size: 2em }").overlay.ink
        #expect((Double(double.width) / Double(plain.overlay.ink.width) - 2).magnitude < 0.15)
        let told = try drawn(
            "::cue(:past) { color: red } ::cue { text-shadow: 1px 1px; opacity: 0.5 }"
        ).told
        #expect(told.count == 3)
        #expect(told.contains { $0.states("text-shadow: 1px 1px") })
    }

    @Test func syllablesAppear() throws {
        let cue = textCue(
            StyledText(runs: [TextRun("one "), TextRun("two", appearsAt: .seconds(2))]))
        let renderer = try renderer([cue])
        let before = try renderer.overlay(at: .milliseconds(1900))
        #expect(before.isAnimated)
        let after = try renderer.overlay(at: .milliseconds(2100))
        #expect(count(after, .white) > count(before, .white))
        #expect(before.ink.x == after.ink.x)
    }

    @Test func premultipliedInBothOrders() throws {
        let cue = styled { $0.color = RGBA(red: 255, green: 128, blue: 0, alpha: 128) }
        var geometry = small
        let rgba = try OverlayRenderer(OverlayContent(cues: [cue]), geometry: geometry)
            .overlay(at: .seconds(2))
        geometry.format = .bgra
        let bgra = try OverlayRenderer(OverlayContent(cues: [cue]), geometry: geometry)
            .overlay(at: .seconds(2))
        for place in stride(from: 0, to: rgba.pixels.count, by: 4) {
            let one = rgba.pixels[place..<place + 4]
            #expect(Array(one) == [2, 1, 0, 3].map { bgra.pixels[place + $0] })
            #expect(one.dropLast().allSatisfy { $0 <= rgba.pixels[place + 3] })
            if Array(one) != [2, 1, 0, 3].map({ bgra.pixels[place + $0] }) { break }
        }
        #expect(rgba.straightRGBA == bgra.straightRGBA)
    }
}

/// Outlines, shadows and areas that text states itself, by the pixels.
@Suite struct TextEffectTests {
    private let red = RGBA(rawValue: 0xFF00_00FF)
    private let geometry = OverlayGeometry(video: PixelSize(width: 1280, height: 720))

    private func drawn(_ cues: [Cue], _ style: SubtitleStyle = SubtitleStyle()) throws -> Overlay {
        try OverlayRenderer(OverlayContent(cues: cues), geometry: geometry, style: style)
            .overlay(at: .seconds(2))
    }

    private func styled(_ change: (inout TextStyle) -> Void) -> Cue {
        var style = TextStyle()
        change(&style)
        return textCue(StyledText(runs: [TextRun("WORDS", style: style)]))
    }

    private func has(_ overlay: Overlay, _ color: RGBA) -> Bool {
        overlay.bounds(where: { $0 == color }).width > 0
    }

    @Test func outlines() throws {
        let thick = styled { $0.outline = TextOutline(color: red, width: 1500) }
        let overlay = try drawn([thick])
        #expect(has(overlay, red) && has(overlay, .white) && !has(overlay, .black))
        #expect(overlay.ink.height >= (try drawn([textCue("WORDS")])).ink.height + 12)
        // The viewer wins.
        var style = SubtitleStyle()
        style.edge = .uniform
        #expect(!has(try drawn([thick], style), red))
    }

    @Test func shadows() throws {
        let plain = try drawn([textCue("WORDS")]).ink
        let shadow = try drawn([
            styled { $0.shadows = [TextShadow(color: red, x: 2000, y: 2000)] }
        ])
        #expect(has(shadow, red) && has(shadow, .black))
        #expect(shadow.ink.height >= plain.height + 12)
    }

    /// A line that may not break is drawn past the edges.
    @Test func unbrokenLines() throws {
        let words = String(repeating: "word ", count: 30)
        var style = TextStyle()
        style.isUnbroken = true
        let broken = try drawn([textCue(words)]).ink
        let whole = try drawn([
            textCue(StyledText(runs: [TextRun(words, style: style)]))
        ]).ink
        #expect(whole.width > 1270 && whole.height * 2 < broken.height)
    }

    /// Letters that are seen through have an outline that is.
    @Test func opacity() throws {
        let overlay = try drawn([
            styled { $0.color = RGBA(red: 255, green: 255, blue: 255, alpha: 26) }
        ])
        #expect(!has(overlay, .black))
        let bytes = overlay.straightRGBA
        let strongest = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }.max() ?? 0
        #expect((1...60).contains(strongest))
    }

    /// Two cues of one region share its area.
    @Test func areas() throws {
        let half = RGBA(red: 0, green: 0, blue: 255, alpha: 128)
        var layout = CueLayout()
        layout.background = RegionBackground(
            color: half, left: 25, top: 50, right: 75, bottom: 75, isAlwaysShown: false)
        let overlay = try drawn([
            textCue("one", layout: layout), textCue("two", layout: layout, order: 1),
        ])
        let area = overlay.bounds(where: { $0.blue > 200 && (120...135).contains($0.alpha) })
        #expect((area.x - 320).magnitude <= 1 && (area.y - 360).magnitude <= 1)
        #expect((area.width - 640).magnitude <= 2 && (area.height - 180).magnitude <= 2)
        // It is not drawn twice, which would be less transparent.
        #expect(overlay.bounds(where: { $0.blue > 200 && $0.red < 50 && $0.alpha > 160 }).isEmpty)
    }

    /// Chosen by eye on white, black and busy frames; text of a stated size keeps it.
    @Test func usualText() throws {
        let canvas = PixelSize(width: 1920, height: 1080)
        let script = ASSRenderScript(
            header: SubtitleHeader(), canvas: canvas, style: SubtitleStyle())
        let styles = String(decoding: script.header, as: UTF8.self).split(separator: "\n")
        let letters = try #require(styles.first { $0.hasPrefix("Style: Letters,") })
        #expect(
            letters.hasPrefix(
                "Style: Letters,sans-serif,72,&H00FFFFFF,&H00FFFFFF,&H00000000,&H5F000000,"))
        #expect(letters.contains(",1,3.6,1.8,2,0,0,0,"))
        let stated = styled { $0.fontSize = .ofHeight(5000) }
        let event = try #require(script.events(of: stated, number: 0).last)
        #expect(String(decoding: event, as: UTF8.self).contains("\\fs54\\"))
    }
}
