import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// Our native files against those of `mkvextract`, for blocks made here.
///
/// Where the two differ on purpose, the test applies the documented difference to the packets.
@Suite(.requires("mkvextract")) struct MkvextractTests {
    private func addition(_ text: String) -> SideData {
        SideData(.blockAdditional, [0, 0, 0, 0, 0, 0, 0, 1] + Array(text.utf8))
    }

    @Test func subRip() throws {
        let packets = [
            packet(1000, nil, "a\r\nb\r\n\r\nc\r\n\r\n"), packet(2000, nil, ""),
            packet(3000, nil, "x\0y"), packet(2500, 500, "<i>ü</i> 日本  "),
            packet(9000, nil, "last --> \n"), packet(9500, 10, "  \n"),
            packet(360_000_000, 3, "\n\n{\\an8}q"),
        ]
        // Empty lines before and within a text would end the cue.
        var readable = packets
        readable[0].data = Array("a\r\nb\r\n\u{A0}\r\nc\r\n\r\n".utf8)
        readable[6].data = Array("\u{A0}\n\u{A0}\n{\\an8}q".utf8)
        // It lasts until the next one that starts later, not as long as the difference to one that starts earlier.
        readable[2].duration = 6000
        let theirs = mkvextract(
            MatroskaFile(codecID: "S_TEXT/UTF8", packets: readable), extension: "srt")
        var writer = SubRipPacketWriter()
        #expect(text(&writer, packets) == withoutMark(theirs))
    }

    @Test func ass() throws {
        let header = """
            [Script Info]
            ; comment
            ScriptType: v4.00+

            [V4+ Styles]
            Format: Name
            Style: Default

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
        let packets = [
            packet(1000, 1000, "1,0,Default,,0,0,0,,second"),
            packet(1004, 1004, "0,0,Default,,0,0,0,,first, with comma"),
            packet(1005, 1006, "5,0,Default,Bob,0,0,0,Banner;1,a"),
            packet(3000, 10, "9,3,Default,,0,0,0,,"),
            packet(36_000_000, 1, "7,3,Default,,0,0,0,,x\0nul"),
        ]
        let theirs = mkvextract(
            MatroskaFile(
                codecID: "S_TEXT/ASS", codecPrivate: Array(header.utf8), packets: packets),
            extension: "ass")
        var writer = ASSPacketWriter(codecPrivate: Array(header.utf8), isSSA: false)
        #expect(text(&writer, packets) == withoutMark(theirs))
    }

    @Test func ssa() throws {
        let header = """
            [Script Info]
            ScriptType: v4.00

            [V4 Styles]

            [Events]
            Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
        let packets = [
            packet(1000, 500, "0,,Default,,0,0,0,,t"), packet(2000, 500, "1,1,Default,,0,0,0,,t"),
        ]
        let theirs = mkvextract(
            MatroskaFile(
                codecID: "S_TEXT/SSA", codecPrivate: Array(header.utf8), packets: packets),
            extension: "ssa")
        var writer = ASSPacketWriter(codecPrivate: Array(header.utf8), isSSA: true)
        #expect(text(&writer, packets) == withoutMark(theirs))
    }

    @Test func webVTT() throws {
        let header = Array("WEBVTT\n\nSTYLE\n::cue{color:red}\n\nNOTE x\n".utf8)
        let packets = [
            packet(
                1000, 500, "<00:00:00.500>hi <00:01.000>x\ny",
                [addition("line:0\nid1\nNOTE c1\nmore\n\nNOTE c2")]),
            packet(1200, 5, "two\r\nb\r\n", [addition("\nidonly")]),
            packet(3_700_000, 10, "last\n"),
            packet(3_700_000, 40, "x<1:02:03.004>&amp;", [addition("align:start")]),
        ]
        let theirs = mkvextract(
            MatroskaFile(codecID: "S_TEXT/WEBVTT", codecPrivate: header, packets: packets),
            extension: "vtt")
        var writer = WebVTTPacketWriter(codecPrivate: header)
        #expect(text(&writer, packets) == withoutMark(theirs))
    }

    @Test func pgs() throws {
        let set: [UInt8] = [0x16, 0, 3, 1, 2, 3, 0x15, 0, 0, 0x80, 0, 0]
        let packets = [
            packet(1000, 500, set), packet(2001, nil, set), packet(95_443_717, nil, set),
        ]
        let theirs = mkvextract(
            MatroskaFile(codecID: "S_HDMV/PGS", packets: packets), extension: "sup")
        var writer = SUPPacketWriter()
        #expect(files(&writer, packets)[0] == theirs)
    }

    /// Units of all sizes around the ends of packs, each with its own stop or none.
    @Test func vobSub() throws {
        let header = Array(
            "size: 720x480\npalette: \(repeatElement("0a0b0c", count: 16).joined(separator: ", "))\n"
                .utf8)
        var packets: [Packet] = []
        for (index, size) in ([4, 40] + Array(1985...2010) + [4000, 4010, 60000]).enumerated() {
            packets.append(
                packet(
                    1000 + Int64(index) * 3000, nil, VobSubPacketWriterTests.unit(size, stop: 100)))
        }
        packets.append(packet(48_000_000, nil, VobSubPacketWriterTests.unit(9)))
        let folder = TemporaryDirectory()
        let path = folder.write(
            MatroskaFile(
                codecID: "S_VOBSUB", codecPrivate: header, language: "eng", packets: packets
            ).bytes, to: "in.mkv")
        let theirs = try #require(mkvextractVobSub(path))
        var writer = VobSubPacketWriter(
            codecPrivate: header, language: LanguageTag("eng"))
        let ours = files(&writer, packets)
        #expect(String(decoding: ours[0], as: UTF8.self) == withoutMark(theirs[0]))
        #expect(ours[1].count == theirs[1].count)
        #expect(ours[1] == theirs[1])
    }
}
