import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// The position of text, measured in pixels.
@Suite struct TextPlacementTests {
    /// A ninth of the screen, counted as on a numeric keypad.
    @Test(arguments: 1...9) func ninePositions(_ key: Int) throws {
        var layout = CueLayout()
        let row = (key - 1) / 3
        let column = (key - 1) % 3
        layout.textAlignment = [.left, .center, .right][column]
        if row > 0 {
            layout.line = row == 1 ? 50 : 0
            layout.snapToLines = row == 2
            layout.lineAlignment = row == 1 ? .center : .start
        }
        let overlay = try renderer([textCue("Words", layout: layout)]).overlay(at: .seconds(2))
        let ink = overlay.ink
        #expect(!ink.isEmpty)
        let (width, height) = (640, 360)
        let x = Double(ink.x * 2 + ink.width) / 2
        let y = Double(ink.y * 2 + ink.height) / 2
        switch column {
        // The safe area's edge, and the outline's width.
        case 0: #expect((28...34).contains(ink.x))
        case 1: #expect((x - 320).magnitude < 3)
        default: #expect((width - 34...width - 28).contains(ink.x + ink.width))
        }
        switch row {
        case 0: #expect((height - 26...height - 16).contains(ink.y + ink.height))
        case 1: #expect((y - 180).magnitude < 6)
        default: #expect((16...26).contains(ink.y))
        }
    }

    @Test(arguments: [10.0, 30, 60]) func percentagesFromTheTop(_ line: Double) throws {
        var layout = CueLayout()
        layout.line = line
        layout.snapToLines = false
        let ink = try renderer([textCue("Words", layout: layout)]).overlay(at: .seconds(2)).ink
        let top = line * 3.6
        // Capitals begin below the top of the line.
        #expect((top...top + 8).contains(Double(ink.y)))
    }

