import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private let webVTT = """
    WEBVTT é
    X: y

    STYLE
    a{}

    NOTE n

    REGION
    id:r

    NOTE m

    id é
    00:01.000 --> 00:02.000 line:0 region:r
    a <00:01.500>é\r
    b\r
    \r
    01:00:03.000-->01:00:03.000
    00:00:04.000 --> 00:00:05.000
    c\0
    x --> y

    stray

    00:00:06.000 --> 00:00:07.000
    d

    NOTE end
    """

private let subRip = """
    1
    00:00:01,000 --> 00:00:02,000 X1:1 X2:2 Y1:3 Y2:4
    é <b>a</b>\r
    \r
    2\r
    00:00:03.5 -> -00:00:02,000 text
    b

    c

    3
    00:00:04,000 --> 00:00:0é,000
    lost

    4
    lost
    5

    00:00:06,000 --> 00:00:07,000
    42\0
    6
    00:00:08,000 --> 00:00:08,000
    d

    7
    """

/// Reads and decodes a damaged file; reading always ends, and all results are within bounds.
private func read<Reader: TextFileReader>(
    _ type: Reader.Type, _ bytes: [UInt8]
) throws -> ReadTextFile {
    let file = try ReadTextFile(type, bytes)
    var decoder = try #require(
        SubtitleFormat.decoder(of: file.stream, diagnostics: DiagnosticSink()))
    for packet in file.packets {
        #expect(packet.data.count <= bytes.count * 3)
        #expect((packet.duration ?? 1) > 0)
        #expect(packet.start != nil)
        #expect(!packet.data.contains(0) && !packet.data.contains(0x0D))
        _ = decoder.decode(packet)
    }
    #expect(file.diagnostics.allSatisfy { !$0.message.isEmpty && $0.streamIndex == 0 })
    return file
}

@Suite struct TextFileRobustnessTests {
    @Test func truncatedFiles() throws {
        let whole = try read(WebVTTFileReader.self, Array(webVTT.utf8))
        #expect(whole.packets.count == 3)
        for bytes in truncations(of: Array(webVTT.utf8)) {
            let file = try read(WebVTTFileReader.self, bytes)
            // The last one may be truncated; the offsets of comments after it change.
            for (packet, other) in zip(file.packets.dropLast(), whole.packets) {
                #expect(packet.pts == other.pts && packet.data == other.data)
            }
        }
        let all = try read(SubRipFileReader.self, Array(subRip.utf8))
        #expect(all.packets.count == 4)
        for bytes in truncations(of: Array(subRip.utf8)) {
            let file = try read(SubRipFileReader.self, bytes)
            #expect(file.packets.dropLast() == all.packets.prefix(max(0, file.packets.count - 1)))
        }
    }

    @Test func flippedBits() throws {
        for bytes in bitFlips(of: Array(webVTT.utf8), count: 1500, seed: 11) {
            _ = try read(WebVTTFileReader.self, bytes)
        }
        for bytes in bitFlips(of: Array(subRip.utf8), count: 1500, seed: 12) {
            _ = try read(SubRipFileReader.self, bytes)
        }
    }

    /// Lines in any order: what a parser of lines meets in the worst case.
    @Test func shuffledLines() throws {
        let lines = [
            "WEBVTT", "STYLE", "REGION", "NOTE", "NOTE a", "-->", "a-->b",
            "00:01.000 --> 00:02.000",
            "00:00:03,000 --> 00:00:02,000", "0:0 > 1:1", "", "", " ", "1", "2", "3", "text",
            "\u{FEFF}1", "1 00:00:01 -> 00:00:02 X1:1", "\0", "-1:2 --> 3:4 line:0",
        ]
        for seed in 0..<400 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var text = "WEBVTT\n"
            for _ in 0..<40 {
                text += lines.randomElement(using: &generator) ?? ""
                text += ["\n", "\n", "\r\n", "\r", "\r\r\n"].randomElement(using: &generator) ?? ""
            }
            _ = try read(WebVTTFileReader.self, Array(text.utf8))
            _ = try read(SubRipFileReader.self, Array(text.utf8.dropFirst(7)))
        }
    }

    @Test func moreCuesThanAllowed() throws {
        var limits = Limits()
        limits.cues = 100_000
        let cue = Array("0:0->0:1\na\n".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cue.count * 100_001)
        for _ in 0...100_000 { bytes += cue }
        let reader = SubRipFileReader(bytes, limits: limits)
        var count = 0
        while let packet = try reader.nextPacket() {
            if packet.data == [0x61] { count += 1 }
        }
        #expect(count == 100_000)
        let codes = reader.diagnostics.take().map(\.code)
        #expect(codes.contains("too-many-cues"))
        #expect(codes.count < 20)
    }

    @Test func deeplyNestedSpansAndHugeLines() throws {
        let nested = String(repeating: "<b>", count: 1_000_000)
        let head = "WEBVTT\n\n00:01.000 --> 00:02.000\n"
        var file = try read(WebVTTFileReader.self, Array((head + nested + "x\n").utf8))
        #expect(file.packets.first?.data.count == Limits().lineLength)
        #expect(file.notes == ["long-line 4:1"])
        // In lines that are short enough all of it is kept.
        let lines = nested.replacing("<b><b><b><b><b><b><b><b>", with: "<b><b><b><b><b><b><b><b>\n")
        file = try read(WebVTTFileReader.self, Array((head + lines + "x\n").utf8))
        #expect(file.packets.first?.data.count == lines.utf8.count + 1)
        #expect(file.notes == [])
        let long = String(repeating: "1", count: 3 << 20)
        for text in [
            "\(long)\n", "1\n\(long) --> \(long)\n", "1\n0:1 --> 0:2 \(long)", head + long,
        ] {
            _ = try read(SubRipFileReader.self, Array(text.utf8))
            _ = try read(WebVTTFileReader.self, Array((head + text).utf8))
        }
    }
}
