import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The cues of a document and what writers get with them.
func readTTML(_ document: [UInt8]) -> SubtitleDocument {
    let reader = TTMLFileReader(document, limits: Limits())
    var decoder = TTMLDecoder(stream: reader.stream)
    var result = SubtitleDocument(header: decoder.header)
    while let packet = try? reader.nextPacket() {
        for case .cue(let draft) in decoder.decode(packet) + decoder.finish() {
            result.cues.append(draft.cue(order: result.cues.count))
        }
    }
    return result
}

extension SubtitleDocument {
    /// Texts without the size that TTML says of all that states none.
    fileprivate var withoutUsualSize: SubtitleDocument {
        var result = self
        for index in cues.indices {
            guard case .text(var text) = cues[index].content else { continue }
            for run in text.runs.indices where text.runs[run].style.fontSize == .usual {
                text.runs[run].style.fontSize = nil
            }
            result.cues[index].content = .text(text)
        }
        return result
    }
}

/// The document of cues.
func writtenTTML(_ document: SubtitleDocument) -> [UInt8] {
    var writer = TTMLWriter(header: document.header)
    return file(&writer, document.cues)
}

/// Writes cues, checks the document, and checks that what is read of it gives it again.
@discardableResult
func checkedTTML(
    _ document: SubtitleDocument, _ name: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) -> SubtitleDocument {
    let bytes = writtenTTML(document)
    let faults = TTMLValidator.faults(in: bytes)
    #expect(faults.isEmpty, "\(name): \(faults.prefix(3))", sourceLocation: sourceLocation)
    let read = readTTML(bytes)
    let again = writtenTTML(read)
    if again != bytes {
        let lines = [bytes, again].map {
            $0.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        }
        let difference = zip(lines[0], lines[1]).first { $0 != $1 }
        Issue.record(
            "\(name): \(difference.map { "\($0.0)\n\($0.1)" } ?? "other lengths")",
            sourceLocation: sourceLocation)
    }
    return read
}

