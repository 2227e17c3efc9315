import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Alignment and margins that a viewer wants, and properties that count only where the content states none.
@Suite struct ViewerPlacementTests {
    private func style(_ settings: String) -> SubtitleStyle {
        SubtitleStyle(settings: settings) { Issue.record("\($0)") }
    }

    private func ink(_ cue: Cue, _ settings: String) throws -> PixelRectangle {
        try OverlayRenderer(
            OverlayContent(cues: [cue]),
            geometry: OverlayGeometry(video: PixelSize(width: 640, height: 360)),
            style: style(settings)
        ).overlay(at: .seconds(2)).ink
    }

    @Test func textIsAligned() throws {
        let cue = textCue("Words")
        let usual = try ink(cue, "")
        let left = try ink(cue, "align=left")
        let right = try ink(cue, "align=right")
        // Five percent from the edges, and the outline's width.
        #expect((28...34).contains(left.x))
        #expect((606...612).contains(right.x + right.width))
        #expect(left.y == usual.y && right.y == usual.y && left.width == usual.width)
        #expect(try ink(cue, "align=center") == usual)
        var layout = CueLayout()
        layout.position = 80
        layout.size = 20
        #expect(try ink(textCue("Words", layout: layout), "align=left").x == left.x)
    }

    @Test func textKeepsAwayFromMargins() throws {
        let cue = textCue("Words")
        let left = try ink(cue, "align=left\nmargin-left=20%")
        #expect((124...130).contains(left.x))
        let right = try ink(cue, "align=right\nmargin-right=25")
        #expect((478...484).contains(right.x + right.width))
        let low = try ink(cue, "")
        let high = try ink(cue, "margin-vertical=20")
        // Fifteen percent of the height higher than usual.
        #expect((low.y - high.y - 54).magnitude <= 1)
        let top = try ink(cue, "position=top\nmargin-vertical=20")
        #expect((72...82).contains(top.y))
        let between = try ink(cue, "margin-left=40\nmargin-right=0")
        #expect((Double(between.x) + Double(between.width) / 2 - 448).magnitude < 3)
    }

