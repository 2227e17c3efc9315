import Testing
import UndertextCore

@Test func equalRunsAreJoined() {
    var italic = TextStyle()
    italic.isItalic = true
    var text = StyledText("a")
    text.append(TextRun("b"))
    text.append(TextRun("c", style: italic))
    text.append(TextRun("d", style: italic, appearsAt: .seconds(1)))
    text.append(TextRun(""))
    #expect(text.runs.map(\.text) == ["ab", "c", "d"])
    #expect(text.plainText == "abcd")
    #expect(!text.isEmpty)
    #expect(StyledText("").isEmpty)
}

@Test func bitmapsAreChecked() {
    let palette = [RGBA.clear, RGBA.white]
    let good = IndexedBitmap(width: 2, height: 1, indices: [0, 1], palette: palette)
    #expect(good?.rgba == [0, 0, 0, 0, 255, 255, 255, 255])
    #expect(IndexedBitmap(width: 2, height: 1, indices: [0, 2], palette: palette) == nil)
    #expect(IndexedBitmap(width: 2, height: 2, indices: [0, 1], palette: palette) == nil)
    #expect(IndexedBitmap(width: 0, height: 0, indices: [], palette: palette) == nil)
    #expect(IndexedBitmap(width: .max, height: 2, indices: [0], palette: palette) == nil)
    #expect(IndexedBitmap(width: 1, height: 1, indices: [0], palette: []) == nil)
}

@Test func lossesAreCountedWithTheirFirstExample() {
    var ledger = ConversionLosses()
    #expect(ledger.isEmpty)
    let cue = Cue(order: 4, start: .seconds(2), end: .seconds(3), content: .text(StyledText("x")))
    ledger.record(.font, in: cue)
    ledger.record(.position, cue: 5, start: .seconds(9))
    ledger.record(.font, cue: 6, start: .seconds(10))
    #expect(ledger.entries.map(\.kind) == [.font, .position])
    #expect(ledger.entries.map(\.count) == [2, 1])
    #expect(ledger.entries.map(\.cue) == [4, 5])
    #expect(ledger.entries.map(\.start) == [.seconds(2), .seconds(9)])
}

@Test func colorsHaveComponents() {
    let color = RGBA(red: 1, green: 2, blue: 3, alpha: 4)
    #expect(color.rawValue == 0x0102_0304)
    #expect([color.red, color.green, color.blue, color.alpha] == [1, 2, 3, 4])
}

@Test func plainTextOfACue() {
    let cue = Cue(start: .zero, end: .seconds(1), content: .text(StyledText("a\nb")))
    #expect(cue.plainText == "a\nb")
    let images = CueImages(canvas: nil, images: [])
    #expect(Cue(start: .zero, end: .seconds(1), content: .images(images)).plainText == nil)
    #expect(cue.layout.isDefault)
}
