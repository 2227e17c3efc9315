import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Compressed tracks may have any amount of text: writers hold it back up to a limit, and then write the styles
/// known so far before it.
@Suite struct HeldBackTests {
    private func colored(_ text: String, _ color: UInt32) -> StyledText {
        var style = TextStyle()
        style.color = RGBA(rawValue: color)
        return StyledText(runs: [TextRun(text, style: style)])
    }

    /// Writes 66 MiB between a cue of a color and two more, and gives the first and the last bytes.
    private func ends(_ writer: inout some CueWriter) -> (head: String, tail: String) {
        var output: [UInt8] = []
        writer.begin(into: &output)
        writer.write(textCue(0, 1000, colored("r", 0x1234_56FF)), into: &output)
        let words = String(repeating: "a", count: 1 << 20)
        for index in 1...66 as ClosedRange<Int64> {
            let cue = textCue(index * 1000, index * 1000 + 1000, StyledText(words))
            writer.write(cue, into: &output)
        }
        writer.write(textCue(80_000, 81_000, StyledText("plain")), into: &output)
        #expect(output.count > 66 << 20)
        // A color that is known keeps its style; another one has none any more.
        writer.write(textCue(90_000, 91_000, colored("r", 0x1234_56FF)), into: &output)
        writer.write(textCue(91_000, 92_000, colored("l", 0x6543_21FF)), into: &output)
        writer.finish(into: &output)
        #expect(!writer.takesLateStyles)
        return (
            String(decoding: output.prefix(2000), as: UTF8.self),
            String(decoding: output.suffix(1100), as: UTF8.self)
        )
    }

    @Test func webVTT() {
        var writer = WebVTTWriter()
        let (head, tail) = ends(&writer)
        #expect(tail.contains("<c.c123456>r</c>") && !tail.contains("654321"))
        #expect(head.contains("::cue(.c123456)") && head.contains("::cue(.red)"))
        #expect(writer.losses.entries.map(\.kind) == [.color])
    }

    @Test func json() {
        let track = JSONCueTrack(index: 0, codec: .subRip, language: nil, title: nil)
        var writer = JSONCueWriter(track: track)
        let (head, tail) = ends(&writer)
        #expect(tail.contains("<c.c123456>r</c>") && !tail.contains("654321"))
        #expect(head.contains("::cue(.c123456)") && head.contains("::cue(.red)"))
        #expect(writer.losses.entries.map(\.kind) == [.color])
    }

    @Test func ass() {
        var writer = ASSWriter()
        let (head, tail) = ends(&writer)
        #expect(head.contains("Style: Style 1,") && !head.contains("Style: Style 2,"))
        #expect(tail.contains(",Style 1,,0,0,0,,r\n"), "\(tail.suffix(300))")
        #expect(tail.contains(",Default,,0,0,0,,{\\c&H214365&}l\n"), "\(tail.suffix(300))")
        #expect(writer.losses.entries.isEmpty)
    }
}
