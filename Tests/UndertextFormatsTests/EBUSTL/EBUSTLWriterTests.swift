import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Blocks, tables, lines and places of written files, and what is read of them again.
@Suite struct EBUSTLWriterTests {
    private func written(
        _ cues: [Cue], header: SubtitleHeader = SubtitleHeader()
    ) -> (bytes: [UInt8], losses: [ConversionLosses.Kind], count: Int) {
        var writer = EBUSTLWriter(header: header)
        var output: [UInt8] = []
        writer.begin(into: &output)
        for cue in cues { writer.write(cue, into: &output) }
        #expect(output.isEmpty)
        writer.finish(into: &output)
        return (output, writer.losses.entries.map(\.kind), writer.cueCount)
    }

    private func read(_ cues: [Cue]) throws -> [String] {
        let file = try EBUSTLFile(written(cues).bytes)
        #expect(file.codes.isEmpty)
        return file.cues
    }

    private func styled(_ change: (inout TextStyle) -> Void) -> TextStyle {
        var style = TextStyle()
        change(&style)
        return style
    }

    private func text(_ bytes: [UInt8], block: Int) -> [UInt8] {
        let start = 1024 + 128 * block + 16
        return Array(bytes[start..<(start + 112)].prefix { $0 != 0x8F })
    }

    /// Rules of style sheets that are more than the color of a class are lost, once for the file.
    @Test func styleSheets() {
        func losses(_ sheet: String) -> [ConversionLosses.Kind] {
            let header = SubtitleHeader(styleSheets: [sheet])
            return written([cue(1000, 2000, "a"), cue(3000, 4000, "b")], header: header).losses
        }
        #expect(losses("::cue(.loud) { color: red }").isEmpty)
        #expect(losses("::cue { font-size: 200% }") == [.style])
    }

    // MARK: Bytes

