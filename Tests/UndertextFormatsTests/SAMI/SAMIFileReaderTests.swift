import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// `stream start+duration text` of each packet that is a cue.
private func cues(_ text: String) throws -> [String] {
    let reader = SAMIFileReader(Array(text.utf8), limits: Limits())
    var decoders = reader.streams.map { SAMIDecoder(stream: $0) }
    var lines: [String] = []
    while let packet = try reader.nextPacket() {
        for case .cue(let draft) in decoders[packet.streamIndex].decode(packet) {
            lines.append(
                "\(packet.streamIndex) \(packet.pts ?? -1)+\(packet.duration.map { "\($0)" } ?? "?")"
                    + " \(draft.cue().plainText ?? "")")
        }
    }
    return lines + reader.diagnostics.take().map(\.code)
}

private let twoLanguages = """
    <SAMI><HEAD><TITLE>x</TITLE><STYLE TYPE="text/css"><!--
    P { color: white; }
    .KRCC { Name: 한국어; lang: ko-KR; SAMIType: CC; }
    .ENCC { Name: English; lang: en-US; SAMIType: CC; }
    --></STYLE></HEAD><BODY>
    <!-- <SYNC Start=1><P Class=ENCC>no -->
    <SYNC Start=1000><P Class=KRCC>하나<P Class=ENCC>one
    <SYNC Start=2000><P Class=ENCC>&nbsp;
    <SYNC Start=3000><P Class=KRCC>&nbsp;<P Class=ENCC>three<br>lines
    <SYNC Start=4000><P Class=KRCC>넷
    </BODY></SAMI>
    """

