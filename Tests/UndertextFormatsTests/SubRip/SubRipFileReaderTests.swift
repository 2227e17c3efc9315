import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct SubRipFileReaderTests {
    @Test func usualFile() throws {
        let text = """
            1
            00:00:01,000 --> 00:00:02,500
            <i>a</i>
            b

            2
            01:02:03,004 --> 01:02:05,000
            {\\an8}c

            """
        for end in ["\n", "\r\n", "\r"] {
            let file = try readSubRip(text.replacing("\n", with: end))
            #expect(file.lines == ["1000 1500 <i>a</i>|b", "3723004 1996 {\\an8}c"])
            #expect(file.notes == [])
            #expect(file.stream.codec == .subRip && file.stream.timeBase == .milliseconds)
        }
        let doubled = try readSubRip(text.replacing("\n", with: "\r\r\n"))
        #expect(doubled.lines == ["1000 1500 <i>a</i>|b", "3723004 1996 {\\an8}c"])
        #expect(doubled.notes == ["line-ends 1:1", "line-ends"])
        #expect(doubled.diagnostics.allSatisfy { $0.severity == .info })
    }

    @Test(arguments: [
        ("00:00:01.500 --> 00:00:02.250", "1500 750 a", ["decimal-point"]),
        ("00:00:01,5 --> 00:00:02,04", "1500 540 a", ["fraction"]),
        ("00:00:01 --> 00:00:02", "1000 1000 a", ["fraction"]),
        ("00:00:01,1234 --> 00:00:02,9996", "1123 1877 a", ["fraction"]),
        ("00:00:01,0005 --> 00:00:02,", "1001 999 a", ["fraction"]),
        ("00:00:01:500 --> 00:00:02,000", "1500 500 a", ["decimal-point"]),
        ("00:01,500 --> 01:00,000", "1500 58500 a", ["missing-hours"]),
        ("0:0:1,500 --> 123:00:00,000", "1500 442798500 a", []),
        ("00:00:01,500-->00:00:02,000", "1500 500 a", []),
        ("  00:00:01,500\t -->   00:00:02,000  ", "1500 500 a", []),
        ("00: 00: 01 , 500 --> 00 : 00:02, 000", "1500 500 a", []),
        ("00:00:01,500 -> 00:00:02,000", "1500 500 a", ["arrow"]),
        ("00:00:01,500 -- > 00:00:02,000", "1500 500 a", ["arrow"]),
        ("00:00:01,500 –> 00:00:02,000", "1500 500 a", ["arrow"]),
        ("00:00:01,500 ==> 00:00:02,000", "1500 500 a", ["arrow"]),
        ("00:00:75,000 --> 00:99:02,000", "75000 5867000 a", ["time-overflow"]),
        ("-00:00:01,500 --> 00:00:02,000", "-1500 3500 a", ["negative-time"]),
        ("17 00:00:01,500 --> 00:00:02,000", "1500 500 a", ["number-before-times"]),
        ("00:00:01,500 --> 00:00:02,000 and b", "1500 500 and b|a", ["text-after-times"]),
        ("00:00:01,500 --> 00:00:02,000 line:0 align:start", "1500 500 a", ["ignored-settings"]),
        ("00:00:01,500 --> 00:00:02,000 X1:1 X2:2", "1500 500 a", ["bad-coordinates"]),
        ("00:00:02,000 --> 00:00:02,000", "2000 ? a", ["zero-duration"]),
        ("00:00:02,000 --> 00:00:01,000", "2000 ? a", ["negative-duration"]),
        ("\u{FEFF}00:00:01,500 --> 00:00:02,000", "1500 500 a", []),
    ])
    func timingLines(_ line: String, _ expected: String, _ codes: [String]) throws {
        let file = try readSubRip("1\n\(line)\na\n")
        #expect(file.lines == [expected])
        #expect(Set(file.diagnostics.map(\.code)) == Set(codes))
        #expect(!file.diagnostics.contains { $0.severity == .error })
    }

    @Test(arguments: [
        ("00:00:01,000 --> 00:00:0x,000", "2:25"), ("00:00:01,000 --> 00:00:02x", "2:26"),
        ("00:00:01,000 -->", "2:17"), ("  --> 00:00:02,000", "2:4"),
        ("99999999:00:00,000 --> 00:00:02,000", "2:15"),
    ])
    func badTimes(_ line: String, _ place: String) throws {
        let file = try readSubRip("1\n\(line)\nlost\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n")
        #expect(file.lines == ["3000 1000 b"])
        #expect(file.diagnostics.map(\.code) == ["bad-timing"])
        #expect(file.notes.first?.hasPrefix("bad-timing 2:") == true)
        #expect(file.notes == ["bad-timing \(place)"])
    }

    @Test func coordinates() throws {
        let file = try readSubRip(
            "1\n00:00:01,000 --> 00:00:02,000  X1:40 X2:600 Y1: 20 Y2:050\na\n\n"
                + "2\n00:00:03,000 --> 00:00:04,000 Y1:-1 X1:2 Y2:3 X2:4\nb\n")
        #expect(file.lines == ["1000 1000 a", "3000 1000 b"])
        #expect(file.notes == [])
        let places = file.packets.map {
            $0.sideData(.subtitlePosition).flatMap { SubRipCoordinates($0) }
        }
        #expect(
            places == [
                SubRipCoordinates(x1: 40, y1: 20, x2: 600, y2: 50),
                SubRipCoordinates(x1: 2, y1: -1, x2: 4, y2: 3),
            ])
        // They are written again as stored.
        var writer = SubRipPacketWriter()
        let written = text(&writer, file.packets)
        #expect(written.contains("00:00:02,000 X1:40 X2:600 Y1:20 Y2:50\na\n"))
        #expect(try readSubRip(written).contents == file.contents)
    }

    /// Content between the cues: times are `t1`, `t2`, ….
    @Test(arguments: [
        // Numbers missing, doubled, wrong, stuck to the text.
        ("t1\na\n\nt2\nb", "a / b", ["missing-number"]),
        ("1\nt1\na\nt2\nb", "a / b", ["missing-blank-line", "missing-number"]),
        ("1\nt1\na\n2\nt2\nb", "a / b", ["missing-blank-line"]),
        ("7\nt1\na\n\n3\nt2\nb", "a / b", []),
        (" 1 \nt1\na\n\n\u{FEFF}2\nt2\nb", "a / b", []),
        // Numbers that are text.
        ("1\nt1\n42\n\n2\nt2\nb", "42 / b", []),
        ("1\nt1\n42\n2\nt2\nb", "42 / b", ["missing-blank-line"]),
        ("1\nt1\na\n42\n\n2\nt2\nb\n7", "a|42 / b|7", []),
        ("1\nt1\n2\n\n2\nt2\nb", "2 / b", []),
        ("t1\n42\n\nt2\nb", "42 / b", ["missing-number"]),
        ("t1\n42\nt2\nb", "42 / b", ["missing-blank-line", "missing-number"]),
        ("1\nt1\na\n\n2\n\n2\nt2\nb", "a||2 / b", ["blank-line"]),
        ("1\nt1\na\n\n1999\nc\n\n2\nt2\nb", "a||1999|c / b", ["blank-line"]),
        // Empty lines too many.
        ("\n\n1\nt1\na\n\n\n\n2\nt2\nb\n\n\n", "a / b", []),
        ("1\nt1\n\na\n\n\nc\n\n2\nt2\nb", "a|||c / b", ["blank-line"]),
        ("1\n\nt1\n\na\n\n2\n\nt2\n\nb", "a / b", ["blank-line"]),
        ("1\nt1\na\n \nc\n\n2\nt2\nb", "a| |c / b", []),
        ("1\nt1\na\n \n2\nt2\nb", "a / b", []),
        // No text.
        ("1\nt1\n\n2\nt2\nb", "b", ["empty-cue"]), ("1\nt1\n2\nt2\nb", "b", ["empty-cue"]),
        ("1\nt1\n\n\n2\nt2\n", "", ["empty-cue"]),
        // Blocks without times.
        ("1\nt1\na\n\n2\nlost\n\n3\nt2\nb", "a / b", ["missing-times"]),
        ("1\nt1\na\n\n2\n\n3\nt2\nb", "a / b", ["missing-times"]),
        ("1\nlost\n\n2\nt2\nb", "b", ["missing-times"]),
        ("lost\n\n2\nt2\nb", "b", ["stray-text"]),
        ("1\nt1\na\n\n2", "a", ["cut-off"]), ("1\nt1\na\n\n2\n", "a", ["cut-off"]),
        ("1\nt1\na\n\n00:00 --> x\nlost\nt2\nb", "a / b", ["bad-timing", "missing-number"]),
        // Arrows in text.
        ("1\nt1\na --> b\nc -> d\n\n2\nt2\nb", "a --> b|c -> d / b", []),
        ("1\nt1\na\n1:2 --> b\n\n2\nt2\nb", "a|1:2 --> b / b", []),
    ])
    func blocks(_ text: String, _ expected: String, _ codes: [String]) throws {
        let file = try readSubRip(
            text.replacing("t1", with: "00:00:01,000 --> 00:00:02,000")
                .replacing("t2", with: "00:00:03,000 --> 00:00:04,000"))
        let texts = file.lines.map {
            $0.drop { $0 != " " }.dropFirst().drop { $0 != " " }.dropFirst()
        }
        #expect(texts.joined(separator: " / ") == expected)
        #expect(Set(file.diagnostics.map(\.code)) == Set(codes), "\(file.notes)")
    }

    @Test func severities() throws {
        let file = try readSubRip(
            "t\n1\n00:00:01,000 --> 00:00:02,000\na\0\n\n00:00:02.000 --> 00:00:03,000\n\nb\n")
        #expect(file.lines == ["1000 1000 a\u{FFFD}", "2000 1000 b"])
        let severities = file.diagnostics.map { "\($0.severity) \($0.code)" }
        #expect(
            severities == [
                "error stray-text", "warning nul", "info missing-number", "info decimal-point",
                "warning blank-line",
            ])
        #expect(
            file.notes == [
                "stray-text 1:1", "nul 4:1", "missing-number 6:1", "decimal-point 6:1",
                "blank-line 8:1",
            ])
    }

    @Test func refusal() {
        func refusal(_ text: String) -> String? {
            SubRipFileReader.refusal(of: Array(text.utf8)[...])
        }
        #expect(refusal("\n\n1\n00:00:01.0 -> 00:00:02\n") == nil)
        #expect(refusal("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n") != nil)
        #expect(refusal("") != nil)
        #expect(refusal("[Script Info]\nTitle: 1:2 --> 3\n") != nil)
        #expect(refusal("{1}{2}a") != nil)
    }

    @Test func limits() throws {
        var limits = Limits()
        limits.cues = 2
        let cue = "1\n00:00:01,000 --> 00:00:02,000\n"
        var file = try readSubRip(String(repeating: cue + "a\n\n", count: 3), limits: limits)
        #expect(file.packets.count == 2)
        #expect(file.notes == ["too-many-cues 10:1"])
        #expect(file.diagnostics.map(\.severity) == [.error])
        limits = Limits()
        limits.lineLength = 31
        file = try readSubRip(cue + String(repeating: "é", count: 40) + "\nb\n\n", limits: limits)
        #expect(file.lines == ["1000 1000 \(String(repeating: "é", count: 15))|b"])
        #expect(file.notes == ["long-line 3:1"])
        limits = Limits()
        limits.packetSize = 3
        file = try readSubRip(cue + "abcdef\n", limits: limits)
        #expect(file.lines == ["1000 1000 abc"])
        #expect(file.notes == ["long-cue 2:1"])
    }
}
