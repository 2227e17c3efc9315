import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Teletext of broadcasters.
@Suite struct TeletextCorpusTests {
    /// The payloads of the PES packets of a PID, and their times in seconds.
    private func packets(_ name: String, pid: Int) throws -> [Packet] {
        let bytes = try #require(corpusPath(name).flatMap(fileBytes))
        var units: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count - 187, by: 188) {
            let block = bytes[start..<start + 188]
            func byte(_ index: Int) -> Int { Int(block[start + index]) }
            guard (byte(1) & 0x1F) << 8 | byte(2) == pid, byte(3) & 0x10 != 0 else { continue }
            let payload = block.dropFirst(byte(3) & 0x20 == 0 ? 4 : min(188, 5 + byte(4)))
            if byte(1) & 0x40 != 0 { units.append([]) }
            if !units.isEmpty { units[units.count - 1] += payload }
        }
        return units.compactMap { unit in
            guard unit.count > 14, unit[7] & 0x80 != 0 else { return nil }
            let high = (Int64(unit[9]) & 0x0E) << 29
            let pts =
                high | Int64(unit[10]) << 22 | (Int64(unit[11]) & 0xFE) << 14
                | Int64(unit[12]) << 7 | Int64(unit[13]) >> 1
            return Packet(
                streamIndex: 0, pts: pts, timeBase: .mpeg,
                data: Array(unit.dropFirst(9 + Int(unit[8]))))
        }
    }

    private func cues(_ packets: [Packet], _ service: String?) -> [DecodedCue] {
        var decoder = TeletextDecoder(stream: teletextStream(service))
        return drafts(packets.flatMap { decoder.decode($0) } + decoder.finish())
    }

    private func pages(_ packets: [Packet]) -> [String] {
        var pages = TeletextSubtitlePages()
        for packet in packets { pages.add(packet.data) }
        return pages.pages.map(\.service).sorted()
    }

    /// A recording with many wrong bits, whose table names a page that is not sent.
    ///
    /// TSDuck, whose file of subtitles is beside it, replaces characters with wrong parity by spaces, and has the
    /// letters of an option that the damaged header does not state.
    @Test(.requiresCorpus("tsduck-test/input/test-143.ts"))
    func captionOfTSDuck() throws {
        let packets = try packets("tsduck-test/input/test-143.ts", pid: 0x3E)
        #expect(pages(packets) == ["page691", "page692", "page693", "page695"])
        let expected = try #require(
            corpusPath("tsduck-test/reference/test-143/test-143.srt").flatMap(fileText))
        let words = cues(packets, "page691").flatMap {
            styledText($0.cue()).plainText.split { " \n".contains($0) }
        }
        let reference = expected.split { " \n\r".contains($0) }.dropFirst(4)
        #expect(words.count >= 8)
        // Words whose characters are whole on both sides.
        let same = words.count { word in reference.contains { $0 == word } }
        #expect(same >= 7, "\(words) \(reference)")
    }

    /// Twenty minutes of a whole service: pages 150 and 799 have the control bit of subtitles.
    @Test(.requiresCorpus("subtitleedit/tests/libse/Files/sample_TS_with_teletext.ts"))
    func serviceWithPagesAndSubtitles() throws {
        let packets = try packets(
            "subtitleedit/tests/libse/Files/sample_TS_with_teletext.ts", pid: 0x13F0)
        #expect(packets.count > 100)
        #expect(pages(packets) == ["page150", "page799"])
        for page in ["page150", "page799", "page100"] {
            for cue in cues(packets, page) {
                let text = styledText(cue.cue()).plainText
                #expect(!text.contains("\u{FFFD}"), "\(page): \(text)")
            }
        }
    }
}
