import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The character code tables and code pages, against those of iconv.
@Suite struct EBUSTLCharacterTests {
    /// The characters that iconv makes of single bytes; `nil` where it knows none.
    private func iconv(_ charset: String, _ sequences: [[UInt8]]) -> [String?] {
        let folder = TemporaryDirectory()
        return sequences.map { bytes in
            // A letter after it ends what may be a mark.
            let file = folder.write(bytes + [0x2E], to: "x")
            let result = run("iconv", ["-f", charset, "-t", "UTF-8", file])
            guard result.status == 0, result.text.last == "." else { return nil }
            return String(result.text.dropLast())
        }
    }

    private func ours(_ bytes: [UInt8], _ table: EBUSTLCharacters) -> String? {
        let field = EBUSTLTextField(bytes, characters: table, isTeletext: false)
        return field.invalidCount == 0 && field.ignoredCode == nil ? field.text.plainText : nil
    }

    @Test(
        .requires("iconv"),
        arguments: [
            (EBUSTLCharacters.cyrillic, "ISO-8859-5"), (.arabic, "ISO-8859-6"),
            (.greek, "ISO-8859-7"), (.hebrew, "ISO-8859-8"),
        ])
    func tables(_ table: EBUSTLCharacters, _ charset: String) {
        let codes = (UInt8(0x21)...0x7E).map { [$0] } + (UInt8(0xA0)...0xFF).map { [$0] }
        for (bytes, theirs) in zip(codes, iconv(charset, codes)) {
            #expect(ours(bytes, table) == theirs, "\(charset) \(bytes)")
        }
    }

    /// glibc differs in three characters.
    ///
    /// It follows the edition of 1994; EBU Tech 3264 that of 1983, which has `$` and `#` at 0xA4 and 0xA6, too, and the
    /// umlaut at 0xC9. glibc has the letter of Icelandic at 0xE2, which in lower case is that of Croatian.
    @Test(.requires("iconv")) func latin() {
        let differing: Set<UInt8> = [0xA4, 0xA6, 0xE2]
        let codes =
            (UInt8(0x21)...0x7E).map { [$0] }
            + (UInt8(0xA0)...0xFF).map { [$0] }
            .filter { !(0xC0...0xCF).contains($0[0]) && !differing.contains($0[0]) }
        for (bytes, theirs) in zip(codes, iconv("ISO_6937", codes)) {
            #expect(ours(bytes, .latin) == theirs, "\(bytes)")
        }
        #expect(ours([0xA4, 0xA6, 0xE2], .latin) == "$#Đ")
    }

    /// Every letter with a mark that iconv knows is one character for us.
    @Test(.requires("iconv")) func marks() {
        let letters: [UInt8] = Array(0x41...0x5A) + Array(0x61...0x7A) + [0x20]
        let marks: [UInt8] = (0xC1...0xCF).filter { $0 != 0xC9 && $0 != 0xCC }
        let pairs: [[UInt8]] = marks.flatMap { mark in letters.map { [mark, $0] } }
        var count = 0
        for (bytes, theirs) in zip(pairs, iconv("ISO_6937", pairs)) {
            guard let theirs else { continue }
            count += 1
            let text = ours(bytes, .latin)
            #expect(text == theirs, "\(bytes)")
            #expect(text.map { Array($0.unicodeScalars) } == Array(theirs.unicodeScalars))
        }
        #expect(count > 150)
    }

    @Test(
        .requires("iconv"),
        arguments: [(437, "CP437"), (850, "CP850"), (860, "CP860"), (863, "CP863"), (865, "CP865")])
    func codePages(_ number: Int, _ charset: String) {
        let codes = (UInt8(0x80)...0xFE).map { [$0] }
        let page = EBUSTLCodePage(number: number)
        for (bytes, theirs) in zip(codes, iconv(charset, codes)) {
            let text = page.text(bytes[...])
            #expect(text == theirs, "\(charset) \(bytes)")
            #expect(page.bytes(text) == bytes)
        }
    }

    @Test(arguments: EBUSTLCharacters.allCases) func writtenCharactersAreReadAgain(
        _ table: EBUSTLCharacters
    ) {
        for code in UInt8(0xA0)...0xFF {
            guard let scalar = table.scalar(code) else { continue }
            let bytes = table.bytes(of: Character(scalar))
            #expect(bytes.map { ours($0, table) } == String(scalar), "\(table) \(code)")
        }
        #expect(table.bytes(of: "漢") == nil && table.bytes(of: "\n") == nil)
    }

    @Test func charactersOfLatin() {
        #expect(EBUSTLCharacters.latin.bytes(of: "é") == [0xC2, 0x65])
        #expect(EBUSTLCharacters.latin.bytes(of: "e\u{301}") == [0xC2, 0x65])
        #expect(EBUSTLCharacters.latin.bytes(of: "ș") == [0xCB, 0x73])
        #expect(EBUSTLCharacters.latin.bytes(of: "ẃ") == nil)
        #expect(EBUSTLCharacters.base(of: "ẃ") == "w")
        #expect(EBUSTLCharacters.latin.bytes(similarTo: "…") == [0x2E, 0x2E, 0x2E])
        #expect(EBUSTLCharacters.cyrillic.bytes(similarTo: "„") == [0x22])
        #expect(EBUSTLCharacters.latin.bytes(similarTo: "\u{200B}") == [])
        #expect(EBUSTLCharacters.arabic.bytes(of: "سّ") == [0xD3, 0xF1])
    }

    /// A mark without a letter after it is a character of its own.
    @Test func marksAlone() {
        #expect(ours([0xC8, 0x20, 0x61], .latin) == "¨a")
        #expect(ours([0xC8, 0xC1, 0x61], .latin) == "¨à")
        #expect(ours([0x61, 0xC2], .latin) == "a´")
        #expect(ours([0x61, 0xC2, 0x8A, 0x62], .latin) == "a´\nb")
    }
}
