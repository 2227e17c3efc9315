import Testing
import UndertextCore

@testable import UndertextFormats

@Suite struct PlainTextLossesTests {
    private func kinds(_ change: (inout TextRun, inout CueLayout) -> Void) -> [String] {
        var run = TextRun("words")
        var layout = CueLayout()
        change(&run, &layout)
        let cue = Cue(
            start: .zero, end: .zero, layout: layout, content: .text(StyledText(runs: [run])))
        return LossKinds(ofPlainText: cue).map(\.rawValue)
    }

    @Test func textWithoutStyleLosesNothing() {
        #expect(kinds { _, _ in } == [])
    }

    @Test func stylesAreLost() {
        #expect(kinds { run, _ in run.style.isItalic = true } == ["style"])
        #expect(kinds { run, _ in run.style.classes = ["loud"] } == ["style"])
        #expect(kinds { run, _ in run.style.color = .clear } == ["color"])
        #expect(kinds { run, _ in run.style.fontSize = .usual } == [])
        #expect(
            kinds { run, _ in
                run.style.background = .clear
                run.style.font = "Arial"
                run.style.fontSize = .ofHeight(1)
                run.style.voice = "Mary"
                run.style.language = "en"
            } == ["background", "font", "size", "voice", "metadata"])
    }

    @Test func timesRubyAndPlacesAreLost() {
        #expect(
            kinds { run, layout in
                run.appearsAt = .zero
                run.ruby = "ruby"
                layout.region = "fred"
            } == ["position", "karaoke", "ruby", "region"])
        let image = Cue(
            start: .zero, end: .zero, content: .images(CueImages(canvas: nil, images: [])))
        #expect(LossKinds(ofPlainText: image).map(\.rawValue) == ["image"])
    }
}
