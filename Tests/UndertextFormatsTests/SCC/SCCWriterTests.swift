import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Captions on the grid, their codes and their times.
@Suite struct SCCWriterTests {
    private func written(
        _ cues: [Cue], header: SubtitleHeader = SubtitleHeader(), dropsFrames: Bool = true
    ) -> (text: String, losses: ConversionLosses) {
        var writer = SCCWriter(header: header, dropsFrames: dropsFrames)
        var output: [UInt8] = []
        writer.begin(into: &output)
        for cue in cues { writer.write(cue, into: &output) }
        writer.finish(into: &output)
        #expect(writer.cueCount <= cues.count)
        return (String(decoding: output, as: UTF8.self), writer.losses)
    }

    /// The cues of a file, as text: `start-end layout text`.
    private func read(_ text: String) throws -> [String] {
        let reader = SCCFileReader(Array(text.utf8), limits: Limits())
        var decoder = CEA608Decoder(stream: reader.stream)
        var events: [DecodedEvent] = []
        while let packet = try reader.nextPacket() { events += decoder.decode(packet) }
        events += decoder.finish()
        #expect(reader.diagnostics.take().isEmpty && decoder.diagnostics.take().isEmpty)
        return drafts(events).map { draft in
            let end = draft.end.map { "\($0.time.roundedMilliseconds)" } ?? "?"
            return "\(draft.start.roundedMilliseconds)-\(end) \(dump(draft.layout)) "
                + dump(styledText(draft.cue())).replacing("\n", with: "/")
        }
    }

    private func styled(_ change: (inout TextStyle) -> Void) -> TextStyle {
        var style = TextStyle()
        change(&style)
        return style
    }

    // MARK: Files

    /// Rules of style sheets that are more than the color of a class are lost, once for the file.
    @Test func styleSheets() {
        func losses(_ sheet: String) -> [ConversionLosses.Kind] {
            let header = SubtitleHeader(styleSheets: [sheet])
            return written([cue(1000, 2000, "a"), cue(3000, 4000, "b")], header: header)
                .losses.entries.map(\.kind)
        }
        #expect(losses("::cue(.loud) { color: red }").isEmpty)
        #expect(losses("::cue { font-size: 200% }") == [.style])
    }

