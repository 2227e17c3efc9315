import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The screens that cea608.js records after each pair of its own files.
///
/// Its authors differ from the standards in these points, which the test takes into account:
/// - characters beyond column 32 are dropped; 47 CFR 79.101 (f) lets them replace the last one;
/// - Flash On takes no column; by 47 CFR 79.101 (h) (1) (i) it is shown as a space;
/// - italics make letters white; by 47 CFR 79.101 (h) (1) (ii) they keep their color;
/// - the em dash and the corners of CTA-608-E, tables 5 and 9, are heavy lines of boxes, `~` is U+223C.
@Suite struct CEA608CorpusTests {
    private static let folder = "cea608.js"

    /// A character and its look.
    private struct Ink: Hashable, CustomStringConvertible {
        var column: Int
        var character: String
        var look: String
        var description: String { "\(column)\(character)\(look)" }
    }

    private typealias Screen = [Int: [Ink]]

    @Test(
        .requiresCorpus(folder),
        arguments: [
            "allchars", "backgrounds", "midrow_flash", "offsets", "rollup", "strange_stuff",
        ])
    func screens(_ name: String) throws {
        let text = try #require(corpusPath("\(Self.folder)/\(name).scc").flatMap(fileText))
        let reference = try #require(
            corpusPath("\(Self.folder)/vtt/\(name)_ch1.vtt").flatMap(fileText))
        let reader = SCCFileReader(Array(text.utf8), limits: Limits())
        var receiver = CEA608Receiver()
        var found: [Screen] = []
        while let packet = try reader.nextPacket() {
            for triplet in CaptionTriplet.all(in: packet.data) {
                _ = receiver.receive(triplet.first, triplet.second)
                let screen = Self.ink(receiver.displayed)
                if !screen.isEmpty, screen != found.last { found.append(screen) }
            }
        }
        var expected: [Screen] = []
        for screen in Self.screens(reference) where screen != expected.last {
            expected.append(screen)
        }
        // It records a screen when it goes, and nothing ends the last one of some files.
        if !receiver.displayed.isBlank { found.removeLast() }
        #expect(found.count == expected.count)
        for (one, other) in zip(found, expected) { #expect(one == other, "\(name)") }
    }

    private static func ink(_ screen: CEA608Screen) -> Screen {
        var result: Screen = [:]
        for (index, row) in screen.rows.enumerated() {
            let cells = row.enumerated().compactMap { column, cell -> Ink? in
                guard cell.hasInk, let character = cell.character else { return nil }
                return Ink(
                    column: column, character: String(character), look: dump(cell.pen))
            }
            if !cells.isEmpty { result[index + 1] = cells }
        }
        return result
    }

    private static func screens(_ text: String) -> [Screen] {
        text.split(separator: "\n\n").dropFirst().compactMap { block in
            let lines = block.split(separator: "\n", omittingEmptySubsequences: true)
            guard let top = lines.first?.split(separator: "line:").last.flatMap({ Int($0) }) else {
                return nil
            }
            var screen: Screen = [:]
            for (index, line) in lines.dropFirst().enumerated() {
                let row = inkOfRow(String(line))
                if !row.isEmpty { screen[top + index] = row }
            }
            return screen
        }
    }

    private static let same: [Character: String] = [
        "━": "—", "┃": "│", "┏": "┌", "┓": "┐", "┗": "└", "┛": "┘", "∼": "~",
    ]

    /// Reads a line of 32 columns with the tags `<i>`, `<u>` and `<c.…>`.
    private static func inkOfRow(_ line: String) -> [Ink] {
        var ink: [Ink] = []
        var pen = CEA608Pen()
        var column = 0
        var rest = line[...]
        while let character = rest.popFirst() {
            guard character == "<" else {
                let name = same[character] ?? String(character)
                if name != " " {
                    ink.append(Ink(column: column, character: name, look: dump(pen)))
                }
                column += 1
                continue
            }
            let tag = rest.prefix { $0 != ">" }
            rest = rest.dropFirst(tag.count + 1)
            switch tag {
            case "i": pen.isItalic = true
            case "/i": pen.isItalic = false
            case "u": pen.isUnderlined = true
            case "/u": pen.isUnderlined = false
            case "/c":
                (pen.color, pen.background, pen.opacity, pen.isFlashing) = (
                    .white, .black, .opaque, false
                )
            default: for word in tag.split(separator: ".").dropFirst() { apply(word, &pen) }
            }
        }
        return corrected(ink, of: line)
    }

    /// The two rows with characters beyond the last column, as the standards have them.
    private static func corrected(_ ink: [Ink], of line: String) -> [Ink] {
        var ink = ink
        if line.contains("mag </c>") {
            for index in ink.indices.suffix(3) { ink[index].look = "magenta iu" }
        }
        if line.contains("345678901</c>") { ink[31].character = "4" }
        if line.contains("flashing") {
            for index in ink.indices where ink[index].column >= 11 { ink[index].column += 1 }
            // The space of Flash On moves "static" beyond the end.
            ink.remove(at: ink.count - 2)
            ink[ink.count - 1].column = 31
        }
        return ink
    }

    private static func apply(_ word: Substring, _ pen: inout CEA608Pen) {
        func color(_ name: Substring) -> CEA608Pen.Color? {
            CEA608Pen.Color.allCases.first { "\($0)" == name }
        }
        if word == "blink" { pen.isFlashing = true }
        if word == "transparent" { pen.opacity = .transparent }
        if word == "semi-transparent" { pen.opacity = .semiTransparent }
        if word.hasPrefix("bg_"), let found = color(word.dropFirst(3)) { pen.background = found }
        if let found = color(word) { pen.color = found }
    }
}
