import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The content before the cues.
private let sampleHeader = """
    WEBVTT - a title
    X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
    Language: ger

    NOTE about the style

    STYLE
    ::cue(.a) { color: red }

    REGION
    id:fred
    width:40%
    """

private let sample =
    sampleHeader + """


        NOTE
        first

        NOTE second

        one
        00:01.000 --> 00:02.500  line:0 region:fred\u{20}
        <v Ann>Hi <00:01.500>you
        again

        NOTE between

        00:00:03.000 --> 100:00:04.000

        two
        00:00:05.000 --> 00:00:06.000
        last

        NOTE behind
        all

        NOTE of it
        """

@Suite struct WebVTTFileReaderTests {
    @Test func wholeFile() throws {
        let file = try readWebVTT(sample)
        #expect(
            file.lines == [
                "1000 1500 <v Ann>Hi <00:01.500>you|again", "3000 360001000 ", "5000 1000 last",
            ])
        #expect(file.notes == [])
        #expect(
            String(decoding: file.stream.codecPrivate, as: UTF8.self) == sampleHeader)
        #expect(file.stream.codec == .webVTT && file.stream.language == LanguageTag("de"))
        #expect(file.stream.inlineTimeOrigin == .timeline)
        #expect(file.side(.webVTTIdentifier, 0) == "one")
        #expect(file.side(.webVTTSettings, 0) == "line:0 region:fred")
        #expect(file.side(.webVTTComment, 0) == "NOTE\nfirst\n\nNOTE second")
        #expect(file.side(.webVTTIdentifier, 1) == nil)
        #expect(file.side(.webVTTComment, 1) == "NOTE between")
        #expect(file.side(.webVTTTrailer, 2) == "NOTE behind\nall\n\nNOTE of it")
        #expect(file.side(.webVTTTrailer, 1) == nil)
    }

    @Test func decodedWithTheTimesOfTheFile() throws {
        let file = try readWebVTT(sample)
        var decoder = WebVTTDecoder(stream: file.stream)
        #expect(decoder.header.regions.map(\.id) == ["fred"])
        #expect(decoder.header.styleSheets == ["::cue(.a) { color: red }"])
        guard case .cue(let draft)? = decoder.decode(file.packets[0]).first else {
            Issue.record("no cue")
            return
        }
        #expect(draft.cue().identifier == "one")
        #expect(draft.source == .webVTT("<v Ann>Hi <00:01.500>you\nagain"))
        guard case .text(let text) = draft.content else { return }
        #expect(text.runs.last?.appearsAt == .milliseconds(1500))
        // The same packet of a container, which does not state the origin of its times.
        var stored = file.stream
        stored.inlineTimeOrigin = nil
        var other = WebVTTDecoder(stream: stored)
        guard case .cue(let moved)? = other.decode(file.packets[0]).first else { return }
        #expect(moved.source == .webVTT("<v Ann>Hi <00:00:02.500>you\nagain"))
    }

    @Test func native() throws {
        let file = try readWebVTT(sample)
        var writer = try #require(
            SubtitleFormat.packetWriter(of: file.stream, diagnostics: DiagnosticSink()))
        var output = [[UInt8]](repeating: [], count: 1)
        writer.begin(into: &output)
        for packet in file.packets { writer.write(packet, into: &output) }
        writer.finish(into: &output)
        let expected =
            sample.replacing("00:01.000 --> 00:02.500 ", with: "00:00:01.000 --> 00:00:02.500")
            .replacing("fred\u{20}\n", with: "fred\n") + "\n"
        #expect(String(decoding: output[0], as: UTF8.self) == expected)
        let again = try ReadTextFile(WebVTTFileReader.self, output[0])
        #expect(again.contents == file.contents && again.stream == file.stream)
        #expect(WebVTTValidator.faults(in: output[0], allowsMetadata: true) == [])
    }

    @Test func lineEndsAndNUL() throws {
        for end in ["\r\n", "\r", "\n"] {
            let text =
                "WEBVTT\n\nSTYLE\na{}\n\nid\0\n00:01.000 --> 00:02.000 align:end\0\na\0b\nc\n"
                .replacing("\n", with: end)
            let file = try readWebVTT(text)
            #expect(file.lines == ["1000 1000 a\u{FFFD}b|c"])
            #expect(file.side(.webVTTIdentifier, 0) == "id\u{FFFD}")
            #expect(file.side(.webVTTSettings, 0) == "align:end\u{FFFD}")
            #expect(file.stream.codecPrivate == Array("WEBVTT\n\nSTYLE\na{}".utf8))
            #expect(file.notes == ["nul 6:1"])
        }
    }

    @Test func droppedContent() throws {
        let file = try readWebVTT(
            """
            WEBVTT
            00:01.000 --> 00:02.000
            a
            00:03.000 --> 00:04.000
            b

            00:0é.000 --> 00:06.000
            lost

            no times
            here

            STYLE
            late{}

            00:07.000 --> 00:07.000
            never shown

            00:09.000 --> 00:08.000
            nor this

            00:10.000 --> 00:11.000
            x --> y
            """)
        #expect(file.lines == ["1000 1000 a", "3000 1000 b", "10000 1000 "])
        #expect(
            file.notes == [
                "missing-blank-line 2:1", "missing-blank-line 4:1", "bad-timing 7:5",
                "stray-block 10:1", "misplaced-block 13:1", "empty-cue 16:1", "empty-cue 19:1",
                "missing-blank-line 23:1", "bad-timing 23:1",
            ])
        let errors = file.diagnostics.filter { $0.severity == .error }.map(\.code)
        #expect(errors == ["bad-timing", "stray-block", "misplaced-block", "bad-timing"])
    }

    @Test func aCueLaterThanTimesReachIsLost() throws {
        let file = try ReadTextFile(
            WebVTTFileReader.self,
            Array(
                ("WEBVTT\n\n9999999999:00:00.000 --> 9999999999:00:01.000\nlost\n\n"
                    + "2562046:00:00.000 --> 9999999999:00:00.000\nkept\n").utf8))
        #expect(file.packets.count == 1)
        #expect(file.diagnostics.map(\.code) == ["time-overflow"])
        #expect(file.diagnostics.first?.severity == .error)
    }

    @Test func noSignature() throws {
        for text in ["", "WEBVT", "webvtt\n", "WEBVTTx\n", "\u{FEFF}\u{FEFF}WEBVTT\n"] {
            let file = try readWebVTT(text + "\n\n00:01.000 --> 00:02.000\na\n")
            #expect(file.packets.isEmpty)
            #expect(file.notes == ["no-signature 1:1"])
        }
        #expect(WebVTTFileReader.refusal(of: Array("WEBVTT".utf8)[...]) == nil)
        #expect(WebVTTFileReader.refusal(of: Array("WEBVTT\t".utf8)[...]) == nil)
        #expect(WebVTTFileReader.refusal(of: Array("1\n".utf8)[...]) != nil)
    }

    @Test func limits() throws {
        var limits = Limits()
        limits.cues = 2
        limits.lineLength = 10
        let cue = "00:01.000 --> 00:02.000\n"
        var file = try readWebVTT(
            "WEBVTT\n\n" + String(repeating: cue + "a\n\n", count: 3), limits: limits)
        #expect(file.packets.count == 2)
        #expect(file.notes.filter { $0.hasPrefix("too-many-cues") } == ["too-many-cues 9:1"])
        limits = Limits()
        limits.lineLength = 24
        file = try readWebVTT(
            "WEBVTT\n\n" + cue + String(repeating: "é", count: 13) + "\nb\n", limits: limits)
        #expect(file.lines == ["1000 1000 \(String(repeating: "é", count: 12))|b"])
        #expect(file.notes == ["long-line 4:1"])
        // The limit lies within a character.
        limits.lineLength = 25
        file = try readWebVTT(
            "WEBVTT\n\n" + cue + String(repeating: "é", count: 13) + "\nb\n", limits: limits)
        #expect(file.lines == ["1000 1000 \(String(repeating: "é", count: 12))|b"])
        limits.packetSize = 3
        file = try readWebVTT("WEBVTT\n\n" + cue + "abcdef\n", limits: limits)
        #expect(file.lines == ["1000 1000 abc"])
        #expect(file.notes == ["long-cue 3:1"])
    }

    @Test func manyFaultsAreCounted() throws {
        let file = try readWebVTT("WEBVTT\n\n" + String(repeating: "stray\n\n", count: 250))
        #expect(file.diagnostics.count == 101)
        #expect(file.diagnostics.last?.message.statedNumbers == [150])
        #expect(file.diagnostics.last?.severity == .error)
    }
}
