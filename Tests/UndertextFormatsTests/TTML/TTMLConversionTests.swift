import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// A text file as a document, read by our readers.
private func readText(_ bytes: [UInt8], _ format: SubtitleFormat) -> SubtitleDocument? {
    guard let reader = format.reader(of: bytes, diagnostics: DiagnosticSink()) else { return nil }
    guard var decoder = SubtitleFormat.decoder(of: reader.stream, diagnostics: DiagnosticSink())
    else { return nil }
    var result = SubtitleDocument(header: decoder.header)
    var open: [DecodedCue] = []
    while let packet = try? reader.nextPacket() {
        for case .cue(let draft) in decoder.decode(packet) { open.append(draft) }
    }
    for case .cue(let draft) in decoder.finish() { open.append(draft) }
    for (index, draft) in open.enumerated() {
        var cue = draft.cue()
        cue.order = index
        // The engine's end for texts without an end.
        if draft.end == nil { cue.end = cue.start.advanced(by: .seconds(10)) }
        result.cues.append(cue)
    }
    result.cues.sort { ($0.start, $0.order) < ($1.start, $1.order) }
    return result
}

private let sample = """
    <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="ja"
     xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:profile="http://www.w3.org/ns/ttml/profile/imsc1/text">
    <head><layout>
    <region xml:id="bottom" tts:origin="10% 80%" tts:extent="80% 10%" tts:displayAlign="after" tts:textAlign="center"/>
    <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 10%" tts:textAlign="center"/>
    <region xml:id="free" tts:origin="20% 30%" tts:extent="40% 30%" tts:textAlign="left"/>
    </layout></head><body><div>
    <p begin="1s" end="2s" region="bottom">plain <span tts:fontStyle="italic" tts:color="lime">green</span></p>
    <p begin="3s" end="4s" region="top" tts:color="#123456">top<br/>two</p>
    <p begin="5s" end="6s" region="free"><span tts:ruby="container"><span tts:ruby="base">漢字</span><span
     tts:ruby="text">かんじ</span></span>!</p>
    </div></body></tt>
    """

extension Cue {
    /// The size of its first run.
    fileprivate var fontSize: FontSize? {
        guard case .text(let text) = content else { return nil }
        return text.runs.first?.style.fontSize
    }
}

struct TTMLConversionTests {
    private let document = readTTML(Array(sample.utf8))