    @Test func bytesOfACaption() {
        let text = written([cue(2000, 3000, "Hi!")]).text
        #expect(
            text == """
                Scenarist_SCC V1.0

                00:00:01;20\t9420 9420 94ae 94ae 9476 9476 97a2 97a2 c8e9 a180 942f 942f

                00:00:03;00\t942c 942c

                """)
    }

    /// A caption appears in the frame of its start: what loads it is sent before.
    @Test func captionsAppearInTime() throws {
        let found = try read(
            written([cue(2000, 4000, "first"), cue(4000, 6000, "second\nline")]).text)
        #expect(
            found == [
                "2002-4004 line:84.67%,start first", "4004-6006 line:79.33%,start second/line",
            ])
    }

    @Test func timecodesWithoutDroppedFrames() throws {
        let cues = [cue(3_600_000, 3_602_000, "later")]
        #expect(written(cues).text.contains("\n01:00:02;00\t"))
        #expect(written(cues, dropsFrames: false).text.contains("\n00:59:58:12\t"))
        for dropsFrames in [false, true] {
            let found = try read(written(cues, dropsFrames: dropsFrames).text)
            #expect(
                found == ["3600000-3601999 line:84.67%,start later"]
                    || found == ["3599996-3601998 line:84.67%,start later"] || found.count == 1)
        }
    }

    /// The screen is erased while the next caption is loaded.
    @Test func erasureWithinALoad() throws {
        let text = written([
            cue(2000, 4000, "first"), cue(4100, 6000, "second caption with many letters in it"),
        ])
        let found = try read(text.text)
        #expect(
            found.map { $0.split(separator: " ")[0] } == ["2002-4004", "4104-6006"])
        #expect(text.losses.isEmpty)
        #expect(text.text.split(separator: "\n").count == 4)
    }

    /// Two bytes in a frame: more text than that comes late, and none of it is left out.
    @Test func captionsThatCannotBeLoadedInTime() throws {
        let result = written([
            cue(0, 1000, "at the very beginning"), cue(1000, 1100, "a second one, too soon"),
            cue(1100, 9000, "and a third"),
        ])
        #expect(result.losses.entries.map(\.kind) == [.timing])
        #expect(result.losses.entries[0].count == 3)
        let texts = try read(result.text).map { $0.split(separator: "start ").last ?? "" }
        #expect(texts == ["at the very beginning", "a second one, too soon", "and a third"])
    }

    @Test func cuesAtTheSameTime() throws {
        var top = CueLayout()
        top.line = 0
        let result = written([
            cue(2000, 8000, "above", top), cue(4000, 6000, "below"), cue(4000, 6000, "same row"),
        ])
        let found = try read(result.text)
        #expect(
            found == [
                "2002-4004 line:10.0%,start above", "4004-6006 line:10.0%,start above",
                "4004-6006 line:79.33%,start same row/below", "6006-8008 line:10.0%,start above",
            ])
        #expect(result.losses.entries.map(\.kind) == [.position])
    }

    // MARK: Text

    @Test func longLines() throws {
        let found = try read(
            written([
                cue(5000, 9000, "A line of more than thirty-two letters is broken at spaces")
            ]).text)
        #expect(
            found.first?.hasSuffix("A line of more than thirty-two/letters is broken at spaces")
                == true)
        let word = String(repeating: "x", count: 40)
        #expect(
            try read(written([cue(5000, 9000, word)]).text).first?.hasSuffix(
                " " + String(repeating: "x", count: 32) + "/xxxxxxxx") == true)
    }

    @Test func moreLinesThanRows() throws {
        let result = written([
            cue(9000, 12_000, (1...20).map { "line \($0)" }.joined(separator: "\n"))
        ])
        #expect(result.losses.entries.map(\.kind).contains(.text))
        #expect(try read(result.text).first?.hasSuffix("/line 15") == true)
    }

    @Test func charactersOfTheGrid() throws {
        let all = String(String.UnicodeScalarView(CEA608Character.codes.keys.sorted()))
            .replacing(" ", with: "")
        var cues: [Cue] = []
        for (index, start) in stride(from: 0, to: all.count, by: 30).enumerated() {
            let part = all.dropFirst(start).prefix(30)
            cues.append(cue(Int64(index + 1) * 8000, Int64(index + 1) * 8000 + 4000, String(part)))
        }
        let result = written(cues)
        #expect(result.losses.isEmpty)
        let found = try read(result.text).map { $0.split(separator: "start ").last ?? "" }
        #expect(found.joined() == all)
    }

    @Test func otherCharacters() throws {
        let result = written([cue(5000, 6000, "…–„ž e\u{301} \u{202A}Я\u{202C}")])
        #expect(try read(result.text).first?.hasSuffix(" ...-“z é ?") == true)
        #expect(result.losses.entries.map(\.kind) == [.text])
    }

    // MARK: Looks

    @Test func looksOfRows() throws {
        let yellow = styled { $0.color = CEA608Pen.Color.yellow.value }
        let italic = styled { $0.isItalic = true }
        let both = styled {
            $0.isItalic = true
            $0.isUnderlined = true
            $0.color = CEA608Pen.Color.cyan.value
        }
        let result = written([
            cue(
                5000, 9000,
                StyledText(runs: [
                    TextRun("yellow", style: yellow), TextRun("\nplain and "),
                    TextRun("italic", style: italic), TextRun(" plain\n"),
                    TextRun("cyan", style: both),
                ]))
        ])
        #expect(result.losses.isEmpty)
        #expect(
            try read(result.text).first?.hasSuffix(
                " yellow[color=ffff00ff]|/plain and |italic [i]|plain/|cyan[i u color=00ffffff]")
                == true)
    }

    @Test func looksWithoutPlace() throws {
        let result = written([
            cue(
                5000, 9000,
                StyledText(runs: [
                    TextRun("ab"), TextRun("cd", style: styled { $0.isItalic = true }),
                    TextRun("ef "), TextRun("g", style: styled { $0.isBold = true }),
                    TextRun(
                        "h",
                        style: styled { $0.color = RGBA(red: 250, green: 10, blue: 10) }),
                ]))
        ])
        #expect(result.losses.entries.map(\.kind) == [.color, .style])
        #expect(try read(result.text).first?.hasSuffix(" abcdef gh") == true)
    }

    @Test func backgrounds() throws {
        let style = styled {
            $0.background = RGBA(red: 0, green: 0, blue: 255, alpha: 128)
            $0.classes = ["blink"]
        }
        let result = written([
            cue(5000, 9000, StyledText(runs: [TextRun("a "), TextRun("b", style: style)]))
        ])
        #expect(result.losses.entries.map(\.kind) == [.style])
        #expect(
            try read(result.text).first?.hasSuffix("a| b[background=0000ff80]") == true)
        let alone = written([cue(5000, 9000, StyledText(runs: [TextRun("b", style: style)]))])
        #expect(alone.losses.isEmpty)
    }

    // MARK: Places

    @Test func places() throws {
        var left = CueLayout()
        left.textAlignment = .left
        left.position = 20
        left.snapToLines = false
        left.line = 10
        var right = CueLayout()
        right.textAlignment = .right
        right.line = -3
        var middle = CueLayout()
        middle.snapToLines = false
        middle.line = 50
        middle.lineAlignment = .center
        let result = written([
            cue(5000, 6000, "left", left), cue(7000, 8000, "right", right),
            cue(9000, 10_000, "middle", middle),
        ])
        #expect(
            try read(result.text).map { $0.drop { $0 != " " } } == [
                " line:10.0%,start position:20.0%,auto align:left left",
                " line:74.0%,start position:77.5%,auto align:left right",
                " line:47.33%,start middle",
            ])
        #expect(result.losses.isEmpty)
    }

    @Test func placesThatTheGridDoesNotHave() {
        var vertical = CueLayout()
        vertical.vertical = .growingLeft
        var low = CueLayout()
        low.line = -1
        low.snapToLines = false
        low.line = 150
        let result = written([cue(5000, 6000, "a", vertical), cue(7000, 8000, "b", low)])
        #expect(result.losses.entries.map(\.kind) == [.alignment, .position])
    }

    // MARK: Codes

    /// Whatever is on a screen, its codes show it.
    @Test func screensSurvive() {
        var generator = SeededGenerator(seed: 608)
        let scalars = CEA608Character.codes.keys.sorted().filter { $0 != " " }
        for _ in 0..<300 {
            var screen = CEA608Screen()
            for row in 0..<15 where Bool.random(using: &generator) {
                var pen = CEA608Pen()
                // Four columns are enough for all codes before the row.
                var column = Int.random(in: 4..<20, using: &generator)
                while column < 32 {
                    if Int.random(in: 0..<4, using: &generator) == 0 {
                        pen.color =
                            CEA608Pen.Color.allCases[Int.random(in: 0..<7, using: &generator)]
                        pen.isItalic = Bool.random(using: &generator)
                        pen.isUnderlined = Bool.random(using: &generator)
                        pen.isFlashing = Bool.random(using: &generator)
                        pen.background = Bool.random(using: &generator) ? .blue : .black
                        column += 4
                    }
                    guard column < 32 else { break }
                    screen[row, column].character = scalars.randomElement(using: &generator)
                    screen[row, column].pen = pen
                    column += 1
                }
            }
            let encoder = SCCCaptionEncoder(screen)
            #expect(encoder.losses.isEmpty)
            var receiver = CEA608Receiver()
            for unit in encoder.units + [SCCCaptionEncoder.endOfCaption] {
                for index in stride(from: 0, to: unit.count, by: 2) {
                    _ = receiver.receive(
                        SCCParser.withParity(unit[index]), SCCParser.withParity(unit[index + 1]))
                }
            }
            for (one, other) in zip(screen.rows.joined(), receiver.displayed.rows.joined()) {
                #expect(one.hasInk == other.hasInk && (!one.hasInk || one == other))
            }
        }
    }
}
