import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

private typealias Lines = TeletextLines

/// Cues, their times and places, the choice of pages, and what damaged packets leave.
@Suite struct TeletextDecoderTests {
    private static let end = TeletextLines.header("page8FF")

    /// `start-end place text` of each cue; `?` for an open end.
    private func cues(
        _ packets: [Packet], service: String? = "page888", header: [UInt8] = []
    ) -> [String] {
        var decoder = TeletextDecoder(stream: teletextStream(service, codecPrivate: header))
        let events = packets.flatMap { decoder.decode($0) } + decoder.finish()
        #expect(decoder.diagnostics.take().isEmpty)
        return drafts(events).map { draft in
            let end = draft.end.map { "\($0.time.roundedMilliseconds)" } ?? "?"
            return "\(draft.start.roundedMilliseconds)-\(end) \(dump(draft.layout)) "
                + dump(styledText(draft.cue())).replacing("\n", with: "/")
        }
    }

    // MARK: Codes

    @Test func codesCorrectOneWrongBit() {
        for nibble in UInt8(0)..<16 {
            let code = TeletextCoding.hamming8Code(nibble)
            #expect(TeletextCoding.hamming8(code) == nibble)
            for bit in 0..<8 { #expect(TeletextCoding.hamming8(code ^ 1 << bit) == nibble) }
            for bit in 0..<7 { #expect(TeletextCoding.hamming8(code ^ 3 << bit) == nil) }
        }
        // EN 300 706, section 8.2: the code words of 0 and 15.
        #expect(TeletextCoding.hamming8Code(0) == 0x15)
        #expect(TeletextCoding.hamming8Code(15) == 0xEA)
        #expect(TeletextCoding.reversed(0xE4) == 0x27)
        #expect(TeletextCoding.character(0x20) == 0x20)
        #expect(TeletextCoding.character(0x41) == nil)
    }

    @Test func tripletsCorrectOneWrongBit() throws {
        // The first triplet of a packet X/26 of the conformance set, row 20.
        let lines = Lines.split(try fixtureBytes("captions/teletext-enhancements.t42"))
        let bytes = Array(try #require(lines.first { TeletextLine($0)?.row == 26 }).dropFirst(3))
        func value(_ word: UInt32) -> UInt32? {
            TeletextCoding.hamming24(
                UInt8(word & 0xFF), UInt8(word >> 8 & 0xFF), UInt8(word >> 16))
        }
        let word = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
        // The address of row 20, mode 4.
        let expected: UInt32 = 60 | 4 << 6
        #expect(value(word) == expected)
        for bit in 0..<24 {
            #expect(value(word ^ 1 << bit) == expected)
            for other in 0..<bit { #expect(value(word ^ 1 << bit ^ 1 << other) == nil) }
        }
    }

    @Test func tablesAreComplete() {
        let tables = [
            TeletextTables.latin, TeletextTables.cyrillic1, TeletextTables.cyrillic2,
            TeletextTables.cyrillic3, TeletextTables.greek, TeletextTables.hebrew,
            TeletextTables.arabic, TeletextTables.latinG2, TeletextTables.cyrillicG2,
            TeletextTables.greekG2, TeletextTables.arabicG2, TeletextTables.lineDrawing,
        ]
        for table in tables { #expect(table.count == 96) }
        for option in TeletextNationalOption.allCases {
            #expect(option.characters.count == TeletextNationalOption.codes.count)
        }
        #expect(TeletextTables.marks.count == 15)
        let names = [0x25: "BLACK LOWER LEFT TRIANGLE", 0x51: "BOX DRAWINGS LIGHT HORIZONTAL"]
        for (code, name) in names {
            #expect(TeletextTables.lineDrawing[code - 0x20].properties.name == name)
        }
    }

    // MARK: Pages

    @Test func names() {
        #expect(TeletextPageAddress(service: "page888")?.service == "page888")
        #expect(TeletextPageAddress(service: "page1AF") == .init(magazine: 1, number: 0xAF))
        #expect(TeletextPageAddress(magazine: 0, number: 5).service == "page805")
        for name in ["page88", "page900", "page8888", "CC1", "page0FF", "pag888", "page8-8"] {
            #expect(TeletextPageAddress(service: name) == nil, "\(name)")
        }
    }

    /// The initial page, subtitles for the hard of hearing, subtitles, and the first ones again.
    @Test func headersListPages() {
        let header: [UInt8] = [
            1 << 3 | 1, 0x00, 5 << 3 | 7, 0x77, 2 << 3, 0x88, 2 << 3 | 7, 0x77, 2 << 3 | 1, 0xF0,
        ]
        func pages(_ count: Int, _ languages: String? = nil) -> [String] {
            var stream = teletextStream(nil, codecPrivate: Array(header.prefix(count)))
            stream.tags = languages.map { [MetadataTag("language", $0)] } ?? []
            return TeletextPageList(stream).entries.map { entry in
                entry.page.service + (entry.isHearingImpaired ? " sdh" : "")
                    + (entry.language.map { " \($0)" } ?? "")
            }
        }
        #expect(pages(10) == ["page888", "page777 sdh", "page1F0"])
        #expect(
            pages(10, "eng,swe,,fin,und") == ["page888", "page777 sdh sv", "page1F0"])
        #expect(pages(6, "eng,swe") == ["page888", "page777 sdh sv"])
        #expect(pages(5, "eng,swe,ger") == ["page777 sdh sv"])
        #expect(pages(2).isEmpty)
        #expect(pages(0).isEmpty)
    }

    @Test func pagesAreChosen() {
        let packets = [
            Lines.packet(
                1000, Lines.header("page100", isSubtitle: false), Lines.row(1, "no", magazine: 1)),
            Lines.packet(
                2000, Lines.header("page777"), Lines.row(22, "seven", magazine: 7), Self.end,
                Lines.header("page888"), Lines.row(22, "eight")),
        ]
        func text(_ service: String?, _ header: [UInt8] = []) -> [Substring] {
            cues(packets, service: service, header: header).compactMap {
                $0.split(separator: " ").last
            }
        }
        #expect(text("page777") == ["seven"])
        #expect(text(nil) == ["seven"])
        #expect(text(nil, [2 << 3, 0x88]) == ["eight"])
        #expect(text("page777", [2 << 3, 0x88]) == ["seven"])
        var pages = TeletextSubtitlePages()
        for packet in packets + packets { pages.add(packet.data) }
        #expect(pages.pages.map(\.service) == ["page777", "page888"])
    }

    @Test func absentPagesAreReported() {
        var decoder = TeletextDecoder(stream: teletextStream("page889"))
        #expect(decoder.decode(Lines.packet(0, Lines.header("page888"))) == [])
        #expect(decoder.finish() == [])
        #expect(decoder.diagnostics.take().map(\.code) == ["teletext-page"])
    }

    // MARK: Times

    /// A page is shown with its last row, a repetition changes nothing, and an empty page clears.
    @Test func times() {
        let packets = [
            Lines.packet(1000, Lines.header("page888"), Lines.row(20, "one")),
            Lines.packet(1040, Lines.row(22, "two")),
            Lines.packet(2000, Lines.header("page888"), Lines.row(20, "one"), Lines.row(22, "two")),
            Lines.packet(3000, Lines.header("page888"), Self.end),
            Lines.packet(5000, Lines.header("page888"), Lines.row(22, "last"), Self.end),
        ]
        #expect(
            cues(packets) == [
                "1040-3000 line:76.67%,start position:14.0%,auto align:left one/two",
                "5000-? line:83.33%,start position:14.0%,auto align:left last",
            ])
    }

    @Test func clocksMayJumpBack() {
        let packets = [
            Lines.packet(50_000, Lines.header("page888"), Lines.row(22, "late"), Self.end),
            Lines.packet(51_000, Lines.header("page888"), Lines.row(22, "later")),
            Lines.packet(1000, Lines.header("page888"), Lines.row(22, "early"), Self.end),
            Lines.packet(2000, Lines.header("page888"), Self.end),
        ]
        #expect(
            cues(packets).map { $0.split(separator: " ").first } == ["50000-51000", "1000-2000"])
    }

    // MARK: Places and looks

    private func cue(_ rows: ArraySlice<UInt8>...) -> [String] {
        var lines = [Lines.header("page888")] + rows
        lines.append(Self.end)
        let packet = Packet(
            streamIndex: 0, pts: 0, timeBase: .milliseconds, data: Lines.payload(lines))
        return cues([packet]).map { String($0.dropFirst("0-? ".count)) }
    }

    @Test func places() {
        // Centered on the screen, and on each other.
        #expect(
            cue(Lines.row(1, String(repeating: " ", count: 15) + "middle"))
                == ["line:13.33%,start middle"])
        #expect(
            cue(Lines.row(10, "  a"), Lines.row(11, " abc"))
                == ["line:43.33%,start position:19.0%,auto a/abc"])
        // Otherwise indented; two rows apart are two cues.
        #expect(
            cue(Lines.row(10, "  abc"), Lines.row(11, "def"), Lines.row(14, "far"))
                == [
                    "line:43.33%,start position:14.0%,auto align:left \u{A0}\u{A0}abc/def",
                    "line:56.67%,start position:14.0%,auto align:left far",
                ])
    }

    @Test func looks() {
        let text = "\u{03}yellow\u{04}\u{1D}\u{07}on blue\u{08}!"
        #expect(
            cue(Lines.row(22, text)) == [
                "line:83.33%,start position:16.0%,auto align:left yellow [color=ffff00ff]"
                    + "|  [color=0000ffff background=0000ffff]|on blue [background=0000ffff]"
                    + "|![background=0000ffff class=blink]"
            ])
        // Small text is small only beside large text.
        #expect(
            cue(Lines.row(20, "\u{0D}large\u{0C}small")).first?.hasSuffix(
                "large |small[size=percent(50)]") == true)
        #expect(cue(Lines.row(20, "\u{0D}large")).first?.hasSuffix(" large") == true)
    }

    /// Rows are sent as they are seen; text is stored as it is read.
    @Test func textFromRightToLeft() {
        let packet = Lines.packet(
            0, Lines.header("page888"), Lines.line(8, 28, Self.hebrew),
            Lines.row(22, "12-3 (`a)  FM cb"), Self.end)
        #expect(
            cues([packet]) == [
                "0-? line:83.33%,start position:46.0%,auto align:right גד FM  (בא) 12-3"
            ])
    }

    /// X/28/0 with Hebrew as the first set: the first two triplets, then zeros.
    private static let hebrew: [UInt8] = {
        // The code of Hebrew in bits 8 to 14, and no second set.
        let triplets = [0x55 << 7 | 0xF << 14, 0x7] + [UInt32](repeating: 0, count: 11)
        return [TeletextCoding.hamming8Code(0)] + triplets.flatMap(code)
    }()

    /// A triplet of Hamming 24/18: the one that decodes to a value.
    private static func code(_ value: UInt32) -> [UInt8] {
        let spread =
            (value & 1) << 2 | (value & 0xE) << 3 | (value & 0x7F0) << 4 | (value & 0x3F800) << 5
        for bits in UInt32(0)..<64 {
            let word = [0, 1, 3, 7, 15, 23].enumerated().reduce(spread) {
                $0 | (bits >> UInt32($1.offset) & 1) << UInt32($1.element)
            }
            let bytes = [UInt8(word & 0xFF), UInt8(word >> 8 & 0xFF), UInt8(word >> 16)]
            var isCode = TeletextCoding.hamming24(bytes[0], bytes[1], bytes[2]) == value
            // Other words decode to it, too, but not with each bit of them wrong.
            for bit in UInt32(0)..<24 where isCode {
                let other = word ^ 1 << bit
                isCode =
                    TeletextCoding.hamming24(
                        UInt8(other & 0xFF), UInt8(other >> 8 & 0xFF), UInt8(other >> 16)) == value
            }
            if isCode { return bytes }
        }
        return [0, 0, 0]
    }
}
