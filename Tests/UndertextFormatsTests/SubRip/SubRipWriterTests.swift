import Testing
import UndertextCore
import UndertextFormats

@Suite struct SubRipWriterTests {
    private func layout(_ change: (inout CueLayout) -> Void) -> CueLayout {
        var layout = CueLayout()
        change(&layout)
        return layout
    }

    @Test func numbersTimesAndTags() {
        let styled = StyledText(runs: [
            textRun("a") { $0.isItalic = true },
            textRun("b") {
                $0.isItalic = true
                $0.isBold = true
                $0.isUnderlined = true
                $0.isStruckThrough = true
            },
            textRun("c") { $0.color = RGBA(rawValue: 0x00FF_80FF) },
        ])
        var writer = SubRipWriter()
        let file = text(
            &writer,
            [
                textCue(0, 1500, StyledText("Hello\n\nthere ")),
                textCue(0, 1500, StyledText("Hello\n\nthere ")), textCue(0, 10, StyledText(" ")),
                textCue(3_600_000, 3_600_000, styled),
            ])
        #expect(
            file == """
                1
                00:00:00,000 --> 00:00:01,500
                Hello
                \u{A0}
                there

                2
                01:00:00,000 --> 01:00:00,001
                <i>a<b><u><s>b</s></u></b></i><font color="#00ff80">c</font>


                """)
        #expect(writer.losses.isEmpty)
        #expect(writer.cueCount == 2)
    }

    @Test func ninePlacesAreExpressed() {
        for (key, place) in [
            (1, layout { $0.textAlignment = .start }),
            (3, layout { ($0.textAlignment, $0.position) = (.end, 95) }),
            (
                5,
                layout {
                    ($0.line, $0.snapToLines, $0.lineAlignment) = (50, false, .center)
                }
            ),
            (8, layout { $0.line = 0 }),
            (9, layout { ($0.line, $0.textAlignment, $0.position) = (0, .right, 95) }),
        ] {
            var writer = SubRipWriter()
            let file = text(&writer, [textCue(0, 1, StyledText("x"), layout: place)])
            #expect(file.contains("\n{\\an\(key)}x\n"))
            #expect(writer.losses.isEmpty, "\(key)")
        }
    }

    @Test func otherPlacesAreALoss() {
        let places = [
            layout { ($0.line, $0.snapToLines) = (20, false) },
            layout { $0.position = 20 }, layout { $0.size = 50 }, layout { $0.line = 4 },
            layout { $0.vertical = .growingLeft },
        ]
        for place in places {
            var writer = SubRipWriter()
            _ = file(&writer, [textCue(0, 1, StyledText("x"), layout: place)])
            #expect(writer.losses.entries.map(\.kind) == [.position])
        }
        var writer = SubRipWriter()
        _ = file(&writer, [textCue(0, 1, StyledText("x"), layout: layout { $0.region = "r" })])
        #expect(writer.losses.entries.map(\.kind) == [.region])
    }

    /// Vertical lines are side by side: their column is the position of the lines.
    @Test(arguments: [
        ("vertical:rl", 4), ("vertical:rl line:0", 6), ("vertical:lr", 6),
        ("vertical:lr line:0", 4),
        ("vertical:rl line:80%,end align:start", 9), ("vertical:lr line:20%,start align:left", 7),
        ("vertical:rl line:50%,center align:end", 2), ("vertical:rl line:0 position:90%", 3),
        ("vertical:rl line:0 position:10% align:center", 9),
    ])
    func placesOfVerticalText(_ settings: String, _ key: Int) {
        let layout = WebVTTSettings.layout(Array(settings.utf8)[...], regions: [Region]())
        var writer = SubRipWriter()
        let file = text(&writer, [textCue(0, 1, StyledText("x"), layout: layout)])
        #expect(file.contains(key == 2 ? "\nx\n" : "\n{\\an\(key)}x\n"))
        #expect(writer.losses.entries.map(\.kind) == [.position])
        var script = ASSWriter()
        let event = UndertextFormatsTests.text(
            &script, [textCue(0, 1, StyledText("x"), layout: layout)])
        #expect(event.contains(key == 2 ? ",,x" : ",,{\\an\(key)}x"))
        #expect(script.losses.entries.map(\.kind) == [.position])
    }

    @Test func lossesInSubRip() {
        var part = textRun("x") {
            $0.background = .black
            $0.font = "Arial"
            $0.fontSize = .percent(10)
            $0.classes = ["a"]
            $0.voice = "V"
            $0.language = "en"
            $0.color = RGBA(rawValue: 0xFF)
            $0.color = RGBA(rawValue: 0x1234_5610)
        }
        part.ruby = "r"
        part.appearsAt = .milliseconds(500)
        var writer = SubRipWriter()
        _ = file(&writer, [textCue(0, 1000, StyledText(runs: [part]))])
        #expect(
            Set(writer.losses.entries.map(\.kind)) == [
                .background, .font, .size, .style, .voice, .metadata, .color, .ruby, .karaoke,
            ])
    }

    @Test func storedTextIsKept() {
        var writer = SubRipWriter()
        let cue = textCue(
            0, 1, StyledText("x"), layout: layout { $0.line = 0 },
            source: .subRip("{\\an8}<font face=\"A\">x</font>\r\n\r\ny\n"))
        #expect(
            text(&writer, [cue]).hasSuffix(
                "\n{\\an8}<font face=\"A\">x</font>\n\u{A0}\ny\n\n"))
        #expect(writer.losses.isEmpty)
    }

    @Test func textThatLooksLikeMarkupStaysText() {
        var writer = SubRipWriter()
        #expect(
            text(&writer, [textCue(0, 1, StyledText("<i> {\\an8} a --> b, 1 < 2"))]).hasSuffix(
                "\n<\u{2060}i> {\u{2060}\\an8} a --\u{2060}> b, 1 < 2\n\n"))
    }
}
