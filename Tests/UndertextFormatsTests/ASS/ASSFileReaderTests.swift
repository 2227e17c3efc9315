import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private let head = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 640
    PlayResY: 400

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
    Style: Default,Sans,20,&H00FFFFFF,2

    """
private let eventsHead = """

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

    """

@Suite struct ASSFileReaderTests {
    @Test func packetsAreInMatroskasForm() {
        let read = ReadScript(
            head + eventsHead + """
                Dialogue: 1,0:00:02.00,0:00:03.50,Default,Ann,1,2,3,fx,second, with a comma
                Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}first
                """)
        #expect(
            read.lines == [
                "1000-2000 1,0,Default,,0,0,0,,{\\i1}first",
                "2000-3500 0,1,Default,Ann,1,2,3,fx,second, with a comma",
            ])
        #expect(read.diagnostics.isEmpty)
        #expect(read.stream.codec == .ass)
        #expect(String(decoding: read.stream.codecPrivate, as: UTF8.self) == head + eventsHead)
        #expect(read.document.cues.map(\.plainText) == ["first", "second, with a comma"])
        #expect(read.document.header.canvas == PixelSize(width: 640, height: 400))
    }

    @Test(
        arguments: [
            ("0:00:01.00", 1000), ("0:00:01.5", 1500), ("0:00:01.567", 1567), ("0:00:01", 1000),
            ("0:00:01:25", 1250), ("0:00:01;25", 1250), ("00:01.50", 1500),
            ("12:00:00.00", 43_200_000), ("0123:00:00.00", 442_800_000), (" 0:00:01.00 ", 1000),
            ("-0:00:01.00", -1000), ("0:0:1.1234567", 1123), ("0:99:99.99", 6_039_990),
            ("x", nil), ("", nil), ("1", nil), ("1.5", nil), ("0:00:01.", nil), ("0:00:01.x", nil),
            ("0:00:01.00 x", nil), ("1:2:3:4:5", nil), ("::", nil), ("9999999999:00:00.00", nil),
        ] as [(String, Int64?)])
    func times(text: String, milliseconds: Int64?) {
        let read = ReadScript(
            head + eventsHead + "Dialogue: 0,\(text),999999:00:00.00,Default,,0,0,0,,x\n")
        #expect(read.packets.first?.pts == milliseconds)
        if milliseconds == nil {
            #expect(read.notes == ["malformed-time 12:13"])
        } else {
            #expect(read.diagnostics.isEmpty)
        }
    }

    @Test func columnsInAnyOrder() {
        let read = ReadScript(
            """
            [EVENTS]
            format:End , START,Text,Style, Actor
            Dialogue:0:00:02.00,0:00:01.00,one, two, three,Main,Bob
            [Events]
            Format: Start, End, Text
            dialogue : 0:00:03.00,0:00:04.00,more
            [events]
            Dialogue: 0:00:05.00,0:00:06.00,still, the same columns
            Format: Start, Text
            Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,usual
            [V4+ Styles]
            Format: Fontsize, Name
            Style: 99,Main
            [Script Info]
            PlayResY: 990
            """)
        #expect(
            read.lines == [
                "1000-2000 0,0,Main,Bob,0,0,0,,one, two, three",
                "3000-4000 1,0,Default,,0,0,0,,more",
                "5000-6000 2,0,Default,,0,0,0,,still, the same columns",
                "7000-8000 3,0,Default,,0,0,0,,usual",
            ])
        #expect(read.notes == ["unusable-format 9:1"])
        // Sections after the events are used.
        let first = read.document.cues[0]
        guard case .text(let text) = first.content else { return }
        #expect(text.runs[0].style.fontSize == .ofHeight(10_000))
        #expect(text.runs[0].style.voice == "Bob")
    }

    @Test func legacyScripts() {
        let read = ReadScript(
            """
            [Script Info]
            ScriptType: v4.00
            Timer: 90.0000
            Collisions: Reverse

            [V4 Styles]
            Format: Name, Fontsize, Alignment
            Style: Default,20,6

            [Events]
            Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: Marked=1,0:00:01.00,0:00:02.00,*Default,NTP,0000,0000,0000,!Effect,x
            Picture: 0,0:00:01.00,0:00:02.00,*Default,,0,0,0,,a.bmp
            """)
        #expect(read.stream.codec == .ssa)
        #expect(read.lines == ["1000-2000 0,Marked=1,*Default,NTP,0000,0000,0000,!Effect,x"])
        #expect(
            read.notes == [
                "timer-ignored 3:1", "collisions-reversed 4:1",
            ])
        #expect(read.document.cues.first?.layout.line == 0)
        #expect(read.document.cues.first?.layer == 0)
        #expect(ReadScript("[Script Info]\nScriptType: V4.00+\n").stream.codec == .ass)
        #expect(ReadScript("[Script Info]\nScriptType: v4.00\n").stream.codec == .ssa)
        #expect(ReadScript("[Events]\nFormat: Marked, Start, End, Text\n").stream.codec == .ssa)
    }

    @Test func marginsOfVersionFive() {
        let read = ReadScript(
            """
            [Script Info]
            PlayResX: 100
            PlayResY: 100
            [V4++ Styles]
            Format: Name, Alignment, MarginT, MarginB
            Style: Default,2,20,30
            Style: Top,8,20,30
            [Events]
            Format: Layer, Start, End, Style, MarginT, MarginB, Text
            Dialogue: 0,0:00:01.00,0:00:02.00,Default,0,0,a
            Dialogue: 0,0:00:02.00,0:00:03.00,Top,0,0,b
            Dialogue: 0,0:00:03.00,0:00:04.00,Default,0,40,c
            """)
        #expect(read.stream.codec == .ass)
        #expect(read.document.cues.map(\.layout.line) == [70, 20, 60])
    }

    @Test func damageCostsItsLine() {
        let read = ReadScript(
            head + "junk\n" + eventsHead + """
                Dialogue: 0,0:00:01.00,0:00:02.00,Default
                Dialogue: 0,0:00:01.00,never,Default,,0,0,0,,x
                not understood
                ; a comment
                !: another
                Dialogue: 0,0:00:02.00,0:00:02.00,Default,,0,0,0,,x
                Dialogue: 0,0:00:03.00,0:00:02.00,Default,,0,0,0,,x
                  Dialogue: 0,0:00:04.00,0:00:05.00,Default,,0,0,0,,good
                Comment: 0,0:00:04.00,0:00:05.00,Default,,0,0,0,,no cue
                [Aegisub Extradata]
                Data: 1
                junk
                Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,stray
                [V4+ Styles]
                Style: Short,Sans
                """)
        #expect(
            read.notes == [
                "unknown-line 9:1", "malformed-event 13:42",
                "malformed-time 14:24", "unknown-line 15:1",
                "empty-event 18:10", "empty-event 19:10",
                "misplaced-event 25:1", "short-style 27:1",
            ])
        #expect(
            read.diagnostics.map(\.severity) == [
                .warning, .error, .error, .warning, .warning, .warning, .warning, .warning,
            ])
        #expect(
            read.lines == [
                "4000-5000 0,0,Default,,0,0,0,,good", "5000-6000 1,0,Default,,0,0,0,,stray",
            ])
    }

    @Test func longLinesAndNULs() {
        var limits = Limits()
        limits.lineLength = 100
        let text =
            head + eventsHead + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,"
            + String(repeating: "x", count: 100)
            + "\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a\0b\n"
        let read = ReadScript(Array(text.utf8), limits: limits)
        #expect(read.lines == ["1000-2000 0,0,Default,,0,0,0,,a\u{FFFD}b"])
        #expect(
            read.notes == [
                "line-too-long 12:1", "nul-character 13:1",
            ])
        #expect(read.written == Array(text.utf8))
    }

    @Test func embeddedFilesAreDecoded() {
        func encoded(_ bytes: [UInt8]) -> String {
            var letters: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let part = bytes[start..<min(start + 3, bytes.count)]
                let group = (0..<3).reduce(UInt32(0)) {
                    $0 << 8 | UInt32($1 < part.count ? part[start + $1] : 0)
                }
                for place in 0...part.count {
                    letters.append(UInt8(group >> UInt32(18 - 6 * place) & 63) + 33)
                }
            }
            var lines: [String] = []
            while !letters.isEmpty {
                lines.append(String(decoding: letters.prefix(80), as: UTF8.self))
                letters.removeFirst(min(80, letters.count))
            }
            return lines.joined(separator: "\n")
        }
        var generator = SeededGenerator(seed: 3)
        let contents = [0, 1, 2, 3, 59, 60, 61, 1000].map { generator.bytes($0) }
        var text = head + eventsHead + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a\n"
        text += "\n[Fonts]\n"
        for (index, bytes) in contents.enumerated() {
            text += "fontname: font_\(index).ttf\n\(encoded(bytes))\n"
        }
        // A line of data may look like the beginning of a section or a comment.
        text += "fontname: odd.ttf\n[ABC]\n;!\"#\n\n[Graphics]\nfilename: a.png\n\(encoded([1]))\n"
        text +=
            "[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, Alignment\nStyle: Late,Sans,20,&H00FFFFFF,8\n"
        let read = ReadScript(text)
        #expect(read.files.count == contents.count + 2)
        for (file, bytes) in zip(read.files, contents) { #expect(file.bytes == bytes) }
        #expect(read.files.map(\.isFont) == Array(repeating: true, count: 9) + [false])
        #expect(read.files[3].name == "font_3.ttf")
        #expect(read.files[8].bytes.count == 6)
        #expect(read.files[9].name == "a.png")
        #expect(read.files[9].bytes == [1])
        #expect(read.written == Array(text.utf8))
        #expect(read.diagnostics.isEmpty)
        var limits = Limits()
        limits.attachmentSize = 60
        let bounded = ReadScript(Array(text.utf8), limits: limits)
        #expect(bounded.files.count == contents.count)
        #expect(
            bounded.diagnostics.map(\.code) == ["attachment-too-large", "attachment-too-large"])
        let tight = ReadScript(
            Array("[Fonts]\nfontname: a\n\(encoded([1, 2]))\n".utf8),
            limits: {
                var limits = Limits()
                limits.attachmentSize = 1
                return limits
            }())
        #expect(tight.files.isEmpty)
    }

    @Test func otherFilesAreRefused() {
        func refusal(_ text: String) -> String? { ASSFileReader.refusal(of: Array(text.utf8)[...]) }
        #expect(refusal(head) == nil)
        #expect(refusal("\r\n; comment\r[events]\r") == nil)
        #expect(refusal("[Aegisub]\nx\n[V4+ Styles]\n") == nil)
        #expect(refusal("") == "it has no text")
        #expect(refusal("WEBVTT\n")?.contains("[Script Info]") == true)
        #expect(refusal("1\n00:00:01,000 --> 00:00:02,000\n[Events]\n") != nil)
        #expect(refusal("[00:12.00]lyrics\n[00:13.00]more\n") != nil)
    }
}
