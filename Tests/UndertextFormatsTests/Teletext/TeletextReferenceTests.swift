import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The conformance set, decoded by libzvbi as well: see `Tests/CPrograms/teletext.c`.
///
/// Every position of every screen is compared: whether it is shown, its character, colors, flash, underline and size.
@Suite struct TeletextReferenceTests {
    /// Screens, or rows of them, where libzvbi differs from EN 300 706.
    private struct Difference {
        var name: String
        /// The last lines of the screens.
        var screens: Set<Int>
        /// The rows; `nil` = all.
        var rows: Set<Int>?

        init(_ name: String, _ screens: Set<Int>, rows: Set<Int>? = nil) {
            (self.name, self.screens, self.rows) = (name, screens, rows)
        }
    }

    private static let differences = [
        // Table 26, 1/E: the held mosaic is a space again when mosaics or the size begin or end. It stays in libzvbi.
        Difference("attributes", [14], rows: [12, 13, 15]),
        // Table 32: codes of options are reserved. libzvbi shows Latin G0 without an option there.
        Difference("national", [16, 34, 40, 64, 67, 70, 73, 76, 79, 85, 91]),
        // Table 28, mode 0C: display attributes have a bit of double width, which libzvbi ignores.
        Difference("enhancements", [10], rows: [12]),
        // libzvbi ignores the packets X/26 after a missing one, and the triplets after a damaged one.
        Difference("enhancements", [14]),
        Difference("errors", [21]),
        // Section 9.4.2.2: black backgrounds have the color of the row. libzvbi leaves them black.
        Difference("colors", [33, 38, 42, 45]),
        // Headers of pages that are no subtitles change with each clock: they are left out on purpose.
        Difference("broadcast", [2448], rows: [0]),
        // A page with another subcode is another page, which libzvbi begins with the rows of this one.
        Difference("transmission", [19, 21]),
        // libzvbi ignores a row with a character of wrong parity, and a header with damaged control bits.
        Difference("errors", [3, 8, 10, 16]),
    ]

    /// Characters that Unicode has twice, or did not have when libzvbi chose them, or that it has wrong.
    private static let same: [Character: Set<UInt32>] = [
        "―": [0x2014], "₺": [0xE800], "∝": [0x0251], "×": [0x78], "`": [0x02CB], "´": [0x02CA],
        "¯": [0x02C9], "¸": [0x02CF], "_": [0x02CD], "Đ": [0x00D0],
        // The option has a breve and a circumflex, an ogonek, and a short i.
        "Ă": [0x01CD], "ă": [0x01CE], "Î": [0x00CD], "ę": [0x0229], "đ": [0x00F0], "Й": [0x040D],
        "й": [0x045D], "ї": [0x00EF],
    ]

    @Test(
        .requires("gcc"),
        .enabled(
            if: run("pkg-config", ["--exists", "zvbi-0.2"]).status == 0,
            "not installed: libzvbi-dev"),
        arguments: teletextConformanceNames)
    func screens(_ name: String) throws {
        let bytes = try fixtureBytes("captions/teletext-\(name).t42")
        #expect(try compare(TeletextLines.split(bytes), "888", name) > 0)
    }

    /// The pages of one stream, each by itself.
    @Test(
        .requires("gcc"),
        .enabled(
            if: run("pkg-config", ["--exists", "zvbi-0.2"]).status == 0,
            "not installed: libzvbi-dev"),
        arguments: ["888", "777"])
    func pagesOfAStream(_ page: String) throws {
        let packets = TeletextLines.packets(
            in: try fixtureBytes("captions/teletext.ts"), pid: 0x101)
        let lines = packets.flatMap { TeletextLines.lines(inPayload: $0.data) }
        #expect(try compare(lines, page, "stream") == 5)
    }

    /// The pages of a broadcaster, of which only some are subtitles.
    @Test(
        .requires("gcc"),
        .enabled(
            if: run("pkg-config", ["--exists", "zvbi-0.2"]).status == 0,
            "not installed: libzvbi-dev"),
        .requiresCorpus("subtitleedit/tests/libse/Files/sample_TS_with_teletext.ts"),
        arguments: ["150", "799", "100"])
    func pagesOfABroadcast(_ page: String) throws {
        let name = "subtitleedit/tests/libse/Files/sample_TS_with_teletext.ts"
        let bytes = try #require(corpusPath(name).flatMap(fileBytes))
        let lines = TeletextLines.packets(in: bytes, pid: 0x13F0)
            .flatMap { TeletextLines.lines(inPayload: $0.data) }
        #expect(try compare(lines, page, "broadcast") > 0)
    }

