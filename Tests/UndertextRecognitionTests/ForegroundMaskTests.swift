import Testing
import UndertextCore

@testable import UndertextRecognition

@Suite struct ForegroundMaskTests {
    private static let clear = RGBA(rawValue: 0)
    private static let white = RGBA(rawValue: 0xFFFF_FFFF)
    private static let black = RGBA(rawValue: 0x0000_00FF)

    /// `#` text, `o` around it, `.` nothing.
    private func image(_ rows: [String], text: RGBA, around: RGBA) throws -> IndexedBitmap {
        let indices = rows.joined().utf8.map { byte -> UInt8 in
            byte == 0x23 ? 1 : byte == 0x6F ? 2 : 0
        }
        return try #require(
            IndexedBitmap(
                width: rows[0].utf8.count, height: rows.count, indices: indices,
                palette: [Self.clear, text, around]))
    }

    private let outlined = [
        "..........",
        ".ooo..ooo.",
        ".o#o..o#o.",
        ".o#oooo#o.",
        ".o######o.",
        ".o#oooo#o.",
        ".o#o..o#o.",
        ".ooo..ooo.",
        "..........",
    ]

    /// The pixels of the text, as rows of `#` and `.`.
    private func letters(_ plane: ForegroundMask) -> [String] {
        (0..<plane.height).map { row in
            (0..<plane.width).map { column in
                plane.ink[row * plane.width + column] >= ForegroundMask.letter ? "#" : "."
            }.joined()
        }
    }

    @Test(arguments: [
        (0xFFFF_FFFF, 0x0000_00FF), (0xFFFF_FFFF, 0x0000_0080), (0x4040_FFFF, 0x0000_00FF),
        (0xFF20_20FF, 0x0000_00FF), (0x1010_10FF, 0xFFFF_FFFF), (0xFFFF_0040, 0x0000_0040),
        (0xE0E0_E0FF, 0x6060_60FF), (0x0000_80FF, 0xF0F0_F0FF),
    ])
    func textApartFromItsOutline(_ text: Int, _ around: Int) throws {
        let plane = ForegroundMask(
            try image(
                outlined, text: RGBA(rawValue: UInt32(text)), around: RGBA(rawValue: UInt32(around))
            ))
        let expected = outlined.map { row in
            String(row.map { $0 == "#" ? "#" : "." })
        }
        #expect(letters(plane) == expected)
    }

    @Test(arguments: [(0xFFFF_FFFF, 0x0000_00FF), (0x0000_00FF, 0xFFFF_FFFF)])
    func textOnABox(_ text: Int, _ around: Int) throws {
        let boxed = outlined.map { row in String(row.map { $0 == "#" ? "#" : "o" }) }
        let plane = ForegroundMask(
            try image(
                boxed, text: RGBA(rawValue: UInt32(text)), around: RGBA(rawValue: UInt32(around))))
        #expect(letters(plane) == boxed.map { row in String(row.map { $0 == "#" ? "#" : "." }) })
    }

    @Test func oneColorIsItsShape() throws {
        let plain = outlined.map { row in String(row.map { $0 == "#" ? "#" : "." }) }
        for color in [Self.white, Self.black] {
            let plane = ForegroundMask(try image(plain, text: color, around: color))
            #expect(letters(plane) == plain)
        }
        let nothing = try image(["...", "..."], text: Self.white, around: Self.black)
        #expect(ForegroundMask(nothing).lines().isEmpty)
    }

    /// Rows by whether they have ink; each `#` is a letter of three columns.
    private func plane(_ rows: String) -> ForegroundMask {
        let ink = rows.flatMap { row -> [UInt8] in
            let full: [UInt8] = [0, 255, 255, 255, 0, 255, 255, 255, 0]
            return row == "#" ? full : [UInt8](repeating: 0, count: 9)
        }
        return ForegroundMask(width: 9, height: rows.count, ink: ink)
    }

    @Test(arguments: [
        // A dot belongs to what is below it, an accent too.
        ("..##.##########....", [2..<15]), ("##..##########......", [0..<2, 4..<14]),
        // Lines stay apart, however near.
        ("##########.##########", [0..<10, 11..<21]),
        ("..##########....##########.", [2..<12, 16..<26]),
        // A speck is no line.
        ("#......##########..", [7..<17]), ("....", []), ("", []),
    ])
    func lines(_ rows: String, _ expected: [Range<Int>]) {
        // Two rows of dust are too low to be text.
        let found = plane(rows).lines().map(\.rows)
        #expect(found == expected.filter { $0.count >= 3 })
    }

    @Test func linesWithoutAnEmptyRowAreABlock() {
        // Small letters of 8 rows in a run of 30: a descender touches what is below.
        var ink = [UInt8](repeating: 0, count: 40 * 30)
        func fill(_ rows: Range<Int>, _ columns: Range<Int>) {
            for row in rows { for column in columns { ink[row * 40 + column] = 255 } }
        }
        for letter in 0..<4 {
            fill(0..<8, (letter * 6)..<(letter * 6 + 4))
            fill(22..<30, (letter * 6)..<(letter * 6 + 4))
        }
        fill(0..<14, 26..<30)
        fill(12..<30, 32..<36)
        let lines = ForegroundMask(width: 40, height: 30, ink: ink).lines()
        #expect(lines.count == 1 && lines[0].isBlock)
        #expect(plane("##########").lines().allSatisfy { !$0.isBlock })
    }

    @Test(arguments: [4, 9, 25, 60, 200])
    func lettersComeToOneSize(_ size: Int) throws {
        // Small letters of that height, and one with an ascender.
        let (width, height) = (size * 6, size * 2)
        var ink = [UInt8](repeating: 0, count: width * height)
        for letter in 0..<5 {
            let top = letter == 0 ? size / 4 : size - size / 4
            for row in top..<(2 * size - size / 4) {
                for column in (letter * size)..<(letter * size + size / 2) {
                    ink[row * width + column] = 255
                }
            }
        }
        let plane = ForegroundMask(width: width, height: height, ink: ink)
        let line = try #require(plane.lines().first)
        let image = GrayscaleImage(line, of: plane)
        let margin = GrayscaleImage.margin
        #expect(image.pixels.count == image.width * image.height)
        let scale = Double(image.height - 2 * margin) / Double(line.rows.count)
        #expect((18...32).contains(Double(line.letterHeight) * scale))
        // White around it, black in it.
        #expect(image.pixels.prefix(image.width * margin).allSatisfy { $0 == 255 })
        #expect(image.pixels.contains { $0 < 40 })
    }

    @Test func dimTextBecomesBlack() {
        let ink = [UInt8](repeating: 120, count: 30 * 20)
        let plane = ForegroundMask(width: 30, height: 20, ink: ink)
        let line = TextLine(rows: 0..<20, columns: 0..<30, letterHeight: 20)
        #expect(GrayscaleImage(line, of: plane).pixels.min() == 0)
    }

    /// A line that consists of one row of dots is not enlarged without bounds.
    @Test func sizesHaveLimits() {
        let plane = ForegroundMask(
            width: 8192, height: 3, ink: [UInt8](repeating: 255, count: 8192 * 3))
        for line in plane.lines() {
            let image = GrayscaleImage(line, of: plane)
            #expect(image.width <= 16_100 && image.height < 1000)
        }
        #expect(plane.lines().count == 1)
    }
}
