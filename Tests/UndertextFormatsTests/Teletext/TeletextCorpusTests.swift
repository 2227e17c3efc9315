import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// Teletext of broadcasters.
@Suite struct TeletextCorpusTests {
    private func packets(_ name: String, pid: Int) throws -> [Packet] {
        TeletextLines.packets(in: try #require(corpusPath(name).flatMap(fileBytes)), pid: pid)
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
