import Testing
import UndertextCore
import UndertextFormats

@Suite struct SubRipPacketWriterTests {
    @Test func textIsKept() {
        var writer = SubRipPacketWriter()
        let file = text(
            &writer,
            [
                packet(1000, 1500, "<i>a</i>\r\nb\rc\n"), packet(3000, 10, ""),
                packet(3_661_001, 999, "x\ny\0z"),
            ])
        #expect(
            file == """
                1
                00:00:01,000 --> 00:00:02,500
                <i>a</i>
                b
                c


                2
                01:01:01,001 --> 01:01:02,000
                x
                y


                """)
        #expect(writer.cueCount == 2)
        #expect(writer.diagnostics.take().isEmpty)
    }

    /// In a packet nothing ends the text but its length; in a file an empty line and times do.
    @Test func textThatLooksLikeACueEndIsKept() throws {
        var writer = SubRipPacketWriter()
        let file = text(
            &writer,
            [
                packet(1000, 1000, "\na\n\n\nb\r\n\r\n"), packet(3000, 1000, "no\n--> times"),
                packet(
                    5000, 1000, "c\n00:00:01,000 --> 00:00:02,000\n7\n0:0:5 => 0:0:6 hi\n<i>d</i>"),
            ])
        let diagnostics = writer.diagnostics.take()
        #expect(diagnostics.map(\.code) == ["empty-line", "timing-line"])
        #expect(diagnostics.allSatisfy { $0.severity == .warning })
        let reader = try #require(
            SubtitleFormat.subRip.reader(of: Array(file.utf8), diagnostics: DiagnosticSink()))
        var texts: [String] = []
        while let packet = try reader.nextPacket() {
            texts.append(String(decoding: packet.data, as: UTF8.self))
        }
        #expect(
            texts == [
                "\u{A0}\na\n\u{A0}\n\u{A0}\nb", "no\n--> times",
                "c\n00:00:01,000 --\u{2060}> 00:00:02,000\n7\n0:0:5 =\u{2060}> 0:0:6 hi\n<i>d</i>",
            ])
        #expect(reader.diagnostics.take().isEmpty)
        // Repaired text needs no further repair.
        var again = SubRipPacketWriter()
        #expect(
            text(&again, [packet(1000, 1000, texts[0]), packet(5000, 1000, texts[2])]).contains(
                texts[2]))
        #expect(again.diagnostics.take().isEmpty)
    }

    @Test func missingDurations() {
        var writer = SubRipPacketWriter()
        let packets = [
            packet(1000, nil, "a"), packet(1500, nil, ""), packet(3000, 0, "b"),
            packet(2500, nil, "c"), packet(nil, 5, "lost"),
        ]
        let file = text(&writer, packets)
        #expect(file.contains("00:00:01,000 --> 00:00:01,500\na\n"))
        #expect(file.contains("00:00:03,000 --> 00:00:13,000\nb\n"))
        #expect(file.contains("00:00:02,500 --> 00:00:12,500\nc\n"))
        let diagnostics = writer.diagnostics.take()
        #expect(diagnostics.map(\.code) == ["missing-time"])
        #expect(diagnostics.map(\.severity) == [.error])
        var bounded = SubRipPacketWriter(inputEnd: .seconds(4))
        #expect(text(&bounded, packets).contains("00:00:02,500 --> 00:00:04,000\nc\n"))
    }

    @Test func timeBasesRoundHalfUp() {
        var writer = SubRipPacketWriter()
        var one = packet(1, 1, "a")
        one.timeBase = TimeBase(1, 400)
        #expect(text(&writer, [one]).contains("00:00:00,003 --> 00:00:00,005"))
    }
}

@Suite struct ASSPacketWriterTests {
    private let header = """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name
        Style: Default

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    private func written(
        _ header: String, isSSA: Bool = false, _ packets: [Packet]
    ) -> (String, [String]) {
        var writer = ASSPacketWriter(codecPrivate: Array(header.utf8), isSSA: isSSA)
        let file = text(&writer, packets)
        return (file, writer.diagnostics.take().map(\.code))
    }

    @Test func eventsAreSortedByReadOrder() {
        let (file, codes) = written(
            header,
            [
                packet(1000, 504, "1,0,Default,,0,0,0,,second, with comma"),
                packet(1009, 3_600_000, "0,3,Other,Bob,1,2,3,fx,first\r\n"),
                packet(2000, 10, "10,0,Default,,0,0,0,,two\nlines"),
                packet(2000, 10, ""), packet(2000, 10, "x,0,Default"),
            ])
        #expect(
            file == header + """
                Dialogue: 3,0:00:01.00,1:00:01.00,Other,Bob,1,2,3,fx,first
                Dialogue: 0,0:00:01.00,0:00:01.50,Default,,0,0,0,,second, with comma
                Dialogue: 0,0:00:02.00,0:00:02.01,Default,,0,0,0,,two\\Nlines