    @Test func toWebVTTAndBack() throws {
        var writer = WebVTTWriter(header: document.header)
        let file = text(&writer, document.cues)
        #expect(
            file == """
                WEBVTT

                STYLE
                ::cue(.lime){color:#00FF00}
                ::cue(.c123456){color:#123456}

                00:00:01.000 --> 00:00:02.000 line:90%,end size:80%
                plain <c.lime><i>green</i></c>

                00:00:03.000 --> 00:00:04.000 line:10% size:80%
                <c.c123456>top
                two</c>

                00:00:05.000 --> 00:00:06.000 line:30% position:20%,line-left size:40% align:left
                <ruby>漢字<rt>かんじ</rt></ruby>!

                """)
        #expect(writer.losses.isEmpty)
        var read = try #require(readText(Array(file.utf8), .webVTT))
        read.header.language = document.header.language
        // The same document, but for the language, which WebVTT has no place for.
        #expect(writtenTTML(read) == writtenTTML(document))
    }

    @Test func toSubRip() {
        var writer = SubRipWriter(header: document.header)
        #expect(
            text(&writer, document.cues) == """
                1
                00:00:01,000 --> 00:00:02,000
                plain <font color="#00ff00"><i>green</i></font>

                2
                00:00:03,000 --> 00:00:04,000
                {\\an8}<font color="#123456">top
                two</font>

                3
                00:00:05,000 --> 00:00:06,000
                {\\an7}漢字!


                """)
        #expect(Set(writer.losses.entries.map(\.kind)) == [.position, .ruby])
    }

    @Test func toASSAndBack() throws {
        var writer = ASSWriter(.ass, header: document.header)
        let file = file(&writer, document.cues)
        #expect(Set(writer.losses.entries.map(\.kind)).isSuperset(of: [.ruby]))
        let read = try #require(readText(file, .ass))
        #expect(read.cues.map(\.plainText) == ["plain green", "top\ntwo", "漢字!"])
        #expect(read.cues.map { $0.layout.line } == [90, 10, 30])
        #expect(read.cues.map(\.layout.size) == [80, 80, 40])
        #expect(read.cues.map(\.fontSize) == [.ofHeight(7500), .ofHeight(7500), .ofHeight(7500)])
        let again = checkedTTML(read)
        #expect(again.cues.map(\.plainText) == read.cues.map(\.plainText))
        guard case .text(let first) = again.cues[0].content else { return }
        #expect(first.runs.map(\.style.color) == [nil, RGBA(rawValue: 0x00FF_00FF)])
        #expect(first.runs.map(\.style.isItalic) == [false, true])
    }

    /// Title, language and what is forced: ASS says the first two, none of the others says the last.
    @Test func propertiesOfTheDocument() throws {
        let bytes = Array(
            sample.replacing(
                "<head>",
                with:
                    "<head><metadata><title xmlns='http://www.w3.org/ns/ttml#metadata'>T, t</title></metadata>"
            ).replacing(
                "<p begin=\"1s\"",
                with:
                    "<p xmlns:i='http://www.w3.org/ns/ttml/profile/imsc1#styling' i:forcedDisplay='true'"
                    + " begin=\"1s\""
            ).utf8)
        let document = readTTML(bytes)
        #expect(document.cues.map(\.isForced) == [true, false, false])
        var script = ASSWriter(.ass, header: document.header)
        let read = try #require(readText(file(&script, document.cues), .ass))
        #expect(read.header.title == "T, t" && read.header.language == LanguageTag("ja"))
        let again = checkedTTML(read)
        #expect(again.header.title == "T, t" && again.header.language == LanguageTag("ja"))

        func reported(_ writer: some CueWriter) -> Int {
            var writer = writer
            _ = file(&writer, [document.cues[0]])
            return writer.losses.entries.first { $0.kind == .metadata }?.count ?? 0
        }
        let header = document.header
        #expect(reported(ASSWriter(.ass, header: header)) == 1)
        #expect(reported(SubRipWriter(header: header)) == 1)
        #expect(reported(WebVTTWriter(header: header)) == 1)
        #expect(reported(TTMLWriter(header: header)) == 0)
        #expect(reported(JSONCueWriter(track: JSONCueTrack(codec: .ttml), header: header)) == 0)
        // The names of files say of tracks that they are forced.
        var forced = header
        forced.isForced = true
        #expect(reported(ASSWriter(.ass, header: forced)) == 0)
        #expect(reported(SubRipWriter(header: forced)) == 0)
        #expect(reported(WebVTTWriter(header: forced)) == 0)
    }

    @Test func fromSubRip() throws {
        let file = """
            1
            00:00:01,000 --> 00:00:02,000
            <i>a</i> <font color="red">b</font>

            2
            00:00:03,000 --> 00:00:04,000
            {\\an8}top
            two

            """
        let read = try #require(readText(Array(file.utf8), .subRip))
        let again = checkedTTML(read)
        var writer = SubRipWriter(header: again.header)
        #expect(text(&writer, again.cues).contains("{\\an8}top\ntwo"))
        #expect(writer.losses.isEmpty)
    }

    /// Every text file of the corpus: valid, and stable when it is read again.
    @Test(.requiresCorpus()) func everyTextOfTheCorpus() throws {
        let endings: [String: SubtitleFormat] = [
            "vtt": .webVTT, "srt": .subRip, "ass": .ass, "ssa": .ass, "ttml": .ttml, "dfxp": .ttml,
        ]
        var count = 0
        var cues = 0
        for path in files(below: Repository.corpus) {
            let ending = path.split(separator: ".").last.map(String.init) ?? ""
            guard let format = endings[ending], let stored = fileBytes(path) else { continue }
            let bytes = Array(String(decoding: stored, as: UTF8.self).utf8)
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
            let (found, _) = SubtitleFormat.recognized(text[...], claimed: format)
            guard found != nil else { continue }
            guard
                let document = format == .ttml ? readTTML(text) : readText(text, format)
            else { continue }
            checkedTTML(document, path)
            count += 1
            cues += document.cues.count
        }
        print("TTML of \(count) files with \(cues) cues")
        #expect(count > 300)
    }

    /// The same subtitles as TTML and as SubRip, by another project.
    @Test(.requiresCorpus("go-astisub/testdata")) func samplesOfAstisub() throws {
        let path = try #require(corpusPath("go-astisub/testdata"))
        let script = try #require(fileBytes(path + "/example-in.srt"))
        let expected = try #require(readText(Array(script.dropFirst(3)), .subRip)).cues
        for name in ["example-in", "example-out", "example-out-no-indent"] {
            let cues = readTTML(try #require(fileBytes("\(path)/\(name).ttml"))).cues
            #expect(cues.map(\.plainText) == expected.map(\.plainText), "\(name)")
            #expect(cues.map(\.start) == expected.map(\.start), "\(name)")
            #expect(cues.map(\.end) == expected.map(\.end), "\(name)")
        }
        let breaks = readTTML(try #require(fileBytes(path + "/example-in-breaklines.ttml"))).cues
        #expect(
            breaks.map(\.plainText) == [
                "First line\nSecond line", "Third line\nFourth line",
                "Fifth line\nSixth middle line",
                "Seventh line\nEighth middle line",
            ])
    }

    /// Documents read from damaged input are also written in a stable form.
    @Test func damagedDocuments() throws {
        for name in names(in: Repository.root + "/Tests/Fuzz/Corpus/TTMLFuzz") {
            let seed = try #require(
                fileBytes(Repository.root + "/Tests/Fuzz/Corpus/TTMLFuzz/" + name))
            for damaged in bitFlips(of: seed, count: 150) {
                let text = Array(String(decoding: damaged, as: UTF8.self).utf8)
                checkedTTML(readTTML(text), name)
            }
        }
    }

    // MARK: The file

    @Test func theReader() throws {
        let latin = "<?xml version='1.0' encoding='iso-8859-1'?>" + sample
        let read = try ReadTextFile(TTMLFileReader.self, Array(latin.utf8))
        #expect(read.packets.count == 1 && read.diagnostics.isEmpty)
        #expect(read.stream.kind == .text && read.stream.codec == .ttml)
        #expect(read.stream.language == LanguageTag("ja"))
        // The text arrived as UTF-8, whatever its declaration was.
        let whole = String(decoding: read.packets[0].data, as: UTF8.self)
        #expect(whole == latin.replacing("iso-8859-1", with: "UTF-8"))
        let same = try ReadTextFile(TTMLFileReader.self, Array(sample.utf8))
        #expect(same.packets[0].data == Array(sample.utf8))
        #expect(XMLProlog.encoding(of: Array(latin.utf8)[...]) == "iso-8859-1")
    }

    @Test(arguments: [
        ("<tt/>", true), ("<?xml version='1.0'?>\n<!-- <a> -->\n<tt:tt xmlns:tt='x'>", true),
        ("<!DOCTYPE tt><tt>", true), ("<!DOCTYPE tt [<!ENTITY a '>]>'>]><tt>", true),
        ("<!DOCTYPE tt[", true), ("<!DOCTYPE html><html>", false), ("  <tt", true),
        ("<html/>", false), ("hello", false),
        ("", false),
        ("<ttx>", false), ("<!-- <tt>", false), ("<?xml <tt>", false), ("<", false),
        ("<BDN>", false),
    ])
    func recognition(_ head: String, _ isTTML: Bool) {
        #expect((TTMLFileReader.refusal(of: Array(head.utf8)[...]) == nil) == isTTML)
    }

    @Test func aDocumentTooLarge() throws {
        var limits = Limits()
        limits.packetSize = 100
        let read = try ReadTextFile(TTMLFileReader.self, Array(sample.utf8), limits: limits)
        #expect(read.packets.isEmpty && read.notes == ["too-large"])
    }

    // MARK: As it is stored

    @Test func oneDocumentIsCopiedAndSeveralAreMerged() throws {
        let stream = StreamDescription(index: 0, kind: .text, codec: .ttml)
        var one = TTMLPacketWriter(stream: stream)
        #expect(files(&one, [packet(0, nil, sample)]) == [Array(sample.utf8)])
        #expect(one.cueCount == 3 && one.diagnostics.take().isEmpty)
        // Only the copy contains properties that cues cannot represent.
        let shorn = sample.replacing("xml:id=\"top\"", with: "xml:id=\"top\" tts:shear=\"10%\"")
        for count in 1...2 {
            var copy = TTMLPacketWriter(stream: stream)
            _ = files(
                &copy, (0..<count).map { packet(3500 * Int64($0), 3500, shorn) })
            #expect(
                copy.diagnostics.take().map(\.code)
                    == (count == 1 ? [] : ["style-left-out", "documents-merged"]))
        }
        #expect(one.takeSpans()?.map(\.start) == [.seconds(1), .seconds(3), .seconds(5)])
        var two = TTMLPacketWriter(stream: stream)
        let merged = files(&two, [packet(0, 3500, sample), packet(3500, 3500, sample)])[0]
        #expect(two.diagnostics.take().map(\.code) == ["documents-merged"])
        #expect(TTMLValidator.faults(in: merged).isEmpty)
        let cues = readTTML(merged).cues
        #expect(cues.map(\.start) == [.seconds(1), .seconds(3), .seconds(5)])
        #expect(cues.map(\.end) == [.seconds(2), .seconds(4), .seconds(6)])
    }
}
