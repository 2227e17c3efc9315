import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct DisplayedSubtitleTests {
    @Test func aPartForEachImage() throws {
        let bitmap = try #require(
            IndexedBitmap(width: 2, height: 1, indices: [0, 1], palette: [.white, .black]))
        let cue = Cue(
            start: .seconds(1), end: .seconds(2),
            content: .images(
                CueImages(
                    canvas: nil,
                    images: [
                        PlacedBitmap(x: 10, y: 20, bitmap: bitmap),
                        PlacedBitmap(x: 30, y: 40, bitmap: bitmap),
                    ])))
        let canvas = PixelSize(width: 1920, height: 1080)
        let parts = DisplayedSubtitle.parts(of: cue, delay: .milliseconds(-500), canvas: canvas)
        #expect(
            parts.map(\.origin) == [
                DisplayedSubtitle.Origin(x: 10, y: 20), DisplayedSubtitle.Origin(x: 30, y: 40),
            ])
        #expect(parts.allSatisfy { $0.image == bitmap && $0.text == nil && $0.canvas == canvas })
        #expect(parts.allSatisfy { $0.start == .milliseconds(500) && $0.cue == cue })
        #expect(parts.allSatisfy { $0.textPosition == nil })
    }

    @Test func text() throws {
        let text = StyledText("Hello")
        let cue = Cue(start: .seconds(1), end: .seconds(2), content: .text(text))
        let part = try #require(DisplayedSubtitle.parts(of: cue).first)
        #expect(part.text == text)
        #expect(part.image == nil)
        #expect(part.textPosition == TextPosition())
        let empty = Cue(start: .zero, end: .seconds(1), content: .text(StyledText("")))
        #expect(DisplayedSubtitle.parts(of: empty).isEmpty)
    }
}
