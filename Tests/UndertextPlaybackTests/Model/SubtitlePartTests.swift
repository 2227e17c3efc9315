import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct SubtitlePartTests {
    @Test func aPartForEachPicture() throws {
        let bitmap = try #require(
            IndexedBitmap(width: 2, height: 1, indices: [0, 1], palette: [.white, .black]))
        let cue = Cue(
            start: .seconds(1), end: .seconds(2),
            content: .pictures(
                CuePictures(
                    canvas: nil,
                    pictures: [
                        PlacedBitmap(x: 10, y: 20, bitmap: bitmap),
                        PlacedBitmap(x: 30, y: 40, bitmap: bitmap),
                    ])))
        let canvas = PixelSize(width: 1920, height: 1080)
        let parts = SubtitlePart.parts(of: cue, delay: .milliseconds(-500), canvas: canvas)
        #expect(
            parts.map(\.origin) == [
                SubtitlePart.Origin(x: 10, y: 20), SubtitlePart.Origin(x: 30, y: 40),
            ])
        #expect(parts.allSatisfy { $0.image == bitmap && $0.text == nil && $0.canvas == canvas })
        #expect(parts.allSatisfy { $0.start == .milliseconds(500) && $0.cue == cue })
        #expect(parts.allSatisfy { $0.textPosition == nil })
    }

    @Test func text() throws {
        let text = StyledText("Hello")
        let cue = Cue(start: .seconds(1), end: .seconds(2), content: .text(text))
        let part = try #require(SubtitlePart.parts(of: cue).first)
        #expect(part.text == text)
        #expect(part.image == nil)
        #expect(part.textPosition == TextPosition())
        let empty = Cue(start: .zero, end: .seconds(1), content: .text(StyledText("")))
        #expect(SubtitlePart.parts(of: empty).isEmpty)
    }
}