    @Test func bytesOfASubtitle() {
        let bytes = written([cue(3_723_480, 3_725_000, "Hi!\nyou")]).bytes
        #expect(bytes.count == 1024 + 128)
        #expect(
            Array(bytes[1024..<1040]) == [
                0, 1, 0, 0xFF, 0, 1, 2, 3, 12, 1, 2, 5, 0, 22, 2, 0,
            ])
        #expect(text(bytes, block: 0) == Array("Hi!".utf8) + [0x8A] + Array("you".utf8))
        #expect(bytes[1047...].allSatisfy { $0 == 0x8F })
    }

    @Test func bytesOfTheHeader() {
        let header = SubtitleHeader(language: LanguageTag("pt-BR"), title: "Ação")
        let bytes = written([cue(1000, 2000, "a"), cue(2000, 3000, "b")], header: header).bytes
        let again = written([cue(1000, 2000, "a"), cue(2000, 3000, "b")], header: header).bytes
        #expect(bytes == again)
        #expect(Array(bytes[..<20]) == Array("850STL25.0100021A".utf8) + [0x87, 0xC6, 0x6F])
        #expect(
            String(decoding: bytes[224..<277], as: UTF8.self)
                == "000101000101000000200002001402310000000000000100" + "11BRA")
        #expect(bytes[277..<1024].allSatisfy { $0 == 0x20 })
    }

    @Test func longTextsAreExtended() throws {
        let words = (1...40).map { "word\($0)" }.joined(separator: " ")
        let bytes = written([cue(1000, 2000, words), cue(2000, 3000, "b")]).bytes
        #expect(bytes.count == 1024 + 4 * 128)
        let numbers = stride(from: 1024, to: bytes.count, by: 128).map {
            Array(bytes[$0..<($0 + 4)])
        }
        #expect(
            numbers == [[0, 1, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0xFF], [0, 2, 0, 0xFF]])
        let file = try EBUSTLFile(bytes)
        #expect(file.codes.isEmpty)
        #expect(file.drafts.count == 2)
        let lines = styledText(file.drafts[0].cue()).plainText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 40 })
        #expect(lines.joined(separator: " ") == words)
    }

    /// Teletext has colors, open subtitles italics: what more letters have decides.
    @Test func displayStandards() throws {
        let yellow = TextRun(
            "Yellow", style: styled { $0.color = RGBA(red: 255, green: 255, blue: 0) })
        let italic = TextRun("slanted", style: styled { $0.isItalic = true })
        let colored = cue(1000, 2000, StyledText(runs: [yellow, TextRun(" and white")]))
        let slanted = cue(2000, 3000, StyledText(runs: [italic, TextRun(" and not")]))
        let open = written([colored, slanted])
        #expect(open.bytes[11] == 0x30 && open.losses == [.color])
        #expect(
            text(open.bytes, block: 1) == [0x80] + Array("slanted".utf8) + [0x81]
                + Array(" and not".utf8))
        let teletext = written([colored, colored, slanted])
        #expect(teletext.bytes[11] == 0x31 && teletext.losses == [.style])
        // Single words in italics cost less than whole lines in color.
        let word = cue(3000, 4000, StyledText(runs: [TextRun("so", style: italic.style)]))
        #expect(written([colored, word, word]).bytes[11] == 0x31)
        #expect(written([colored, word, word, word, word]).bytes[11] == 0x30)
        #expect(
            text(teletext.bytes, block: 0)
                == [0x0D, 0x03, 0x0B, 0x0B] + Array("Yellow".utf8) + [0x07]
                + Array("and white".utf8) + [0x0A, 0x0A])
        #expect(
            try read([colored]) == ["1000 2000 center bottom [yellow]Yellow [/]and white"])
        #expect(try read([slanted]) == ["2000 3000 center bottom [i]slanted[/] and not"])
    }

    @Test func thirtyFramesASecond() throws {
        var writer = EBUSTLWriter(frameRate: TimeBase(30, 1))
        var bytes: [UInt8] = []
        writer.write(cue(1000, 2966, "a"), into: &bytes)
        writer.write(cue(3_599_990, 3_600_500, "b"), into: &bytes)
        writer.finish(into: &bytes)
        #expect(Array(bytes[3..<11]) == Array("STL30.01".utf8))
        #expect(Array(bytes[1029..<1037]) == [0, 0, 1, 0, 0, 0, 2, 29])
        #expect(Array(bytes[1157..<1165]) == [1, 0, 0, 0, 1, 0, 0, 15])
        #expect(try EBUSTLFile(bytes).cues.first?.hasPrefix("1000 2967 ") == true)
        // Every other rate is the usual one.
        var usual = EBUSTLWriter(frameRate: TimeBase(30000, 1001))
        bytes = []
        usual.write(cue(1000, 2000, "a"), into: &bytes)
        usual.finish(into: &bytes)
        #expect(Array(bytes[3..<11]) == Array("STL25.01".utf8))
    }

    @Test func backgrounds() throws {
        let red = styled {
            $0.color = RGBA(red: 255, green: 255, blue: 255)
            $0.background = RGBA(red: 255, green: 0, blue: 0)
        }
        #expect(
            try read([cue(0, 1000, StyledText(runs: [TextRun("On red", style: red)]))])
                == ["0 1000 center bottom [on-red]On red[/]"])
        let box = styled { $0.background = RGBA(red: 0, green: 0, blue: 0) }
        let boxed = [
            cue(0, 1000, StyledText(runs: [TextRun("In a "), TextRun("box", style: box)]))
        ]
        #expect(try read(boxed) == ["0 1000 center bottom In a [on-black]box[/]"])
        #expect(written(boxed).losses.isEmpty)
    }

    // MARK: Round trips

    @Test func places() throws {
        var top = CueLayout()
        top.line = 0
        #expect(try read([cue(0, 1000, "a\nb", top)]) == ["0 1000 center top:0 a|b"])
        var middle = CueLayout()
        (middle.line, middle.snapToLines, middle.lineAlignment) = (50, false, .center)
        #expect(try read([cue(0, 1000, "a", middle)]) == ["0 1000 center end:12 a"])
        var left = CueLayout()
        left.textAlignment = .left
        #expect(try read([cue(0, 1000, "a", left)]) == ["0 1000 left bottom a"])
        var right = CueLayout()
        right.textAlignment = .end
        #expect(try read([cue(0, 1000, "a", right)]) == ["0 1000 right bottom a"])
        // In Hebrew lines end at the left.
        #expect(try read([cue(0, 1000, "דג", right)]) == ["0 1000 left bottom דג"])
    }

    /// All that is read of a file is written again, but for what is a matter of the display standard.
    @Test(
        arguments: [
            "teletext", "colors", "open", "sides", "latin", "cyrillic", "arabic", "greek", "hebrew",
        ])
    func fixtures(_ name: String) throws {
        let file = try EBUSTLFile(fixture: name)
        let cues = file.drafts.map { $0.cue() }
        let again = try EBUSTLFile(written(cues).bytes)
        // Rows of other sizes, and double height, move the edges by a row.
        let places = ["teletext", "open"].contains(name)
        func comparable(_ cues: [String]) -> [String] {
            guard places else { return cues }
            return cues.map { $0.replacing(#/ (top|end):\d+ /#, with: " elsewhere ") }
        }
        var expected = comparable(file.cues)
        if name == "colors" {
            // A background lasts to the end of its row.
            expected[2] = "3000 4000 center bottom [on-red]White on red on black[/]"
        }
        if name == "latin" {
            // Letters that no table has lose their marks.
            expected[3] = "4000 5000 center bottom wy: letters without a table"
        }
        #expect(comparable(again.cues) == expected)
    }

    @Test func tablesByScript() {
        #expect(written([cue(0, 1000, "Привет")]).bytes[13] == UInt8(ascii: "1"))
        #expect(written([cue(0, 1000, "مرحبا")]).bytes[13] == UInt8(ascii: "2"))
        #expect(written([cue(0, 1000, "Γειά")]).bytes[13] == UInt8(ascii: "3"))
        #expect(written([cue(0, 1000, "שלום")]).bytes[13] == UInt8(ascii: "4"))
        #expect(written([cue(0, 1000, "Šarūnas €")]).losses == [.text])
        let mixed = written([cue(0, 1000, "Привет, é")])
        #expect(mixed.bytes[13] == UInt8(ascii: "1") && mixed.losses == [.text])
        #expect(text(mixed.bytes, block: 0).suffix(1) == [UInt8(ascii: "e")])
        #expect(written([cue(0, 1000, "漢字")]).losses == [.text])
    }

    @Test func losses() {
        var layout = CueLayout()
        (layout.textAlignment, layout.position) = (.left, 40)
        #expect(written([cue(0, 1000, "a", layout)]).losses == [.position])
        layout = CueLayout()
        layout.vertical = .growingLeft
        #expect(written([cue(0, 1000, "a", layout)]).losses == [.alignment])
        let bold = StyledText(runs: [TextRun("a", style: styled { $0.isBold = true })])
        #expect(written([cue(0, 1000, bold)]).losses == [.style])
        let named = StyledText(runs: [TextRun("a", style: styled { $0.font = "Arial" })])
        #expect(written([cue(0, 1000, named)]).losses == [.font])
        let ruby = StyledText(runs: [TextRun("a", ruby: "b")])
        #expect(written([cue(0, 1000, ruby)]).losses == [.ruby])
        let day: Int64 = 24 * 3600 * 1000
        let late = written([cue(day - 1000, day + 1000, "a"), cue(1000, 2000, "b")])
        #expect(late.losses == [.text] && late.count == 1)
        let lines = (1...30).map(String.init).joined(separator: "\n")
        #expect(written([cue(0, 1000, lines)]).losses == [.text])
    }

    /// Bytes of a file are copied, and the header counts what is written.
    @Test(arguments: ["extension", "cumulative", "comments", "damaged"]) func copies(
        _ name: String
    ) throws {
        let file = try EBUSTLFile(fixture: name)
        var writer = try #require(
            SubtitleFormat.packetWriter(of: file.reader.stream, diagnostics: DiagnosticSink()))
        var output: [[UInt8]] = [[]]
        writer.begin(into: &output)
        for packet in file.packets { writer.write(packet, into: &output) }
        writer.finish(into: &output)
        let again = try EBUSTLFile(output[0])
        #expect(again.packets.map(\.data) == file.packets.map(\.data))
        #expect(again.cues == file.cues && !again.codes.contains("block-count"))
        #expect(writer.cueCount == file.packets.count)
    }

    /// Any text becomes a file that reads without a note.
    @Test func randomTexts() throws {
        var random = SeededGenerator(seed: 7)
        let letters = Array("abcÄßéłșж漢… \n\u{301}\"“♪{<&\u{200F}א")
        for _ in 0..<200 {
            let cues = (0..<5).map { index -> Cue in
                let runs = (0..<4).map { _ in
                    TextRun(
                        String((0..<40).map { _ in letters.randomElement(using: &random)! }),
                        style: styled {
                            $0.isItalic = .random(using: &random)
                            $0.isUnderlined = .random(using: &random)
                            if .random(using: &random) {
                                $0.color =
                                    EBUSTLColor(rawValue: .random(in: 0...7, using: &random)).value
                            }
                        })
                }
                return cue(Int64(index) * 1000, Int64(index) * 1000 + 900, StyledText(runs: runs))
            }
            let result = written(cues)
            let file = try EBUSTLFile(result.bytes)
            #expect(file.codes.isEmpty && file.cues.count == result.count)
        }
    }
}
