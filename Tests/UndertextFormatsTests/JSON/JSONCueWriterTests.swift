import Testing
import UndertextCore
import UndertextFormats

@Suite struct JSONCueWriterTests {
    private let track = JSONCueTrack(
        index: 3, codec: .subRip, language: LanguageTag("eng"), title: "A \"title\"")

    @Test func documentOrder() {
        var region = Region(id: "fred")
        region.scrollsUp = true
        let header = SubtitleHeader(
            codec: .subRip, styleSheets: ["::cue{color:red}"], regions: [region])
        var writer = JSONCueWriter(track: track, header: header, form: .lines)
        var output: [UInt8] = []
        writer.begin(into: &output)
        let styled = StyledText(runs: [
            textRun("two\n"), textRun("lines") { $0.color = RGBA(rawValue: 0xFF80_00FF) },
        ])
        var cue = textCue(1001, 2500, styled)
        cue.layout.line = 12.5
        cue.layout.snapToLines = false
        writer.write(cue, into: &output)
        writer.write(cue, into: &output)
        writer.write(textCue(3000, 4000, StyledText()), into: &output)
        writer.write(
            Diagnostic(
                .warning, "invalid-utf8", "m", streamIndex: 3, time: .milliseconds(12_300),
                byteOffset: 5512), into: &output)
        writer.finish(
            JSONCueSummary(cues: 3, path: "index", bytesRead: 17, partial: false), into: &output)
        let line =
            #"{"type":"cue","track":3,"id":"","start":1.001,"end":2.5,"endSource":"explicit","#
            + #""forced":false,"layer":0,"text":"two\nlines","#
            + #""payload":"two\n<c.cFF8000>lines</c>","layout":{"vertical":"","line":12.5,"#
            + #""snapToLines":false,"lineAlign":"start","position":"auto","#
            + #""positionAlign":"auto","size":100,"align":"center","region":null}}"#
        #expect(
            String(decoding: output, as: UTF8.self).split(separator: "\n") == [
                #"{"type":"track","track":3,"codec":"subrip","language":"en","title":"A \"title\"","forced":false,"hearingImpaired":false,"canvas":null}"#,
                #"{"type":"diagnostic","severity":"warning","code":"invalid-utf8","track":3,"time":12.3,"offset":5512,"message":"m"}"#,
                #"{"type":"region","id":"fred","width":100,"lines":3,"regionAnchor":[0,100],"viewportAnchor":[0,100],"scroll":"up"}"#,
                #"{"type":"style","css":"::cue(.cFF8000){color:#FF8000}"}"#,
                #"{"type":"style","css":"::cue{color:red}"}"#,
                Substring(line), Substring(line),
                #"{"type":"cue","track":3,"id":"","start":3.0,"end":4.0,"endSource":"explicit","forced":false,"layer":0,"text":"","payload":"","layout":{"vertical":"","line":"auto","snapToLines":true,"lineAlign":"start","position":"auto","positionAlign":"auto","size":100,"align":"center","region":null}}"#,
                #"{"type":"summary","cues":3,"path":"index","bytesRead":17,"partial":false}"#,
            ])
        #expect(writer.cueCount == 3)
    }

    /// The records of a document are those of lines; an unknown summary is `null`.
    @Test(arguments: [CodecID.subRip, .webVTT], [0, 1, 3])
    func aDocumentHasTheRecordsOfLines(_ codec: CodecID, _ count: Int) throws {
        let header = SubtitleHeader(
            codec: codec, styleSheets: ["::cue{color:red}"], regions: [Region(id: "fred")])
        let summary = JSONCueSummary(cues: count, path: "scan", bytesRead: 17, partial: true)
        func written(_ form: JSONCueWriter.Form, _ summary: JSONCueSummary?) -> [UInt8] {
            var writer = JSONCueWriter(track: track, header: header, form: form)
            var output: [UInt8] = []
            writer.begin(into: &output)
            for number in 0..<count {
                let styled = StyledText(runs: [
                    textRun("\(number)") { $0.color = RGBA(rawValue: 0xFF80_00FF) }
                ])
                writer.write(textCue(Int64(number), 9, styled), into: &output)
            }
            writer.write(Diagnostic(.warning, "invalid-utf8", "m"), into: &output)
            writer.finish(summary, into: &output)
            return output
        }
        let document = try JSON(parsing: written(.document, summary))
        let names = ["track", "regions", "styles", "cues", "diagnostics", "summary"]
        #expect(document.members.map(\.key) == names)
        let all = document.members.flatMap { member in
            if case .array(let values) = member.value { values } else { [member.value] }
        }
        let lines = try written(.lines, summary).split(separator: 0x0A).map {
            try JSON(parsing: $0)
        }
        #expect(Set(lines) == Set(all) && lines.count == all.count)
        #expect(document["cues"]?.elements.count == count)
        #expect(try JSON(parsing: written(.document, nil))["summary"] == .null)
    }

    @Test func webVTTKeepsItsPayloadAndGetsRulesForDefaultClasses() {
        let header = SubtitleHeader(codec: .webVTT, styleSheets: ["a"])
        var writer = JSONCueWriter(track: track, header: header, form: .lines)
        var output: [UInt8] = []
        writer.begin(into: &output)
        let start = output.count
        writer.write(
            textCue(0, 1, StyledText("x y"), source: .webVTT("<i.lime>x y</i>&nbsp;")),
            into: &output)
        writer.finish(into: &output)
        let lines = String(decoding: output[start...], as: UTF8.self).split(separator: "\n")
        #expect(
            lines.dropLast() == [
                #"{"type":"style","css":"::cue(.lime){color:#00FF00}"}"#,
                #"{"type":"style","css":"a"}"#,
            ])
        #expect(
            lines.last?.contains(#""text":"x y","payload":"<i.lime>x y</i>&nbsp;""#) == true)
    }

    @Test func streamingWritesTheRulesOfDefaultClassesFirst() {
        var writer = JSONCueWriter(track: track, form: .lines, streaming: true)
        var output: [UInt8] = []
        writer.begin(into: &output)
        let styled = StyledText(runs: [
            textRun("a") { $0.color = RGBA(rawValue: 0x1234_56FF) },
            textRun("b") { $0.color = .white },
        ])
        writer.write(textCue(0, 1, styled), into: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains(#""payload":"a<c.white>b</c>""#))
        let styles = text.split(separator: "\n").filter { $0.contains(#""type":"style""#) }
        #expect(styles.count == 16)
        #expect(styles.first == #"{"type":"style","css":"::cue(.white){color:#FFFFFF}"}"#)
        #expect(writer.losses.entries.map(\.kind) == [.color])
    }

    @Test func images() throws {
        let bitmap = try #require(
            IndexedBitmap(width: 2, height: 1, indices: [0, 0], palette: [.white]))
        let placed = PlacedBitmap(x: 480, y: 900, bitmap: bitmap)
        var cue = Cue(
            start: .zero, end: .seconds(1), endSource: .nextEvent, isForced: true,
            content: .images(CueImages(canvas: nil, images: [placed])))
        cue.layer = 2
        var writer = JSONCueWriter(
            track: JSONCueTrack(
                index: 1, codec: .pgs, canvas: PixelSize(width: 1920, height: 1080)), form: .lines)
        var output: [UInt8] = []
        writer.begin(into: &output)
        writer.write(
            cue,
            images: [
                JSONCueImage(.file("0001.png"), of: placed),
                JSONCueImage(.png(Array("any carnal pleas".utf8)), x: 0, y: 1, width: 2, height: 3),
            ], into: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains(#""canvas":[1920,1080]"#))
        #expect(text.contains(#""endSource":"nextEvent","forced":true,"layer":2,"#))
        #expect(
            text.contains(
                #""images":[{"file":"0001.png","x":480,"y":900,"width":2,"height":1},{"png":"YW55IGNhcm5hbCBwbGVhcw==","x":0,"y":1,"width":2,"height":3}]}"#
            ))
        #expect(!text.contains("payload"))
        writer.finish(into: &output)
        #expect(String(decoding: output, as: UTF8.self) == text)
    }
}