    /// Compares the screens of a page with those of libzvbi; returns how many there were.
    private func compare(
        _ lines: [ArraySlice<UInt8>], _ page: String, _ name: String
    ) throws -> Int {
        let folder = TemporaryDirectory()
        let built = run(
            "gcc",
            ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", folder / "teletext"]
                + [Repository.root + "/Tests/CPrograms/teletext.c", "-lzvbi"])
        try #require(built.status == 0, "\(built.stderr)")
        let result = run(folder / "teletext", [page], stdin: Array(lines.joined()))
        try #require(result.status == 0, "\(result.stderr)")
        let references = Self.references(result.text)
        var count = 0
        for screen in TransmittedScreen.all(in: lines, page: "page" + page) {
            let known = Self.differences.filter {
                $0.name == name && $0.screens.contains(screen.last)
            }
            if known.contains(where: { $0.rows == nil }) { continue }
            let reference = try #require(references[screen.end], "\(name) @\(screen.last)")
            for row in 0..<TeletextScreen.rowCount
            where !known.contains(where: { $0.rows?.contains(row) == true }) {
                compare(
                    screen.screen.rows[row], reference[row], "\(name) @\(screen.last) row \(row)")
            }
            count += 1
        }
        return count
    }

    /// A cell as the program prints it.
    private struct Cell {
        var character: UInt32
        var foreground: UInt32
        var background: UInt32
        var flags: UInt32
        var size: UInt32
        var opacity: UInt32

        var isShown: Bool { opacity != 0 }
        /// The sizes after 3 are the parts of larger characters.
        var isCovered: Bool { size > 3 }
    }

    private static func references(_ text: String) -> [Int: [[Cell]]] {
        var screens: [Int: [[Cell]]] = [:]
        for block in text.split(separator: "@") {
            let lines = block.split(separator: "\n")
            guard let end = lines.first.flatMap({ Int($0) }) else { continue }
            screens[end] = lines.dropFirst().map { line in
                line.split(separator: " ").map { word in
                    let values = word.split(separator: ":").map { UInt32($0, radix: 16) ?? 0 }
                    return Cell(
                        character: values[0], foreground: values[1], background: values[2],
                        flags: values[3], size: values[4], opacity: values[5])
                }
            }
        }
        return screens
    }

    private func compare(
        _ ours: [TeletextScreen.Cell], _ theirs: [Cell], _ place: String
    ) {
        for (column, (our, their)) in zip(ours, theirs).enumerated() {
            let place = Comment(rawValue: "\(place) column \(column)")
            guard our.isShown || their.isShown else { continue }
            #expect(our.isShown == their.isShown, place)
            if our.isCovered || their.isCovered {
                // Below double height, libzvbi has a space where our row is covered as a whole.
                #expect(our.isCovered && (their.isCovered || their.character == 0x20), place)
                continue
            }
            let isHidden = their.flags & 4 != 0
            if !isHidden {
                #expect(
                    Self.isSame(our.character, their.character),
                    "\(place.rawValue): \(our.character) \(String(their.character, radix: 16))")
            }
            #expect(our.isFlashing == (their.flags & 1 != 0), place)
            #expect(our.isUnderlined == (their.flags & 2 != 0), place)
            #expect(our.isDoubleHeight == (their.size & 2 != 0), place)
            #expect(our.isDoubleWidth == (their.size & 1 != 0), place)
            expectColor(our.foreground, their.foreground, place)
            expectColor(our.background, their.background, place)
        }
    }

    /// Transparent colors are some color with an opacity in libzvbi, whose fifteenth color is not that of table 30.
    private func expectColor(_ our: RGBA, _ their: UInt32, _ place: Comment) {
        guard our != .clear, their != 0x000020 else { return }
        #expect(our.rawValue >> 8 == their, place)
    }

    /// `true` if libzvbi's character equals ours; it has private codes for mosaics and Arabic, and lacks
    /// letters with rare marks.
    private static func isSame(_ our: Character, _ their: UInt32) -> Bool {
        let code = UInt8(their & 0x7F)
        switch their {
        case 0xEE00...0xEE1F, 0xEE40...0xEE5F:
            return our == Character(TeletextCharacterSet.mosaic(code + 0x20))
        case 0xEE20...0xEE7F: return our == Character(TeletextCharacterSet.mosaic(code))
        case 0xEF20...0xEF7F: return our == Character(TeletextCharacterSet.lineDrawing(code))
        case 0xE606...0xE65E:
            return our == Character(TeletextTables.arabic[Int(their - 0xE600)])
        case 0xE660...0xE67F:
            return our == Character(TeletextTables.arabicG2[Int(their - 0xE660)])
        case 0xE75F: return our == "ع"
        case 0 where isRare(our): return true
        case 0xA0: return our == " "
        default:
            return Unicode.Scalar(their).map { Character($0) } == our
                || same[our]?.contains(their) == true
        }
    }

    /// `true` for letters with a mark that no alphabet of the Latin sets has.
    private static func isRare(_ character: Character) -> Bool {
        String(character).unicodeScalars.count > 1
            || "ǸẼẽȦİṄȮṘṠȧẠẸỊṆỌṚṢẒạẹịụȨȩǪǍǏǑǎǐǔẐ".contains(character)
    }
}