@Suite struct SAMIFileReaderTests {
    @Test func classesAreStreams() throws {
        let reader = SAMIFileReader(Array(twoLanguages.utf8), limits: Limits())
        #expect(reader.streams.map(\.index) == [0, 1])
        #expect(reader.streams.map(\.language?.rawValue) == ["ko-KR", "en-US"])
        #expect(reader.streams.map(\.title) == ["한국어", "English"])
        #expect(reader.stream == reader.streams[0])
        #expect(
            try cues(twoLanguages) == [
                "0 1000+2000 하나", "1 1000+1000 one", "1 3000+? three\nlines", "0 4000+? 넷",
            ])
    }

    @Test func faultsNameTheirLanguage() {
        var limits = Limits()
        limits.packetSize = 30
        func notes(_ text: String) -> [String] {
            SAMIFileReader(Array(text.utf8), limits: limits).diagnostics.take().map { note in
                "\(note.code) \(note.streamIndex.map { "\($0)" } ?? "-")"
            }
        }
        let long = String(repeating: "x", count: 40)
        let one = "<SAMI><SYNC Start=1><P Class=ENCC>\(long)<SYNC><P Class=ENCC>a"
        #expect(notes(one) == ["long-cue 0", "bad-timing 0"])
        // A diagnostic without a language belongs to the file.
        #expect(
            notes(
                "<SAMI><SYNC Start=1><P Class=ENCC>a<P Class=KRCC>\(long)<SYNC Start=x>"
                    + "<P Class=KRCC>b") == ["long-cue 1", "bad-timing -"])
    }

    @Test func oddFiles() throws {
        // No style sheet, no quotes, no ends, no P.
        #expect(
            try cues(
                "<sami><body><sync start=10>a<sync start=\"20\"><p>b</p></sync><sync start=30>")
                == ["0 10+10 a", "0 20+? b"])
        // Later times first; the same time twice; what is outside of a SYNC.
        #expect(
            try cues("<SAMI>x<SYNC Start=30><P>c<SYNC Start=10><P>a<SYNC Start=10><P>b</SYNC>y")
                == ["0 10+20 a\nb", "0 30+? c"])
        // An end of its own.
        #expect(
            try cues("<SAMI><SYNC Start=10 End=15><P>a<SYNC Start=20 End=5><P>b<SYNC Start=30><P>")
                == ["0 10+5 a", "0 20+10 b"])
        #expect(
            try cues("<SAMI><SYNC><P>a<SYNC Start=x><P>b<SYNC Start=20ms><P>c")
                == ["0 20+? c", "bad-timing", "bad-timing"])
        #expect(
            try cues("<SAMI><SYNC Start=1e99><P>a<SYNC Start=-5.6><P>b")
                == ["0 -6+7 b", "0 1+? a"])
        #expect(try cues("<SAMI><STYLE>p {} <SYNC Start=1><P>a") == ["0 1+? a"])
        #expect(try cues("<SAMI>") == [])
        // A comment that never ends is none.
        #expect(
            try cues("<SAMI><SYNC Start=1><P>a <-- b<SYNC Start=2><P>c<SYNC Start=3><P>d <!-- e")
                == ["0 1+1 a <-- b", "0 2+1 c", "0 3+? d <!-- e"])
    }

    @Test func languagesOfClasses() throws {
        func languages(_ body: String) -> [String?] {
            SAMIFileReader(Array(("<SAMI>" + body).utf8), limits: Limits()).streams
                .map(\.language?.rawValue)
        }
        let one = "<SYNC Start=1><P Class="
        #expect(languages(one + "ENUSCC>a") == ["en-US"])
        #expect(languages(one + "KRCC>a") == ["ko"])
        #expect(languages(one + "Unknown>a") == [nil])
        #expect(languages(one + "FRCC>a<P Class=DECC>b") == ["fr", "de"])
        // A class that is only a look is no language.
        let style = "<STYLE>.ENCC {lang: en} .loud {color: red}</STYLE>"
        #expect(languages(style + one + "loud>a" + one + "ENCC>b") == ["en"])
        // One that the sheet does not know is.
        #expect(languages(style + one + "DECC>a" + one + "ENCC>b") == ["en", "de"])
        // A class without text is not a stream.
        #expect(
            languages("<STYLE>.ENCC {lang: en} .DECC {lang: de}</STYLE>" + one + "DECC>b") == ["de"]
        )
    }

    @Test func signature() {
        func refusal(_ text: String) -> String? {
            SAMIFileReader.refusal(of: Array(text.utf8)[...])
        }
        #expect(refusal("<SAMI>") == nil && refusal("\n<!-- x -->\n<sami lang=en>") == nil)
        #expect(refusal("<SYNC Start=5>") == nil)
        #expect(refusal("WEBVTT\n\n<SAMI>") != nil && refusal("1\n00:00:01,000") != nil)
        #expect(refusal("<STYLE>.ENCC {lang: en}</STYLE><SYNC Start=5>") == nil)
        func recognized(_ text: String) -> SubtitleFormat? {
            SubtitleFormat.recognized(Array(text.utf8)[...]).0
        }
        #expect(recognized(twoLanguages) == .sami)
        // Tags in the text of other formats.
        for tag in ["<SAMI>", "<SYNC Start=1000>"] {
            #expect(recognized("1\n00:00:01,000 --> 00:00:02,000\n\(tag)a\n") == .subRip)
            #expect(recognized("[10][20]\(tag)a\n[20][30]b\n") == .mpl2)
            #expect(recognized("{1}{2}\(tag)a\n{3}{4}b\n") == .microDVD)
        }
    }

    @Test func limits() throws {
        var limits = Limits()
        limits.cues = 2
        limits.packetSize = 5
        let text = Array("<SAMI><SYNC Start=1><P>abcdef<SYNC Start=2><P>b<SYNC Start=3><P>c".utf8)
        let reader = SAMIFileReader(text, limits: limits)
        #expect(try reader.nextPacket()?.data.count == 5)
        #expect(try reader.nextPacket() != nil && reader.nextPacket() == nil)
        #expect(reader.diagnostics.take().map(\.code) == ["long-cue", "too-many-cues"])
        let classes = (0..<200).map { "<SYNC Start=\($0)><P Class=c\($0)>a" }.joined()
        let many = SAMIFileReader(Array(("<SAMI>" + classes).utf8), limits: Limits())
        #expect(many.streams.count == 100)
        #expect(Set(many.diagnostics.take().map(\.code)) == ["too-many-classes"])
    }

    @Test(.requiresCorpus("mantas-subtitles/tests/files")) func filesOfOthers() throws {
        let folder = try #require(corpusPath("mantas-subtitles/tests/files"))
        let simple = try cues(try #require(fileText(folder + "/smi.smi")))
        #expect(
            simple == [
                "0 137400+3000 Senator, we're making\nour final approach into Coruscant.",
                "0 3740500+2000 Very good, Lieutenant.",
            ])
        let formatted = try cues(try #require(fileText(folder + "/smi_formatted.smi")))
        #expect(
            formatted == [
                "0 9209+3103 ( clock ticking )",
                "0 14848+2502 MAN:\nWhen we think\nof E equals m c-squared,",
                "0 17350+? we have this vision of Einstein",
            ])
    }

    @Test func damage() throws {
        let text = Array(twoLanguages.utf8)
        for bytes in Array(truncations(of: text)) + Array(bitFlips(of: text, count: 3000)) {
            let reader = SAMIFileReader(bytes, limits: Limits())
            var last = Int64.min
            while let packet = try reader.nextPacket() {
                #expect((packet.duration ?? 1) > 0 && (packet.pts ?? last) >= last)
                #expect(reader.streams.indices.contains(packet.streamIndex))
                last = packet.pts ?? last
            }
            #expect(reader.position == bytes.count)
        }
    }
}