                """)
        #expect(codes == ["malformed-ass-event"])
    }

    @Test func headerIsKeptByteForByte() {
        let events = "\u{FEFF}" + header.replacing("\n", with: "\r\n")
        let fonts = "\r\n[Fonts]\r\nfontname: x\r\n"
        let (file, codes) = written(
            events + fonts + "\0", [packet(0, 1000, "0,0,D,,0,0,0,,t")])
        let line = "Dialogue: 0,0:00:00.00,0:00:01.00,D,,0,0,0,,t\r\n"
        #expect(Array(file.utf8) == Array((events + line + fonts).utf8))
        #expect(codes.isEmpty)
    }

    @Test func columnsOfTheHeaderAreFollowed() {
        let own = header.replacing(
            "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
            with: "Start,End , Actor,STYLE, Text")
        let (file, codes) = written(own, [packet(0, 1000, "0,5,St,Ac,0,0,0,,t,u")])
        #expect(file == own + "Dialogue: 0:00:00.00,0:00:01.00,Ac,St,t,u\n")
        #expect(codes.isEmpty)
    }

    @Test func unusableColumnsAreReplaced() {
        let own =
            header.replacing("Layer, Start", with: "Layer, Unknown, Start")
            + "Comment: kept\n"
        let (file, codes) = written(own, [packet(0, 1000, "0,5,St,Ac,0,0,0,,t")])
        #expect(
            file == header + "Comment: kept\nDialogue: 5,0:00:00.00,0:00:01.00,St,Ac,0,0,0,,t\n")
        #expect(codes == ["incomplete-ass-header"])
    }

    @Test func missingPartsAreAdded() throws {
        let event = packet(0, 1000, "0,,D,,0,0,0,,t")
        let (noEvents, codes) = written("[Script Info]", isSSA: true, [event])
        #expect(
            noEvents == """
                [Script Info]

                [Events]
                Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Dialogue: Marked=0,0:00:00.00,0:00:01.00,D,,0,0,0,,t

                """)
        #expect(codes == ["incomplete-ass-header"])
        let (noFormat, _) = written("[Events]\n\n", [packet(0, 1000, "0,7,D,,0,0,0,,t")])
        #expect(
            noFormat == """
                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Dialogue: 7,0:00:00.00,0:00:01.00,D,,0,0,0,,t


                """)
        let (nothing, _) = written("", [event])
        #expect(nothing.hasPrefix("[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer"))
    }

    @Test func markedOfSSA() {
        let own = header.replacing("Layer", with: "Marked")
        let (file, _) = written(
            own, isSSA: true,
            [
                packet(0, 10, "0,,D,,0,0,0,,a"), packet(0, 10, "1,1,D,,0,0,0,,b"),
                packet(0, 10, "2,Marked=1,D,,0,0,0,,c"),
            ])
        #expect(
            file.split(separator: "\n").suffix(3).map { $0.prefix(18) } == [
                "Dialogue: Marked=0", "Dialogue: Marked=1", "Dialogue: Marked=1",
            ])
    }
}

@Suite struct WebVTTPacketWriterTests {
    private func addition(_ text: String) -> SideData {
        SideData(.blockAdditional, [0, 0, 0, 0, 0, 0, 0, 1] + Array(text.utf8))
    }

    @Test func matroskaBlocks() throws {
        var writer = WebVTTPacketWriter(
            codecPrivate: Array("\u{FEFF}WEBVTT - title\r\n\r\nSTYLE\n::cue{color:red}\n\n".utf8))
        let bytes = files(
            &writer,
            [
                packet(
                    1000, 500, "<v A>Hi <00:00:00.250>you <01:00.000>x <00:99.000>",
                    [addition("line:0\nid --> 1\nNOTE a\n\nNOTE --> b\n")]),
                packet(2000, nil, "two\n\nlines\n", [addition("\nonly id")]),
                packet(3000, 10, "", [addition("align:start")]),
            ])[0]
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                WEBVTT - title

                STYLE
                ::cue{color:red}

                NOTE a

                NOTE -- b

                id -> 1
                00:00:01.000 --> 00:00:01.500 line:0
                <v A>Hi <00:00:01.250>you <00:01:01.000>x <00:99.000>

                only id
                00:00:02.000 --> 00:00:03.000
                two
                \u{A0}
                lines

                00:00:03.000 --> 00:00:03.010 align:start

                """)
        let read = try StrictWebVTT(bytes)
        #expect(read.cues.count == 3 && read.comments.count == 2 && read.styles.count == 1)
    }

    @Test func sideDataOfWebM() {
        var writer = WebVTTPacketWriter(codecPrivate: [])
        let sideData = [
            SideData(.webVTTIdentifier, Array("7".utf8)),
            SideData(.webVTTSettings, Array("line:0 align:start".utf8)),
        ]
        #expect(
            text(&writer, [packet(1000, 500, "a <00:00:01.250>b", sideData)]) == """
                WEBVTT

                7
                00:00:01.000 --> 00:00:01.500 line:0 align:start
                a <00:00:01.250>b

                """)
    }
}
