import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct ASSWriterTests {
    private func dialogue(
        _ text: StyledText, _ kind: ASSWriter.Kind = .ass, layout: CueLayout = CueLayout(),
        header: SubtitleHeader = SubtitleHeader()
    ) -> String {
        var writer = ASSWriter(kind, header: header, streaming: true)
        let lines = events(
            UndertextFormatsTests.text(&writer, [textCue(1000, 2000, text, layout: layout)]))
        return String((lines.first ?? "").drop { $0 != "," })
    }

    private let times = ",0:00:01.00,0:00:02.00,"

    @Test func wholeFile() {
        var writer = ASSWriter(
            header: SubtitleHeader(language: LanguageTag("de"), title: "A\ntitle"))
        let cues = [
            textCue(0, 1234, StyledText("plain, with\n{braces}")),
            textCue(1235, 3_723_456, StyledText(runs: [textRun("loud") { $0.isBold = true }])),
            textCue(4000, 4001, StyledText(runs: [textRun("again") { $0.isBold = true }])),
            textCue(5000, 6000, StyledText("")),
            textCue(
                7000, 8000,
                StyledText(runs: [textRun("a") { $0.isItalic = true }, textRun("b")])),
        ]
        #expect(
            text(&writer, cues) == """
                [Script Info]
                Title: A title
                ScriptType: v4.00+
                WrapStyle: 0
                ScaledBorderAndShadow: yes
                PlayResX: 1920
                PlayResY: 1080
                Language: de

                [V4+ Styles]
                Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
                Style: Default,Arial,60,&H00FFFFFF,&HAAFFFFFF,&H00000000,&H7F000000,0,0,0,0,100,100,0,0,1,2.5,0,2,96,96,54,1
                Style: Style 1,Arial,60,&H00FFFFFF,&HAAFFFFFF,&H00000000,&H7F000000,-1,0,0,0,100,100,0,0,1,2.5,0,2,96,96,54,1

                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Dialogue: 0,0:00:00.00,0:00:01.23,Default,,0,0,0,,plain, with\\N\\{braces}
                Dialogue: 0,0:00:01.24,1:02:03.46,Style 1,,0,0,0,,loud
                Dialogue: 0,0:00:04.00,0:00:04.01,Style 1,,0,0,0,,again
                Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,{\\i1}a{\\i0}b

                """)
        #expect(writer.cueCount == 4)
        #expect(writer.losses.isEmpty)
    }

    @Test func legacyScript() {
        var writer = ASSWriter(
            .ssa, header: SubtitleHeader(canvas: PixelSize(width: 640, height: 360)))
        var layout = CueLayout()
        layout.line = 0
        let file = text(
            &writer,
            [
                textCue(
                    0, 1000, StyledText(runs: [textRun("x") { $0.isUnderlined = true }]),
                    layout: layout)
            ])
        #expect(file.contains("ScriptType: v4.00\n"))
        #expect(
            file.contains(
                "Style: Default,Arial,20,&H00FFFFFF,&HAAFFFFFF,&H00000000,&H00000000,0,0,1,0.833,0,2,32,32,18,0,1\n"
            ))
        #expect(
            events(file) == [
                "Dialogue: Marked=0,0:00:00.00,0:00:01.00,Default,,0,0,0,,{\\a6\\u1}x"
            ])
        #expect(ReadScript(file).stream.codec == .ssa)
    }

    @Test func runs() {
        let header = SubtitleHeader(
            styleSheets: ["::cue(.loud) { color: red; font-weight: bold }\n::cue(b){color:#000}"])
        let table: [((inout TextStyle) -> Void, String)] = [
            ({ $0.isBold = true }, "{\\b1}x"), ({ $0.isItalic = true }, "{\\i1}x"),
            ({ $0.isUnderlined = true }, "{\\u1}x"), ({ $0.isStruckThrough = true }, "{\\s1}x"),
            ({ $0.color = RGBA(rawValue: 0x1122_33FF) }, "{\\c&H332211&}x"),
            ({ $0.color = RGBA(rawValue: 0xFFFF_FF80) }, "{\\1a&H7F&}x"),
            ({ $0.font = "Noto Sans, Arial" }, "{\\fnNoto Sans}x"),
            ({ $0.fontSize = .ofHeight(10_000) }, "{\\fs108}x"),
            ({ $0.fontSize = .percent(150) }, "{\\fs90}x"),
            ({ $0.fontSize = .pixels(16) }, "x"), ({ $0.classes = ["yellow"] }, "x"),
            ({ $0.classes = ["loud"] }, "{\\c&H0000FF&}x"),
        ]
        for (change, expected) in table {
            #expect(
                dialogue(StyledText(runs: [textRun("x", change)]), header: header)
                    == times + "Default,,0,0,0,," + expected)
        }
    }

    @Test func boxesNeedAStyle() {
        let text = StyledText(runs: [
            textRun("a"), textRun("b") { $0.background = RGBA(rawValue: 0xFF00_0080) },
            textRun("c") { $0.background = .black }, textRun("d") { $0.background = .clear },
        ])
        #expect(
            dialogue(text)
                == times
                + "Default,,0,0,0,,a{\\rBox\\3c&H0000FF&\\3a&H7F&}b{\\3c&H000000&\\3a&H00&}c{\\rDefault}d"
        )
        var writer = ASSWriter()
        let file = UndertextFormatsTests.text(&writer, [textCue(0, 1000, text)])
        #expect(file.contains(",-1,0,0,0,") == false)
        let read = ReadScript(file).document
        guard case .text(let back)? = read.cues.first?.content else { return }
        #expect(
            back.runs.map(\.style.background) == [
                nil, RGBA(rawValue: 0xFF00_0080), .black, nil,
            ])
    }

    @Test(
        arguments: [
            ("\\N \\n \\h", "\\\u{2060}N \\\u{2060}n \\\u{2060}h"), ("\\", "\\"), ("\\a", "\\a"),
            ("\\\n", "\\\\N"), ("\\{", "\\\\{"), ("\\}", "\\\u{2060}}"), ("{\\i1}", "\\{\\i1}"),
            ("a{b", "a\\{b"), ("}", "}"), ("\0", "\u{FFFD}"), ("a\r\nb\rc", "a\\Nb\\Nc"),
            ("\\\u{2060}", "\\\u{2060}\u{2060}"), ("\u{A0}x ", "\u{A0}x "), ("\\é", "\\é"),
        ])
    func plainTextStaysAsWritten(plain: String, written: String) {
        #expect(dialogue(StyledText(plain)) == times + "Default,,0,0,0,," + written)
        var writer = ASSWriter()
        let read = ReadScript(text(&writer, [textCue(0, 1000, StyledText(plain))])).document
        let expected = plain.replacing("\0", with: "\u{FFFD}").replacing("\r\n", with: "\n")
            .replacing("\r", with: "\n")
        #expect(read.cues.first?.plainText == expected)
    }

    @Test func aBackslashBeforeATag() {
        let text = StyledText(runs: [textRun("\\"), textRun("N") { $0.isItalic = true }])
        #expect(dialogue(text) == times + "Default,,0,0,0,,\\\u{2060}{\\i1}N")
    }

    @Test func karaoke() {
        func run(_ text: String, _ time: Int64?) -> TextRun {
            TextRun(text, appearsAt: time.map { .milliseconds($0) })
        }
        #expect(
            dialogue(StyledText(runs: [run("a", nil), run("b", 1204), run("c", 1700)]))
                == times + "Default,,0,0,0,,{\\k20}a{\\k50}b{\\k30}c")
        #expect(
            dialogue(StyledText(runs: [run("a", 1100), run("b", 1100)]))
                == times + "Default,,0,0,0,,{\\k10\\k90}ab")
        var writer = ASSWriter()
        _ = text(
            &writer, [textCue(1000, 2000, StyledText(runs: [run("a", 1500), run("b", nil)]))])
        #expect(writer.losses.entries.map(\.kind) == [.karaoke])
    }

    @Test func voicesAndLosses() {
        var writer = ASSWriter()
        let runs = [
            TextRun(
                "a",
                style: {
                    var style = TextStyle()
                    style.voice = "Smith, Ann"
                    return style
                }()),
            TextRun("b", ruby: "r"),
            TextRun(
                "c",
                style: {
                    var style = TextStyle()
                    style.language = "de"
                    style.classes = ["x"]
                    style.font = "A{B"
                    return style
                }()),
        ]
        var layout = CueLayout()
        layout.vertical = .growingLeft
        layout.region = "r"
        var cue = textCue(0, 1000, StyledText(runs: runs), id: "intro", layout: layout)
        let file = text(&writer, [cue])
        #expect(events(file).first?.contains(",Smith; Ann,0,0,0,,") == true)
        #expect(
            Set(writer.losses.entries.map(\.kind)) == [
                .voice, .ruby, .metadata, .style, .font, .position,
            ])
        cue.content = .images(CueImages(canvas: nil, images: []))
        var other = ASSWriter()
        #expect(events(text(&other, [cue])).isEmpty)
        #expect(other.losses.entries.map(\.kind) == [.image])
    }

    @Test func places() {
        let table: [((inout CueLayout) -> Void, String)] = [
            ({ _ in }, "0,0,0,,x"), ({ $0.line = 0 }, "0,0,0,,{\\an8}x"),
            ({ $0.line = -1 }, "0,0,0,,x"), ({ $0.textAlignment = .start }, "0,0,0,,{\\an1}x"),
            ({ $0.textAlignment = .right }, "0,0,0,,{\\an3}x"),
            (
                {
                    $0.textAlignment = .start
                    $0.position = 5
                }, "0,0,0,,{\\an1}x"
            ),
            (
                {
                    $0.textAlignment = .end
                    $0.position = 90
                    $0.line = 0
                }, "0,192,0,,{\\an9}x"
            ), ({ $0.position = 40 }, "0,480,0,,x"), ({ $0.position = 60 }, "480,0,0,,x"),
            (
                {
                    $0.line = 50
                    $0.snapToLines = false
                    $0.lineAlignment = .center
                }, "0,0,0,,{\\an5}x"
            ),
            (
                {
                    $0.line = 20
                    $0.snapToLines = false
                }, "0,0,216,,{\\an8}x"
            ),
            (
                {
                    $0.line = 75
                    $0.snapToLines = false
                    $0.lineAlignment = .end
                }, "0,0,270,,x"
            ),
            (
                {
                    $0.line = 90
                    $0.snapToLines = false
                    $0.lineAlignment = .end
                }, "0,0,108,,x"
            ),
            (
                {
                    $0.line = 25
                    $0.snapToLines = false
                    $0.position = 33.333
                    $0.positionAlignment = .lineLeft
                    $0.textAlignment = .left
                }, "0,0,0,,{\\an7\\pos(639.994,270)}x"
            ), ({ $0.line = 1 }, "0,0,58,,{\\an8}x"),
            (
                {
                    $0.line = 90
                    $0.snapToLines = false
                    $0.lineAlignment = .end
                    $0.size = 80
                }, "192,192,108,,x"
            ),
            (
                {
                    $0.line = 0
                    $0.snapToLines = false
                    $0.position = 0
                    $0.positionAlignment = .lineLeft
                    $0.textAlignment = .start
                }, "1,1,1,,{\\an7}x"
            ),
            (
                {
                    $0.line = 40
                    $0.snapToLines = false
                    $0.lineAlignment = .center
                    $0.position = 20
                    $0.positionAlignment = .lineLeft
                    $0.textAlignment = .left
                    $0.size = 40
                }, "384,768,0,,{\\an4\\pos(384,432)}x"
            ),
            ({ $0.line = 3 }, "0,0,173,,{\\an8}x"), ({ $0.line = -5 }, "0,0,230,,x"),
        ]
        for (change, expected) in table {
            var layout = CueLayout()
            change(&layout)
            #expect(dialogue(StyledText("x"), layout: layout) == times + "Default,," + expected)
        }
    }

    @Test func regionsHaveAPlace() {
        var region = Region(id: "top")
        region.width = 40
        region.regionAnchor = .init(x: 0, y: 0)
        region.viewportAnchor = .init(x: 10, y: 20)
        var layout = CueLayout()
        layout.region = "top"
        #expect(
            dialogue(
                StyledText("x"), layout: layout, header: SubtitleHeader(regions: [region]))
                == times + "Default,,0,0,0,,{\\an8\\pos(576,216)}x")
    }

    @Test func manyLooksNeedNoMoreStyles() {
        var writer = ASSWriter()
        let cues = (0..<3000).map { index in
            textCue(
                Int64(index) * 10, Int64(index) * 10 + 10,
                StyledText(runs: [
                    textRun("x") { $0.color = RGBA(rawValue: UInt32(index) << 8 | 0xFF) }
                ]))
        }
        let file = text(&writer, cues)
        #expect(file.split(separator: "\n").count { $0.hasPrefix("Style:") } == 1000)
        let read = ReadScript(file).document.cues
        #expect(read.count == 3000)
        for (cue, original) in zip(read, cues) {
            guard case .text(let one) = cue.content, case .text(let other) = original.content else {
                continue
            }
            #expect(one.runs[0].style.color == other.runs[0].style.color)
        }
    }
}