struct TTMLWriterTests {
    @Test func theWholeDocument() {
        var forced = textCue(3000, 4500, StyledText("  two  spaces"), id: "not a name", order: 1)
        forced.isForced = true
        var layout = CueLayout()
        layout.line = 0
        layout.textAlignment = .left
        layout.position = 20
        let styled = StyledText(runs: [
            textRun("red & <b>\n") { $0.color = RGBA(rawValue: 0xFF00_00FF) },
            textRun("both") {
                $0.color = RGBA(rawValue: 0xFF00_00FF)
                $0.isItalic = true
                $0.background = RGBA(rawValue: 0x0000_0080)
                $0.voice = "Ann"
                $0.language = "fr"
            },
            TextRun("漢", ruby: "kan"),
        ])
        let header = SubtitleHeader(language: LanguageTag("en"), title: "A & B")
        var writer = TTMLWriter(header: header)
        let document = text(
            &writer, [textCue(1000, 2500, styled, id: "one", layout: layout), forced])
        #expect(
            document == """
                <?xml version="1.0" encoding="UTF-8"?>
                <tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:itts="http://www.w3.org/ns/ttml/profile/imsc1#styling" ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text" xml:lang="en">
                  <head>
                    <metadata>
                      <ttm:title>A &amp; B</ttm:title>
                      <ttm:agent xml:id="agent1" type="character"><ttm:name type="alias">Ann</ttm:name></ttm:agent>
                    </metadata>
                    <styling>
                      <style xml:id="style1" tts:color="#ff0000"/>
                      <style xml:id="style2" tts:color="#ff0000" tts:fontStyle="italic" tts:backgroundColor="#00000080"/>
                      <style xml:id="style3" tts:textAlign="left"/>
                      <style xml:id="style4" tts:textAlign="center"/>
                    </styling>
                    <layout>
                      <region xml:id="region1" tts:origin="20% 10%" tts:extent="70% 26%" tts:displayAlign="before" tts:overflow="visible"/>
                      <region xml:id="region2" tts:origin="10% 64%" tts:extent="80% 26%" tts:displayAlign="after" tts:overflow="visible"/>
                    </layout>
                  </head>
                  <body>
                    <div>
                      <p xml:id="one" begin="00:00:01.000" end="00:00:02.500" region="region1" style="style3"><span style="style1">red &amp; &lt;b&gt;<br/></span><span style="style2" ttm:agent="agent1" xml:lang="fr">both</span><span tts:ruby="container"><span tts:ruby="base">漢</span><span tts:ruby="text">kan</span></span></p>
                      <p begin="00:00:03.000" end="00:00:04.500" region="region2" style="style4" itts:forcedDisplay="true" xml:space="preserve">  two  spaces</p>
                    </div>
                  </body>
                </tt>

                """)
        #expect(writer.cueCount == 2)
        #expect(writer.losses.entries.map(\.kind) == [.metadata])
        let read = readTTML(Array(document.utf8))
        #expect(read.header.title == "A & B" && read.header.language == LanguageTag("en"))
        #expect(read.withoutUsualSize.cues.map(\.content) == [.text(styled), forced.content])
        #expect(read.cues.map(\.layout).first?.position == 20)
        #expect(read.cues.map(\.isForced) == [false, true])
        #expect(writtenTTML(read) == Array(document.utf8))
    }

    @Test func nothingToWrite() {
        let read = checkedTTML(SubtitleDocument(cues: [textCue(0, 1, StyledText(" \n "))]))
        #expect(read.cues.isEmpty)
    }

    /// Content that TTML cannot represent is counted.
    @Test func losses() {
        func lost(_ cue: Cue, _ header: SubtitleHeader = SubtitleHeader()) -> [ConversionLosses
            .Kind]
        {
            var writer = TTMLWriter(header: header)
            _ = file(&writer, [cue])
            return writer.losses.entries.map(\.kind)
        }
        let plain = StyledText("a")
        #expect(lost(textCue(0, 1, plain)) == [])
        #expect(lost(textCue(0, 1, plain, id: "1")) == [.metadata])
        #expect(lost(textCue(0, 1, plain, id: "region1")) == [.metadata])
        let timed = StyledText(runs: [TextRun("a"), TextRun("b", appearsAt: .milliseconds(500))])
        #expect(lost(textCue(0, 1000, timed)) == [.karaoke])
        let classed = StyledText(runs: [textRun("a") { $0.classes = ["loud"] }])
        #expect(lost(textCue(0, 1, classed)) == [.style])
        let sheet = SubtitleHeader(styleSheets: ["::cue(.loud){color:red}"])
        #expect(lost(textCue(0, 1, classed), sheet) == [])
        var layout = CueLayout()
        layout.line = 3
        #expect(lost(textCue(0, 1, plain, layout: layout)) == [.position])
        layout = CueLayout()
        layout.region = "r"
        #expect(lost(textCue(0, 1, plain, layout: layout)) == [.region])
        let script = CueSource.ass("0,0,Default,,0,0,0,,{\\move(1,2,3,4)\\frz9\\clip(1,2)}a")
        #expect(
            Set(lost(textCue(0, 1, plain, source: script))).isSuperset(of: [
                .animation, .rotation, .clip,
            ]))
        let strip = CueImages(canvas: nil, images: [])
        #expect(lost(Cue(start: .zero, end: .seconds(1), content: .images(strip))) == [.image])
    }

    @Test func noMoreThanFourRegionsAtOnce() {
        let cues = (0..<8).map { index -> Cue in
            var layout = CueLayout()
            layout.line = Double(index * 10 + 20)
            layout.snapToLines = false
            return textCue(
                Int64(index * 100), 2000, StyledText("a\(index)"), order: index, layout: layout)
        }
        let document = SubtitleDocument(cues: cues)
        checkedTTML(document)
        var writer = TTMLWriter()
        _ = file(&writer, cues)
        #expect(writer.losses.entries.map(\.kind) == [.position])
        #expect(writer.losses.entries.map(\.count) == [4])
    }

    /// Regions that are on screen together: lines of the text, the areas in whole percents, what is lost.
    @Test(arguments: [
        // Shortened where the places allow it.
        (["line:-1", "line:-2"], "10 85 80 5|10 59 80 26", 1),
        (["line:50%,center", "line:60%,start"], "0 40 100 20|0 60 100 26", 0),
        (["line:0", "line:20%,start"], "10 10 80 10|0 20 100 26", 0),
        // One place, whichever side the lines are aligned to.
        (["align:left position:10%", "align:right position:90%"], "10 64 80 26", 0),
        // Too near: the second one goes into the region of the first.
        (["line:30%,start", "line:32%,start"], "0 30 100 26", 1),
        (["line:50%,center", "line:52%,end"], "0 37 100 26", 1),
        (["line:-1", "position:30%,center size:40%"], "10 64 80 26", 1),
        // Side by side.
        (
            ["position:20%,center size:20%", "position:80%,center size:20%"],
            "10 64 20 26|70 64 20 26", 0
        ),
        (["vertical:rl line:90%,end", "vertical:rl line:80%,end"], "80 0 10 100|54 0 26 100", 0),
    ])
    func regionsDoNotOverlap(_ settings: [String], _ areas: String, _ lost: Int) {
        let cues = settings.enumerated().map { index, setting in
            textCue(
                Int64(index), 1000, StyledText("a\(index)"), order: index,
                layout: WebVTTSettings.layout(Array(setting.utf8)[...], regions: [Region]()))
        }
        let document = SubtitleDocument(cues: cues)
        checkedTTML(document)
        var writer = TTMLWriter()
        let written = text(&writer, cues)
        let found = written.split(separator: "<region ").dropFirst().map { region in
            let parts = region.split(separator: "\"")
            return (parts[3] + " " + parts[5]).split(separator: " ").map {
                "\(Int((Double($0.dropLast()) ?? -1).rounded()))"
            }.joined(separator: " ")
        }
        #expect(found.joined(separator: "|") == areas)
        #expect(
            writer.losses.entries.filter { $0.kind == .position }.map(\.count)
                == (lost == 0 ? [] : [lost]))
    }

    /// Places that a region cannot have are a loss.
    @Test(arguments: [
        ("line:5%,start", false), ("line:97%,end", false), ("line:95%,start", false),
        ("line:2%,center", false), ("position:97%,line-left align:left", true),
        ("position:3%,line-right align:right", true), ("position:2%,center", true),
        ("size:5%", false), ("size:90%", false), ("vertical:rl line:3%,end", false),
        ("size:0.5%", true), ("line:100%,start", true), ("line:0%,end", true),
        ("line:0.5", true), ("line:10%,start", false), ("line:90%,end", false), ("line:0", false),
        ("size:60%", false), ("position:0%,line-left align:left", false), ("position:30%", false),
        ("align:left", false), ("line:33.333%,center", false), ("vertical:lr", false),
    ])
    func placesThatMove(_ settings: String, _ isLoss: Bool) {
        let layout = WebVTTSettings.layout(Array(settings.utf8)[...], regions: [Region]())
        var writer = TTMLWriter()
        _ = file(&writer, [textCue(0, 1, StyledText("a"), layout: layout)])
        #expect(writer.losses.entries.map(\.kind) == (isLoss ? [.position] : []))
    }

    /// Layouts that come back exactly.
    @Test(arguments: [
        "line:90%,end size:80%", "line:10% size:80%", "line:99%,end", "line:0%",
        "line:0.5% position:0.5%,line-left size:99.5% align:left",
        "line:100%,end align:right position:90%,line-right size:3%",
        "line:30%,start size:80%", "line:70%,end size:40%", "line:50%,center", "line:99%,start",
        "line:80%,end position:30%,center size:40%",
        "vertical:rl line:80%,end position:20%,line-left size:80% align:start",
        "vertical:rl line:100%,end position:0%,line-left align:left",
        "vertical:lr line:20%,start position:20%,line-left size:30% align:left",
        "line:40%,end position:25%,line-left size:50% align:start",
    ])
    func layoutsComeBack(_ settings: String) {
        layoutComesBack(settings, as: settings)
    }

    /// If nothing is stated, the region is the title-safe area.
    @Test(arguments: [
        ("", "line:90%,end size:80%"), ("line:0", "line:10% size:80%"),
        (
            "align:right position:90%,line-right",
            "line:90%,end align:right position:90%,line-right size:80%"
        ),
        (
            "line:30% position:20%,line-left align:left",
            "line:30% position:20%,line-left align:left size:80%"
        ),
    ])
    func layoutComesBack(_ settings: String, as expected: String) {
        func layout(_ text: String) -> CueLayout {
            WebVTTSettings.layout(Array(text.utf8)[...], regions: [Region]())
        }
        let cue = textCue(0, 1000, StyledText("a"), layout: layout(settings))
        let read = checkedTTML(SubtitleDocument(cues: [cue]), settings)
        #expect(read.cues.map(\.layout) == [layout(expected)])
    }

    @Test(arguments: UInt64(1)...120)
    func randomCuesAreStable(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var start: Int64 = 0
        var cues: [Cue] = []
        for order in 0..<30 {
            start += Int64.random(in: 0...900, using: &generator)
            cues.append(randomCue(order, start, &generator))
        }
        let header = SubtitleHeader(
            language: seed % 2 == 0 ? nil : LanguageTag("de"),
            title: seed % 3 == 0 ? "T <&> \u{1}" : nil,
            styleSheets: ["::cue(.c){color:#123456}"], regions: [Region(id: "r")])
        checkedTTML(SubtitleDocument(header: header, cues: cues), "seed \(seed)")
    }

    private static let words = [
        "a", " ", "  b", "\n", "\n\n", "<i>", "&amp;", "é", "日本", "שלום", "\u{1}", "\t", "\r\n",
        "]]>",
        "\u{FFFE}", "\u{A0}", "🙂",
    ]

    private func randomCue(_ order: Int, _ start: Int64, _ generator: inout SeededGenerator) -> Cue
    {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }
        var runs: [TextRun] = []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            var style = TextStyle()
            style.isBold = chance(3)
            style.isItalic = chance(3)
            style.isUnderlined = chance(4)
            style.isStruckThrough = chance(6)
            if chance(3) {
                style.color = [.white, .black, RGBA(rawValue: 0x1122_3344)].randomElement(
                    using: &generator)
            }
            if chance(4) { style.background = [.clear, .black].randomElement(using: &generator) }
            if chance(4) {
                style.font = ["Arial", "default", "'Q' \\", "serif", "A, B", ""].randomElement(
                    using: &generator)
            }
            if chance(4) {
                style.fontSize = [
                    .ofHeight(5000), .percent(100), .percent(80), .pixels(16), .ofHeight(-1),
                    .ofHeight(.max),
                ].randomElement(using: &generator)
            }
            if chance(6) { style.classes = ["c", "lime"] }
            if chance(6) { style.voice = ["Ann", " B \n C ", ""].randomElement(using: &generator) }
            if chance(6) { style.language = ["de", "fr", ""].randomElement(using: &generator) }
            let text = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                Self.words.randomElement(using: &generator) ?? ""
            }.joined()
            runs.append(TextRun(text, style: style, ruby: chance(6) ? " r<\n" : nil))
        }
        var layout = CueLayout()
        if chance(2) {
            layout.vertical =
                [.horizontal, .growingLeft, .growingRight].randomElement(using: &generator)
                ?? .horizontal
            layout.snapToLines = chance(2)
            if chance(2) {
                layout.line =
                    Double(Int.random(in: -30...130, using: &generator)) / (chance(2) ? 1 : 7)
            }
            layout.lineAlignment =
                [.start, .center, .end].randomElement(using: &generator) ?? .start
            if chance(2) {
                layout.position =
                    Double(Int.random(in: -10...110, using: &generator)) / (chance(2) ? 1 : 3)
            }
            layout.positionAlignment =
                [.auto, .lineLeft, .center, .lineRight].randomElement(using: &generator) ?? .auto
            if chance(2) {
                layout.size =
                    Double(Int.random(in: 0...100, using: &generator)) / (chance(2) ? 1 : 3)
            }
            if chance(9) { layout.line = .infinity }
            if chance(9) { layout.position = .nan }
            if chance(9) { layout.region = "r" }
        }
        layout.textAlignment =
            [.start, .center, .end, .left, .right].randomElement(using: &generator) ?? .center
        var cue = textCue(
            start, start + Int64.random(in: 1...3000, using: &generator), StyledText(runs: runs),
            id: chance(2) ? "i\(order / 2)" : "", order: order, layout: layout)
        cue.isForced = chance(5)
        return cue
    }
}