    /// A script's own alignment gives its row, the viewer the column.
    @Test func scriptsAreAligned() throws {
        let script = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 640
            PlayResY: 360

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, Alignment, MarginL, MarginR, MarginV
            Style: Default,sans-serif,30,&H00FFFFFF,2,10,10,10

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            """
        func ink(_ text: String, _ settings: String) throws -> PixelRectangle {
            let cue = Cue(
                start: .seconds(1), end: .seconds(3), content: .text(StyledText("Words")),
                source: .ass("0,0,Default,,5,5,5,,\(text)"))
            return try OverlayRenderer(
                OverlayContent(
                    header: SubtitleHeader(codec: .ass, codecPrivate: Array(script.utf8)),
                    cues: [cue]),
                geometry: OverlayGeometry(video: PixelSize(width: 640, height: 360)),
                style: style(settings)
            ).overlay(at: .seconds(2)).ink
        }
        let usual = try ink("Words", "")
        let left = try ink("Words", "align=left")
        #expect(left.x < 30 && left.y == usual.y)
        let top = try ink("{\\an9}Words", "")
        let topLeft = try ink("{\\an9}Words", "align=left\nmargin-left=10")
        #expect(top.x > 400 && topLeft.y == top.y && (62...70).contains(topLeft.x))
        let raised = try ink("Words", "margin-vertical=25")
        #expect((usual.y - raised.y - 85).magnitude <= 1)
        // A script states everything.
        #expect(
            try ink("Words", "align=left\nforeground=red\nscale=2\ncontent-first=all") == usual)
    }

    @Test func imagesAreAligned() throws {
        let bitmap = IndexedBitmap(
            width: 50, height: 20, indices: Array(repeating: 0, count: 1000),
            palette: [RGBA(rawValue: 0xFF00_00FF)])
        let cue = Cue(
            start: .seconds(1), end: .seconds(3),
            content: .images(
                CueImages(
                    canvas: PixelSize(width: 640, height: 360),
                    images: try [
                        PlacedBitmap(x: 100, y: 280, bitmap: #require(bitmap)),
                        PlacedBitmap(x: 200, y: 300, bitmap: #require(bitmap)),
                    ])))
        func place(_ settings: String) throws -> PixelRectangle { try ink(cue, settings) }
        let all = PixelRectangle(x: 100, y: 280, width: 150, height: 40)
        #expect(try place("") == all)
        #expect(
            try place("align=left") == PixelRectangle(x: 32, y: 280, width: 150, height: 40))
        #expect(
            try place("align=right\nmargin-right=10")
                == PixelRectangle(x: 426, y: 280, width: 150, height: 40))
        #expect(
            try place("align=center") == PixelRectangle(x: 245, y: 280, width: 150, height: 40))
        #expect(
            try place("margin-left=25") == PixelRectangle(x: 160, y: 280, width: 150, height: 40))
        #expect(
            try place("margin-vertical=20")
                == PixelRectangle(x: 100, y: 248, width: 150, height: 40))
        // Images state where they are.
        #expect(try place("align=left\nposition=top\ncontent-first=align,position") == all)
    }

    private func colors(_ cue: Cue, _ settings: String) -> [String] {
        let script = ASSRenderScript(
            header: SubtitleHeader(codec: .webVTT), canvas: PixelSize(width: 1920, height: 1080),
            style: style(settings))
        let events = script.events(of: cue, number: 0).map { String(decoding: $0, as: UTF8.self) }
        return ["&H00FF00&", "&H0000FF&", "&HFF0000&"].filter { color in
            events.contains { $0.contains(color) }
        }
    }

    /// The four rows: the content alone, and who counts where content, application and viewer state a color.
    @Test func contentOrViewerFirst() throws {
        var green = TextStyle()
        green.color = RGBA(rawValue: 0x00FF_00FF)
        let mixed = Cue(
            start: .seconds(1), end: .seconds(3),
            content: .text(
                StyledText(runs: [TextRun("a", style: green), TextRun("b")])))
        #expect(colors(mixed, "") == ["&H00FF00&"])
        // Red, which scripts write as blue, green, red.
        #expect(colors(mixed, "foreground=red") == ["&H0000FF&"])
        #expect(
            colors(mixed, "foreground=red\ncontent-first=foreground")
                == ["&H00FF00&", "&H0000FF&"])
        let application = style("foreground=blue")
        for (settings, expected) in [
            ("foreground=red", ["&H0000FF&"]),
            ("foreground=red\ncontent-first=all", ["&H00FF00&", "&H0000FF&"]),
            ("scale=2\ncontent-first=all", ["&HFF0000&"]),
        ] {
            let style = SubtitleStyle.effective(
                application: application, viewer: style(settings))
            let script = ASSRenderScript(
                header: SubtitleHeader(codec: .webVTT),
                canvas: PixelSize(width: 1920, height: 1080), style: style)
            let events = script.events(of: mixed, number: 0)
                .map { String(decoding: $0, as: UTF8.self) }
            let found = ["&H00FF00&", "&H0000FF&", "&HFF0000&"].filter { color in
                events.contains { $0.contains(color) }
            }
            #expect(found == expected, "\(settings)")
        }
    }

    /// Each property for itself: what the content states stays, what it does not state is the viewer's.
    @Test func propertiesThatTheContentStates() throws {
        let plain = textCue("Words")
        var layout = CueLayout()
        layout.line = 0
        let placed = textCue("Words", layout: layout)
        let settings = "position=middle\ncontent-first=position"
        #expect(try ink(placed, settings) == ink(placed, ""))
        #expect(try ink(plain, settings) == ink(plain, "position=middle"))
        var left = CueLayout()
        left.textAlignment = .left
        let aligned = "align=right\nmargin-right=20\ncontent-first=align,margin"
        #expect(
            try ink(textCue("Words", layout: left), aligned).x
                == ink(textCue("Words", layout: left), "").x)
        #expect(try ink(plain, aligned) == ink(plain, "align=right\nmargin-right=20"))
        #expect(try ink(plain, "scale=2\ncontent-first=all") == ink(plain, "scale=2"))
    }

    @Test func flagsGoWithTheirProperties() {
        let merged = SubtitleStyle.effective(
            application: style("foreground=red\nscale=2\ncontent-first=foreground,scale"),
            viewer: style("foreground=blue\nalign=left\ncontent-first=align,bold"))
        #expect(merged.foreground == style("foreground=blue").foreground && merged.scale == 2)
        #expect(merged.contentFirst == [.scale, .alignment])
        #expect(merged.overriding.foreground != nil && merged.overriding.scale == nil)
        #expect(merged.fallback.scale == 2 && merged.fallback.alignment == .left)
        #expect(merged.fallback.foreground == nil && merged.fallback.contentFirst.isEmpty)
    }

    @Test(arguments: [
        "align=top", "align=", "margin-left=46", "margin-left=-1", "margin-right=left",
        "margin-vertical=", "content-first=size", "content-first=foreground,,", "margin=5",
    ])
    func wrongSettings(_ setting: String) {
        var style = SubtitleStyle()
        #expect(throws: UndertextError.self) { try style.set(setting) }
        #expect(style.isDefault)
    }
}
