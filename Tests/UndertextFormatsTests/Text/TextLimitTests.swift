import Testing
import UndertextCore
import UndertextFormats

/// Texts without end: what a cue holds, and what it takes to make it, grows no faster than the input.
@Suite struct TextLimitTests {
    private static let limit = Limits().lineLength

    /// A text of about `size` bytes for a codec.
    private struct Shape: CustomTestStringConvertible, Sendable {
        var codec: CodecID
        var name: String
        var head = ""
        var unit: String

        var testDescription: String { "\(codec) \(name)" }

        func text(_ size: Int) -> [UInt8] {
            Array((head + String(repeating: unit, count: size / unit.utf8.count)).utf8)
        }
    }

    private static let event = "0,0,Default,,0,0,0,,"

    /// Each changes how text looks, or may, as often as it can.
    private static let shapes: [Shape] = [
        Shape(codec: .ass, name: "tags", head: event, unit: #"{\b1}a{\b0}b"#),
        Shape(codec: .ass, name: "syllables", head: event, unit: #"{\k1}a"#),
        Shape(codec: .ass, name: "open braces", head: event, unit: "{"),
        Shape(codec: .subRip, name: "brackets", unit: "<"),
        Shape(codec: .subRip, name: "tags", unit: "<b>a</b>b"),
        Shape(codec: .subRip, name: "open tags", unit: "<b>"),
        Shape(codec: .webVTT, name: "brackets", unit: "<"),
        Shape(
            codec: .webVTT, name: "tags", head: "<v " + String(repeating: "a", count: 1000) + ">",
            unit: "<b>a</b>b"),
        Shape(codec: .webVTT, name: "times", unit: "<00:00:00.001>a<00:00:00.002>b"),
        Shape(codec: .sami, name: "tags", unit: "<b>a</b>b"),
        Shape(codec: .sami, name: "brackets", unit: "<"),
        Shape(codec: .microDVD, name: "codes", unit: "{y:b}a|b|"),
        Shape(codec: .mpl2, name: "marks", unit: "/a|b|"),
        Shape(codec: .subViewer, name: "breaks", unit: "[br]a"),
        Shape(codec: .text, name: "letters", unit: "ä"),
    ]

    private struct Decoded {
        var runs = 0
        var bytes = 0
        var codes: [String] = []
    }

    private func decode(_ text: [UInt8], _ codec: CodecID) throws -> Decoded {
        var decoder = try #require(
            SubtitleFormat.decoder(
                of: StreamDescription(index: 0, kind: .text, codec: codec),
                diagnostics: DiagnosticSink()))
        var result = Decoded()
        let packet = Packet(
            streamIndex: 0, pts: 0, duration: 1000, timeBase: .milliseconds, data: text)
        for case .cue(let draft) in decoder.decode(packet) {
            guard case .text(let styled) = draft.content else { continue }
            result.runs += styled.runs.count
            result.bytes += styled.runs.reduce(0) { $0 + $1.text.utf8.count }
        }
        result.codes = decoder.diagnostics.take().map(\.code)
        return result
    }

    @Test(arguments: shapes.indices) func longTexts(_ index: Int) throws {
        let shape = Self.shapes[index]
        let short = try decode(shape.text(Self.limit / 16), shape.codec)
        #expect(!short.codes.contains("long-cue"))
        let long = try decode(shape.text(3 * Self.limit), shape.codec)
        #expect(long.codes.contains("long-cue"))
        #expect(long.bytes <= Self.limit)
        #expect(long.runs <= 10_000)
        // No run is lost without a word.
        #expect(long.codes.contains("complex-text") == (long.runs == 10_000))
        // The same amount of text for the same amount of input, even if its style is lost.
        #expect(long.bytes >= short.bytes * 15)
    }

    /// A script with a color for each letter of a long line is not cut.
    @Test func ordinaryTexts() throws {
        let letters = (0..<2000).map { #"{\c&H\#(String($0, radix: 16))&}a"# }.joined()
        let found = try decode(Array((Self.event + letters).utf8), .ass)
        #expect(found.runs == 2000)
        #expect(found.codes.isEmpty)
    }

    /// Runs within nested tags do not have a list of thousands of classes each.
    @Test func classesOfNestedTags() throws {
        let names = (0..<60).map { ".k\($0)" }.joined()
        let text = String(repeating: "<c\(names)>", count: 40) + "<c.last.red>x</c>"
        let style = try #require(WebVTTCueText(text).styledText.runs.first?.style)
        #expect(style.classes.count == 64)
        #expect(style.color == RGBA(rawValue: 0xFF00_00FF))
    }

    @Test func styleSheetsOfWebVTT() throws {
        func decoder(_ sheets: String) -> WebVTTDecoder {
            WebVTTDecoder(
                stream: StreamDescription(
                    index: 0, kind: .text, codec: .webVTT,
                    codecPrivate: Array(("WEBVTT\n\n" + sheets).utf8)))
        }
        let rule = "::cue(.a){color:red}\n"
        let small = decoder("STYLE\n" + rule)
        #expect(small.header.styleSheets.count == 1 && small.diagnostics.take().isEmpty)
        let large = String(repeating: rule, count: 3 * Self.limit / rule.utf8.count)
        let one = decoder("STYLE\n" + rule + "\nSTYLE\n" + large)
        #expect(one.header.styleSheets.count == 1)
        #expect(one.diagnostics.take().map(\.code) == ["large-style-sheet"])
        let many = String(
            repeating: "STYLE\n\(rule)\n", count: 3 * Self.limit / (rule.utf8.count + 7))
        let several = decoder(many)
        #expect(several.header.styleSheets.reduce(0) { $0 + $1.utf8.count } <= Self.limit)
        #expect(several.diagnostics.take().map(\.code) == ["large-style-sheet"])
    }

    @Test func styleSheetsOfSAMI() {
        let selectors = (0..<200_000).map { ".c\($0)" }.joined(separator: ",")
        let declarations = (0..<200_000).map { "p\($0): v" }.joined(separator: ";")
        let sheet = SAMIStyleSheet(
            Array("\(selectors) {\(declarations)} .last {color: red}".utf8)[...])
        #expect(sheet.rules.count == 65)
        #expect(sheet.rule(".c0")?.properties.count == 64)
        #expect(sheet.rule(".last")?.properties["color"] != nil)
    }
}