    @Test func nothingHangsOverTheEdge() throws {
        for line in [100.0, 250, -50] {
            var layout = CueLayout()
            layout.line = line
            layout.snapToLines = false
            let overlay = try renderer([textCue("one\ntwo", layout: layout)]).overlay(
                at: .seconds(2))
            let whole = try renderer([textCue("one\ntwo")]).overlay(at: .seconds(2))
            #expect(overlay.ink.height == whole.ink.height)
        }
        for line in [40.0, -40] {
            var layout = CueLayout()
            layout.line = line
            #expect(
                try renderer([textCue("one\ntwo", layout: layout)]).overlay(at: .seconds(2)).ink
                    .height > 30)
        }
    }

    @Test func boxesBreakLines() throws {
        let words = "some words that are too long for a narrow box"
        let wide = try renderer([textCue(words)]).overlay(at: .seconds(2)).ink
        var layout = CueLayout()
        layout.size = 30
        layout.position = 80
        layout.positionAlignment = .center
        let narrow = try renderer([textCue(words, layout: layout)]).overlay(at: .seconds(2)).ink
        #expect(narrow.height > wide.height * 2)
        #expect(narrow.x >= 640 * 65 / 100 - 3)
        #expect(narrow.x + narrow.width <= 640 * 95 / 100 + 3)
    }

    @Test func regions() throws {
        var region = Region(id: "fred")
        region.width = 40
        region.lines = 3
        region.viewportAnchor = Region.Anchor(x: 10, y: 50)
        region.regionAnchor = Region.Anchor(x: 0, y: 0)
        var layout = CueLayout()
        layout.region = "fred"
        layout.textAlignment = .left
        let header = SubtitleHeader(regions: [region])
        let ink = try renderer([textCue("Words", layout: layout)], header: header)
            .overlay(at: .seconds(2)).ink
        #expect((64...70).contains(ink.x))
        // The last of three lines.
        #expect((180 + 38...180 + 60).contains(ink.y + ink.height))
    }

    @Test func cuesMoveApart() throws {
        let one = try renderer([textCue("lower")]).overlay(at: .seconds(2)).ink
        let both = try renderer([textCue("lower"), textCue("upper", order: 1)])
            .overlay(at: .seconds(2)).ink
        #expect(both.height > one.height + 15)
        #expect(both.y + both.height >= one.y + one.height - 1)
    }

    /// Also in the middle, and from layers of a script once they are all moved to one place.
    @Test(arguments: [SubtitleStyle.Position.top, .middle, .bottom, .percent(40)])
    func movedCuesMoveApart(_ position: SubtitleStyle.Position) throws {
        var style = SubtitleStyle()
        style.position = position
        var other = textCue("other", order: 1)
        let one = try renderer([textCue("words")], style: style).overlay(at: .seconds(2)).ink
        for layer in 0...1 {
            other.layer = layer
            let both = try renderer([textCue("words"), other], style: style)
                .overlay(at: .seconds(2)).ink
            #expect(both.height > one.height + 15)
        }
    }

    /// Each line begins where its first letter with a direction does.
    @Test(arguments: [
        ("\u{5E9}\u{5DC}\u{5D5}\u{5DD} ", "hello", true),
        ("hello ", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", false),
        ("\u{645}\u{631}\u{62D}\u{628}\u{627} ", "123 words", true),
        ("- \u{5E9}\u{5DC}\u{5D5}\u{5DD}", "?", true), ("words ", "(and more).", false),
    ])
    func directions(_ first: String, _ second: String, _ isRightToLeft: Bool) throws {
        var (red, blue) = (TextStyle(), TextStyle())
        red.color = RGBA(rawValue: 0xFF00_00FF)
        blue.color = RGBA(rawValue: 0x0000_FFFF)
        let text = StyledText(runs: [
            TextRun("above\n"), TextRun(first, style: red), TextRun(second, style: blue),
        ])
        let overlay = try renderer([textCue(text)]).overlay(at: .seconds(2))
        let left = overlay.bounds { $0.red > 150 && $0.blue < 100 && $0.alpha > 200 }
        let right = overlay.bounds { $0.blue > 150 && $0.red < 100 && $0.alpha > 200 }
        #expect(!left.isEmpty && !right.isEmpty)
        #expect((left.x > right.x) == isRightToLeft)
    }

    /// A format may state the direction of lines, regardless of their characters.
    @Test func statedDirections() throws {
        var blue = TextStyle()
        blue.color = RGBA(rawValue: 0x0000_FFFF)
        for (first, second) in [("hello ", "\u{5E9}\u{5DC}"), ("\u{5E9}\u{5DC} ", "hello")] {
            for direction in [TextDirection.leftToRight, .rightToLeft] {
                var layout = CueLayout()
                layout.direction = direction
                let text = StyledText(runs: [
                    TextRun("above\n\(first)"), TextRun(second, style: blue),
                ])
                let overlay = try renderer([textCue(text, layout: layout)]).overlay(at: .seconds(2))
                let end = overlay.bounds { $0.blue > 150 && $0.red < 100 && $0.alpha > 200 }
                let isAtTheRight = end.x * 2 + end.width > overlay.ink.x * 2 + overlay.ink.width
                #expect(isAtTheRight == (direction == .leftToRight))
            }
        }
    }

    @Test func verticalText() throws {
        var layout = CueLayout()
        layout.vertical = .growingLeft
        layout.line = 0
        let ink = try renderer([textCue("Words and words", layout: layout)]).overlay(
            at: .seconds(2)
        ).ink
        #expect(ink.height > ink.width * 3)
        #expect(ink.x > 560)
    }

    @Test func secondContentAtTheTop() throws {
        let renderer = try OverlayRenderer(
            OverlayContent(cues: [textCue("below")]),
            second: OverlayContent(cues: [textCue("above")]), geometry: small)
        let overlay = try renderer.overlay(at: .seconds(2))
        let ink = overlay.ink
        #expect(ink.y < 30)
        #expect(ink.y + ink.height > 330)
        #expect(overlay.dirty.count == 2)
    }

    /// A second language goes below what the first one shows at the top, also if that changes, unless it is placed there.
    @Test func secondContentDoesNotCoverTheFirst() throws {
        var top = CueLayout()
        top.line = 0
        let low = Cue(
            order: 0, start: .zero, end: .seconds(10), content: .text(StyledText("dialogue")))
        let sign = Cue(
            order: 1, start: .seconds(4), end: .seconds(6), layout: top,
            content: .text(StyledText("a sign")))
        let other = Cue(
            order: 0, start: .zero, end: .seconds(10), content: .text(StyledText("the second")))
        func ink(_ first: [Cue], _ second: [Cue]?, at time: Timestamp) throws -> PixelRectangle {
            try OverlayRenderer(
                OverlayContent(cues: first), second: second.map { OverlayContent(cues: $0) },
                geometry: small
            ).overlay(at: time).ink
        }
        let alone = try ink([sign], nil, at: .seconds(5))
        let second = try ink([], [other], at: .seconds(5))
        #expect(alone.y < 30 && second.y < 30)
        let both = try ink([sign], [other], at: .seconds(5))
        // None of the rows of one are those of the other.
        #expect(both.y == alone.y && both.height >= alone.height + second.height - 2)
        #expect(both.height < 120)

        let renderer = try OverlayRenderer(
            OverlayContent(cues: [low, sign]), second: OverlayContent(cues: [other]),
            geometry: small)
        let pixels = try [Timestamp.seconds(2), .seconds(5), .seconds(8)].map { time in
            let overlay = try renderer.overlay(at: time)
            return (overlay.ink, overlay.pixels, overlay.changeID)
        }
        #expect(pixels[0].1 == pixels[2].1 && pixels[0].1 != pixels[1].1)
        #expect(Set(pixels.map(\.2)).count == 3)
        // A viewer who places it decides.
        var style = SubtitleStyle()
        style.position = .top
        try renderer.setStyle(style, of: .second)
        let covered = try renderer.overlay(at: .seconds(5))
        #expect(covered.pixels != pixels[1].1)
    }

    @Test func barsStayFree() throws {
        let geometry = OverlayGeometry(
            video: PixelSize(width: 640, height: 270), output: PixelSize(width: 640, height: 480))
        #expect(geometry.image == PixelRectangle(x: 0, y: 105, width: 640, height: 270))
        let renderer = try OverlayRenderer(
            OverlayContent(cues: [textCue("Words")]), geometry: geometry)
        let ink = try renderer.overlay(at: .seconds(2)).ink
        #expect((375 - 22...375 - 10).contains(ink.y + ink.height))
    }

    @Test(arguments: [
        (640, 360, 1.0, 1280, 720, PixelRectangle(x: 0, y: 0, width: 1280, height: 720)),
        (720, 576, 64.0 / 45, 1024, 576, PixelRectangle(x: 0, y: 0, width: 1024, height: 576)),
        (1440, 1080, 1.0, 1920, 1080, PixelRectangle(x: 240, y: 0, width: 1440, height: 1080)),
        (1920, 800, 1.0, 1920, 1080, PixelRectangle(x: 0, y: 140, width: 1920, height: 800)),
        (1920, 1080, 1.0, 853, 480, PixelRectangle(x: 0, y: 0, width: 853, height: 480)),
        (1, 1000, 1.0, 10, 10, PixelRectangle(x: 4, y: 0, width: 1, height: 10)),
    ])
    func image(
        _ width: Int, _ height: Int, _ aspect: Double, _ outWidth: Int, _ outHeight: Int,
        _ expected: PixelRectangle
    ) {
        let geometry = OverlayGeometry(
            video: PixelSize(width: width, height: height), pixelAspect: aspect,
            output: PixelSize(width: outWidth, height: outHeight))
        #expect(geometry.image == expected)
    }

    /// Pixels of the video that are not square stretch the video, not the letters over it.
    @Test(arguments: [(720, 576, 64.0 / 45), (1440, 576, 32.0 / 45), (352, 576, 3.0)])
    func lettersKeepTheirShape(_ width: Int, _ height: Int, _ aspect: Double) throws {
        func ink(_ video: PixelSize, _ aspect: Double, _ output: PixelSize) throws -> PixelRectangle
        {
            let renderer = try OverlayRenderer(
                OverlayContent(cues: [textCue("Words")]),
                geometry: OverlayGeometry(video: video, pixelAspect: aspect, output: output))
            return try renderer.overlay(at: .seconds(2)).ink
        }
        let stored = PixelSize(width: width, height: height)
        let shown = PixelSize(
            width: Int((Double(width) * aspect).rounded()), height: height)
        let square = try ink(shown, 1, shown)
        #expect(try ink(stored, aspect, shown) == square)
        #expect(square.width > square.height)
    }
}
