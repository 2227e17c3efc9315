import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback
import UndertextRendering

/// A renderer follows what a model selects, loads and delays.
@Suite(.enabled(if: OverlayRenderer.isAvailable, "built without the trait Rendering"))
struct ModelOverlayTests {
    private let video = PixelSize(width: 320, height: 180)

    /// Images of a color at every even second for a second, at a place.
    private func images(_ id: String, _ color: UInt32, x: Int, language: String) throws
        -> SubtitleInfo
    {
        let bitmap = try #require(
            IndexedBitmap(
                width: 20, height: 10, indices: Array(repeating: 0, count: 200),
                palette: [RGBA(rawValue: color)]))
        let cues = (0..<100).map { index in
            Cue(
                order: index, start: .seconds(Int64(index) * 2),
                end: .seconds(Int64(index) * 2 + 1),
                content: .images(
                    CueImages(
                        canvas: video, images: [PlacedBitmap(x: x, y: 150, bitmap: bitmap)])))
        }
        let document = SubtitleDocument(
            header: SubtitleHeader(codec: .pgs, canvas: video), cues: cues)
        return SubtitleInfo(
            id: id, name: id, language: LanguageTag(language), isBitmap: true,
            origin: .document(document))
    }

    private func overlay(
        _ renderer: OverlayRenderer, _ model: SubtitleModel, at time: Timestamp
    ) throws -> Overlay {
        _ = model.subtitle(currentTime: time)
        #expect(model.waitUntilReady(timeout: .patience))
        return try renderer.overlay(at: time)
    }

    @Test func theSelectionIsDrawn() throws {
        let model = SubtitleModel()
        model.addSubtitle(info: try images("red", 0xFF00_00FF, x: 10, language: "en"))
        model.addSubtitle(info: try images("blue", 0x0000_FFFF, x: 200, language: "fr"))
        let renderer = try OverlayRenderer(
            model: model, geometry: OverlayGeometry(video: video))
        let none = try overlay(renderer, model, at: .milliseconds(500))
        #expect(none.isEmpty)
        model.select(language: "en")
        let red = try overlay(renderer, model, at: .milliseconds(500))
        #expect(red.bounds == PixelRectangle(x: 10, y: 150, width: 20, height: 10))
        #expect(red.dirty == [red.bounds] && red.changeID > none.changeID)
        // Nothing is drawn again while nothing changes, and nothing is left after a cue.
        let same = try overlay(renderer, model, at: .milliseconds(600))
        #expect(same.changeID == red.changeID && same.dirty.isEmpty)
        let gap = try overlay(renderer, model, at: .milliseconds(1500))
        #expect(gap.isEmpty && gap.dirty == [red.bounds])
        #expect(try !overlay(renderer, model, at: .seconds(100)).isEmpty)
        // Another selection leaves nothing of the one before.
        let before = try overlay(renderer, model, at: .milliseconds(500))
        model.select(language: "fr")
        let blue = try overlay(renderer, model, at: .milliseconds(500))
        #expect(blue.bounds == PixelRectangle(x: 200, y: 150, width: 20, height: 10))
        #expect(blue.changeID > before.changeID)
        #expect(blue.dirty.contains(before.bounds) && blue.dirty.contains(blue.bounds))
        // A second one at the top, and a delay.
        model.select(language: "en", at: .second)
        let both = try overlay(renderer, model, at: .milliseconds(500))
        #expect(both.bounds == PixelRectangle(x: 10, y: 9, width: 210, height: 151))
        model.subtitleDelay = .seconds(1)
        #expect(try overlay(renderer, model, at: .milliseconds(500)).isEmpty)
        #expect(try !overlay(renderer, model, at: .milliseconds(1500)).isEmpty)
    }

    @Test func sizesAndStylesChange() throws {
        let model = SubtitleModel()
        model.addSubtitle(info: try images("red", 0xFF00_00FF, x: 10, language: "en"))
        model.select(language: "en")
        var style = SubtitleStyle()
        style.alignment = .right
        let renderer = try OverlayRenderer(
            model: model, geometry: OverlayGeometry(video: video), style: style)
        let first = try overlay(renderer, model, at: .zero)
        #expect(first.bounds == PixelRectangle(x: 284, y: 150, width: 20, height: 10))
        try renderer.setStyle(SubtitleStyle())
        #expect(try overlay(renderer, model, at: .zero).bounds.x == 10)
        try renderer.setGeometry(
            OverlayGeometry(video: video, output: PixelSize(width: 640, height: 360)))
        let large = try overlay(renderer, model, at: .zero)
        #expect(large.width == 640)
        #expect(large.bounds == PixelRectangle(x: 20, y: 300, width: 40, height: 20))
        #expect(large.changeID > first.changeID)
        #expect(throws: UndertextError.self) {
            try renderer.setGeometry(
                OverlayGeometry(video: video, output: PixelSize(width: 1 << 20, height: 1)))
        }
        let again = try overlay(renderer, model, at: .zero)
        #expect(again.changeID == large.changeID && again.pixels == large.pixels)
        #expect(renderer.geometry.output.width == 640)
    }
}
