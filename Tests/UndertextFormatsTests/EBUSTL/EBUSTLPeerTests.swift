import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The conformance set and our own files, as ttconv reads them.
///
/// ttconv drops spaces beside control codes and looks at neither comments nor the order of blocks; it ends a line of a
/// cumulative set with its own time code out. Texts are compared without spaces.
@Suite struct EBUSTLPeerTests {
    private static let script = """
        import sys
        from ttconv import model
        from ttconv.stl import reader, config
        def text(element):
            if isinstance(element, model.Br): return "|"
            if isinstance(element, model.Text): return element.get_text()
            return "".join(text(child) for child in element)
        with open(sys.argv[1], "rb") as file:
            settings = config.STLReaderConfiguration(program_start_tc="TCP")
            document = reader.to_model(file, settings)
        print(document.get_lang() or "-")
        for div in document.get_body():
            for p in div:
                words = "".join(text(p).split()).strip("|")
                print(round(p.get_begin() * 1000), round(p.get_end() * 1000), words)
        """

    private func theirs(_ bytes: [UInt8]) -> [String] {
        let folder = TemporaryDirectory()
        let result = run("python3", ["-c", Self.script, folder.write(bytes, to: "x.stl")])
        #expect(result.status == 0, "\(result.stderr)")
        return result.text.split(separator: "\n").map(String.init)
    }

    private func ours(_ bytes: [UInt8]) throws -> [String] {
        let file = try EBUSTLFile(bytes)
        let offset = file.reader.programStart ?? .zero
        let language = file.reader.stream.language?.rawValue ?? "-"
        return [language]
            + file.drafts.map { draft in
                let times = [draft.start, draft.end?.time ?? .zero].map {
                    Timestamp(nanoseconds: $0.nanoseconds - offset.nanoseconds).roundedMilliseconds
                }
                let words = styledText(draft.cue()).plainText
                    .replacing("\n", with: "|").filter { !$0.isWhitespace }
                return "\(times[0]) \(times[1]) \(words)"
            }
    }

    /// Not among them: comments, early cues, 30 frames (29.97 for ttconv), and damage.
    @Test(
        .requiresPython("ttconv"),
        arguments: [
            "teletext", "colors", "open", "sides", "extension", "programme_start", "cyrillic",
            "arabic", "greek", "hebrew",
        ])
    func conformance(_ name: String) throws {
        let bytes = try EBUSTLFile.bytes(ofFixture: name)
        #expect(try ours(bytes) == theirs(bytes))
    }

    /// ttconv has `¤` for the standard's `$` at 0xA4, and no letters that ISO 6937 has no name for.
    @Test(.requiresPython("ttconv")) func latin() throws {
        let bytes = try EBUSTLFile.bytes(ofFixture: "latin")
        let mine = try ours(bytes)
        var other = theirs(bytes)
        #expect(other.count == 5)
        other[3] = other[3].replacing("¤", with: "$")
        #expect(mine.prefix(4) == other.prefix(4))
    }

    /// Files that Undertext writes: open subtitles, teletext, other alphabets.
    @Test(.requiresPython("ttconv"), arguments: [false, true]) func written(_ isColored: Bool)
        throws
    {
        var yellow = TextStyle()
        yellow.color = RGBA(red: 255, green: 255, blue: 0)
        var italic = TextStyle()
        italic.isItalic = true
        let style = isColored ? yellow : italic
        let words = [
            "Ein Jäger läuft", "“Où ça?” – là…", "Zażółć gęślą jaźń, ♪", "Þú ert øl ßtraße",
        ]
        var writer = EBUSTLWriter(header: SubtitleHeader(language: LanguageTag("de")))
        var bytes: [UInt8] = []
        for (index, word) in words.enumerated() {
            let runs = [
                TextRun(word, style: style),
                TextRun(" plain words, and more of them than a row has\nsecond"),
            ]
            writer.write(
                Cue(
                    start: .seconds(Int64(2 * index)), end: .seconds(Int64(2 * index + 1)),
                    content: .text(StyledText(runs: runs))), into: &bytes)
        }
        writer.finish(into: &bytes)
        let result = theirs(bytes)
        #expect(result.count == words.count + 1)
        #expect(try ours(bytes) == result)
    }
}
