import Foundation
import Testing
import UndertextCore
import UndertextFormats

@Suite struct WebVTTWriterTests {
    private func written(_ cues: [Cue], header: SubtitleHeader = SubtitleHeader()) -> String {
        var writer = WebVTTWriter(header: header)
        return text(&writer, cues)
    }

    @Test func plainCues() {
        let cues = [
            textCue(0, 999, StyledText("Hello & <world> -->")),
            textCue(3_599_999, 360_000_001, StyledText("two\nlines"), id: "cue --> 2"),
        ]
        #expect(
            written(cues) == """
                WEBVTT

                00:00:00.000 --> 00:00:00.999
                Hello &amp; &lt;world&gt; --&gt;

                cue -> 2
                00:59:59.999 --> 100:00:00.001
                two
                lines

                """)
    }

    @Test func timesRoundHalfUpAndAreNeverEmpty() {
        let cue = Cue(
            start: Timestamp(nanoseconds: 1_500_000), end: Timestamp(nanoseconds: 1_600_000),
            content: .text(StyledText("x")))
        #expect(written([cue]).contains("00:00:00.002 --> 00:00:00.003\n"))
        let early = textCue(-500, 20, StyledText("y"))
        #expect(written([early]).contains("00:00:00.000 --> 00:00:00.020\n"))
    }

    @Test func styleSheetsRulesAndRegions() {
        var region = Region(id: "fred")
        region.width = 40
        region.lines = 4
        region.viewportAnchor = Region.Anchor(x: 10, y: 90)
        region.scrollsUp = true
        let header = SubtitleHeader(
            styleSheets: ["::cue {\r\n\r\n  color: red --> }", " \n"],
            regions: [region, Region(id: "bare")])
        let styled = StyledText(runs: [
            textRun("a") { $0.color = RGBA(rawValue: 0xFF80_00FF) },
            textRun("b") { $0.color = RGBA(rawValue: 0xFFFF_00FF) },
            textRun("c") { $0.background = RGBA(rawValue: 0x0000_0080) },
            textRun("d") { $0.background = .black },
        ])
        #expect(
            written([textCue(0, 1000, styled)], header: header) == """
                WEBVTT

                STYLE
                ::cue(.yellow){color:#FFFF00}
                ::cue(.bg_black){background-color:#000000}
                ::cue(.cFF8000){color:#FF8000}
                ::cue(.bg_00000080){background-color:rgba(0,0,0,0.502)}

                STYLE
                ::cue {
                  color: red  }

                REGION
                id:fred
                width:40%
                lines:4
                viewportanchor:10%,90%
                scroll:up

                REGION
                id:bare

                00:00:00.000 --> 00:00:01.000
                <c.cFF8000>a</c><c.yellow>b</c><c.bg_00000080>c</c><c.bg_black>d</c>

                """)
    }

    @Test func settingsOnlyWhereNotDefault() {
        var layout = CueLayout()
        layout.line = -1
        layout.lineAlignment = .end
        layout.size = 33.3333
        layout.textAlignment = .left
        layout.region = "fr ed"
        var percent = CueLayout()
        percent.vertical = .growingLeft
        percent.line = 12.5
        percent.snapToLines = false
        percent.position = 120
        percent.positionAlignment = .lineRight
        var writer = WebVTTWriter()
        let file = text(
            &writer,
            [
                textCue(0, 1, StyledText("a"), layout: layout),
                textCue(0, 1, StyledText("a"), layout: percent),
            ])
        #expect(file.contains(" line:-1,end size:33.333% align:left region:fred\n"))
        #expect(file.contains(" vertical:rl line:12.5% position:100%,line-right\n"))
        #expect(writer.losses.entries.map(\.kind) == [.position])
    }

    @Test func tagsNestAndStayOpenAcrossRuns() {
        let styled = StyledText(runs: [
            textRun("a") { $0.isItalic = true },
            textRun("b") {
                $0.isItalic = true
                $0.isBold = true
            },
            textRun("c") { $0.isBold = true },
            textRun("d") {
                $0.isUnderlined = true
                $0.classes = ["x.y", "", "z"]
                $0.language = "en"
                $0.voice = "Tom & <Ann>--"
            },
        ])
        let line = written([textCue(0, 1, styled)]).split(separator: "\n").last
        #expect(
            line
                == "<i>a<b>b</b></i><b>c</b><lang en><v Tom &amp; &lt;Ann&gt;-- ><c.xy.z><u>d</u></c></v></lang>"
        )
    }

    @Test func rubyAndTimes() {
        var ruby = textRun("kanji")
        ruby.ruby = "ka\nna"
        var later = textRun("later")
        later.appearsAt = .milliseconds(1500)
        var tooLate = textRun("never")
        tooLate.appearsAt = .milliseconds(2000)
        var writer = WebVTTWriter()
        let file = text(
            &writer, [textCue(1000, 2000, StyledText(runs: [ruby, later, tooLate]))])
        #expect(
            file.hasSuffix("<ruby>kanji<rt>ka na</rt></ruby><00:00:01.500>laternever\n"))
        #expect(writer.losses.entries.map(\.kind) == [.karaoke])
    }

    @Test func emptyLinesCannotEndACue() {
        #expect(
            written([textCue(0, 1, StyledText("\n a \r\n\t\n\nb\n \n"))]).hasSuffix(
                "\n\u{A0}\n a\n\u{A0}\n\u{A0}\nb\n"))
        let stored = textCue(
            0, 1, StyledText("x"), source: .webVTT("<v A>x\r\n\r\ny --> z</v>\0\n\n"))
        #expect(
            written([stored]).hasSuffix("\n<v A>x\n\u{A0}\ny --&gt; z</v>\u{FFFD}\n"))
    }

    @Test func cuesWithoutTextAreLeftOut() {
        let cues = [textCue(0, 1, StyledText(" \n ")), textCue(0, 1, StyledText())]
        #expect(written(cues) == "WEBVTT\n")
    }

    @Test func equalSimultaneousCuesAreWrittenOnce() {
        var moved = textCue(0, 1000, StyledText("sign"))
        moved.layout.line = 0
        let cues = [
            textCue(0, 1000, StyledText("sign"), order: 0),
            textCue(0, 1000, StyledText("sign"), order: 1), moved,
            textCue(0, 2000, StyledText("sign"), order: 3),
            textCue(1000, 2000, StyledText("sign"), order: 4),
        ]
        var writer = WebVTTWriter()
        let file = text(&writer, cues)
        #expect(file.split(separator: "sign", omittingEmptySubsequences: false).count == 5)
        #expect(writer.cueCount == 4)
    }

    @Test func lossesAreCountedWithTheirFirstExample() {
        let styled = StyledText(runs: [
            textRun("a") {
                $0.isStruckThrough = true
                $0.font = "Arial"
                $0.fontSize = .percent(50)
            },
            textRun("b") { $0.font = "Times" },
        ])
        var writer = WebVTTWriter()
        _ = file(
            &writer,
            [
                textCue(5, 9, StyledText("x"), order: 0), textCue(10, 20, styled, order: 1),
                textCue(30, 40, styled, order: 2),
            ])
        #expect(writer.losses.entries.map(\.kind) == [.font, .size, .style])
        #expect(writer.losses.entries.allSatisfy { $0.count == 2 && $0.cue == 1 })
        #expect(writer.losses.entries.first?.start == .milliseconds(10))
    }

    @Test func imagesAreALoss() throws {
        let bitmap = try #require(
            IndexedBitmap(width: 1, height: 1, indices: [0], palette: [.white]))
        let cue = Cue(
            start: .zero, end: .seconds(1),
            content: .images(
                CueImages(canvas: nil, images: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)])))
        var vtt = WebVTTWriter()
        #expect(text(&vtt, [cue]) == "WEBVTT\n")
        #expect(vtt.losses.entries.map(\.kind) == [.image])
        var srt = SubRipWriter()
        #expect(text(&srt, [cue]) == "")
        #expect(srt.losses.entries.map(\.kind) == [.image])
    }

    /// Chromium has no colors for the default classes; the file's own style sheet precedes the generated one.
    @Test func defaultClassesHaveRulesToo() {
        func rules(_ text: String, _ styleSheets: [String] = []) -> [Substring] {
            let header = SubtitleHeader(codec: .webVTT, styleSheets: styleSheets)
            let cue = textCue(
                0, 1, WebVTTCueText(text).styledText, source: .webVTT(text))
            return written([cue], header: header).split(separator: "\n").filter {
                $0.hasPrefix("::cue")
            }
        }
        #expect(rules("plain .red <i.reds>x</i> <b red>y</b>").isEmpty)
        #expect(
            rules("<c.red.bg_blue>x</c>") == [
                "::cue(.red){color:#FF0000}", "::cue(.bg_blue){background-color:#0000FF}",
            ])
        #expect(rules("<ruby>a<rt.big.lime>b</rt></ruby") == ["::cue(.lime){color:#00FF00}"])
        #expect(
            rules("<v.cyan Ann>x<c.red") == [
                "::cue(.red){color:#FF0000}", "::cue(.cyan){color:#00FFFF}",
            ])
        let own = "::cue(.red){color:#CC0000}"
        #expect(rules("<c.red>x</c>", [own]) == [Substring(own)])
        let bold = "::cue(.red){font-weight:bold}"
        #expect(rules("<c.red>x</c>", [bold]) == ["::cue(.red){color:#FF0000}", Substring(bold)])
        let sixteen = ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"]
        let all = sixteen.map { "<c.\($0)>a</c><c.bg_\($0)>b</c>" }.joined()
        #expect(rules(all).count == 16)
    }

    /// A file that is converted again gets no rule twice.
    @Test func rulesOfDefaultClassesDoNotPileUp() throws {
        let styled = StyledText(runs: [textRun("a") { $0.color = RGBA(rawValue: 0xFF00_00FF) }])
        let once = written([textCue(0, 1000, styled)])
        let reader = WebVTTFileReader(Array(once.utf8), limits: Limits())
        var decoder = WebVTTDecoder(stream: reader.stream)
        var cues: [Cue] = []
        while let packet = try reader.nextPacket() {
            for case .cue(let draft) in decoder.decode(packet) {
                var cue = draft.cue()
                cue.end = draft.end?.time ?? cue.start
                cues.append(cue)
            }
        }
        #expect(written(cues, header: decoder.header) == once)
    }

    /// Segments share the styles of the whole.
    @Test func partsHaveTheStylesOfAllCues() {
        let styled = StyledText(runs: [
            textRun("a") { $0.color = RGBA(rawValue: 0xFF00_00FF) },
            textRun("b") { $0.background = RGBA(rawValue: 0x1234_56FF) },
        ])
        let stored = textCue(2000, 3000, StyledText("x"), source: .webVTT("<c.blue>x</c>"))
        let cues = [textCue(0, 1000, styled), stored, textCue(4000, 5000, StyledText("plain"))]
        let writer = WebVTTWriter(header: SubtitleHeader(), stylesOf: cues)
        let heads = cues.map { cue in
            var part = writer
            return text(&part, [cue]).components(separatedBy: "\n\n00:").first
        }
        var whole = WebVTTWriter()
        let expected = text(&whole, cues).components(separatedBy: "\n\n00:").first
        #expect(expected?.split(separator: "\n").count == 5)
        #expect(heads.allSatisfy { $0 == expected })
    }

    @Test func streamingWritesAtOnce() {
        let header = SubtitleHeader(styleSheets: ["::cue{color:red}"])
        var writer = WebVTTWriter(header: header, streaming: true)
        var output: [UInt8] = []
        writer.begin(into: &output)
        let begun = String(decoding: output, as: UTF8.self)
        #expect(begun.hasSuffix("\n\nSTYLE\n::cue{color:red}\n"))
        // Nobody knows yet which of the default classes come.
        #expect(begun.split(separator: "\n").filter { $0.hasPrefix("::cue(.") }.count == 16)
        output = []
        let styled = StyledText(runs: [
            textRun("a") { $0.color = RGBA(rawValue: 0xFF80_00FF) },
            textRun("b") { $0.color = RGBA(rawValue: 0x00FF_FFFF) },
        ])
        writer.write(textCue(0, 1, styled), into: &output)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "\n00:00:00.000 --> 00:00:00.001\na<c.cyan>b</c>\n")
        #expect(writer.losses.entries.map(\.kind) == [.color])
        output = []
        writer.finish(into: &output)
        #expect(output.isEmpty)
    }
}
