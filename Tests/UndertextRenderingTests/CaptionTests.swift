import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Captions are drawn on their grid.
@Suite struct CaptionTests {
    /// A cue of one line on the grid of CEA-608.
    private func cue(_ text: String, row: Int, column: Int) -> Cue {
        let (width, height) = (80.0 / 32, 80.0 / 15)
        let (left, top) = (10 + Double(column) * width, 10 + Double(row) * height)
        var layout = CueLayout()
        layout.captionLines = CaptionLines([
            CaptionLines.Line(
                left: left, top: top, columnWidth: width, height: height,
                boxes: [
                    RegionBackground(
                        color: .black, left: left, top: top,
                        right: left + Double(text.count) * width, bottom: top + height,
                        isAlwaysShown: false)
                ])
        ])
        return textCue(text, layout: layout)
    }

    private func drawn(_ cue: Cue, style: SubtitleStyle = SubtitleStyle()) throws -> Overlay {
        try OverlayRenderer(
            OverlayContent(header: SubtitleHeader(codec: .cea608), cues: [cue]),
            geometry: OverlayGeometry(video: PixelSize(width: 640, height: 480)), style: style
        ).overlay(at: .seconds(2))
    }

    /// The box fills its cells, and letters stay within it.
    @Test(arguments: [(0, 0, 32), (14, 0, 32), (14, 31, 1), (7, 5, 4)])
    func rowsAndColumns(_ row: Int, _ column: Int, _ count: Int) throws {
        let overlay = try drawn(
            cue(String(repeating: "W", count: count), row: row, column: column))
        let box = overlay.ink
        #expect((box.x - (64 + column * 16)).magnitude <= 1)
        #expect((box.y - (48 + Int(Double(row) * 25.6))).magnitude <= 1)
        #expect((box.width - count * 16).magnitude <= 2 && (25...27).contains(box.height))
        let letters = overlay.bounds { $0.red > 160 }
        #expect(letters.x >= box.x - 1 && letters.y >= box.y)
        #expect(letters.x + letters.width <= box.x + box.width + 1)
        #expect(letters.y + letters.height <= box.y + box.height)
        #expect(letters.width > count * 16 - 8)
    }

    @Test func viewersChangeBoxesAndPlaces() throws {
        let words = cue("words", row: 0, column: 0)
        var style = SubtitleStyle()
        style.background = RGBA(red: 0, green: 0, blue: 255)
        let blue = try drawn(words, style: style)
        #expect(blue.bounds { $0.blue > 200 && $0.red < 50 }.width >= 78)
        style.position = .bottom
        #expect(try drawn(words, style: style).ink.y > 240)
    }
}
