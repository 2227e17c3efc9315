import Testing
import UndertextCore

@testable import UndertextCharsets

@Suite("Decoded text")
struct DecodedTextTests {
    private func text(_ data: [UInt8], _ charset: String? = nil) throws -> (String, DecodedText) {
        let decoded = try #require(DecodedText(data, charset: charset))
        return (String(decoding: decoded.bytes, as: UTF8.self), decoded)
    }

    @Test("ASCII and UTF-8 are not converted")
    func valid() throws {
        for words in ["plain", "Straße, naïve, 字幕", ""] {
            let (read, decoded) = try text(Array(words.utf8))
            #expect(read == words)
            #expect(decoded.charset == TextCharset(name: "utf-8", source: .valid, confidence: 1))
            #expect(decoded.replacedCount == 0)
        }
    }

    @Test(
        "byte order marks decide, and vanish",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x68, 0x69], "utf-8"),
            ([0xFF, 0xFE, 0x68, 0, 0x69, 0], "utf-16le"),
            ([0xFE, 0xFF, 0, 0x68, 0, 0x69], "utf-16be"),
            ([0xFF, 0xFE, 0, 0, 0x68, 0, 0, 0, 0x69, 0, 0, 0], "utf-32le"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x68, 0, 0, 0, 0x69], "utf-32be"),
        ] as [([UInt8], String)])
    func marks(data: [UInt8], name: String) throws {
        let (read, decoded) = try text(data)
        #expect(read == "hi")
        #expect(decoded.charset.name == name)
        #expect(decoded.charset.source == .byteOrderMark)
    }

    @Test("an invalid byte costs one character")
    func oneInvalidByte() throws {
        let words = Array("äöü ÄÖÜ ßé ñç óú àè".utf8)
        let (read, decoded) = try text(words + [0xFF] + Array(" more".utf8))
        #expect(read == "äöü ÄÖÜ ßé ñç óú àè\u{FFFD} more")
        #expect(decoded.charset.name == "utf-8")
        #expect(decoded.replacedCount == 1)
        #expect(decoded.replacedAt == [words.count])
        #expect(decoded.charset.confidence < 1)
    }

    @Test("quotation marks of Windows are not control characters of ISO 8859-1")
    func windows() throws {
        let start =
            "1\r\n00:00:01,000 --> 00:00:02,000\r\nLe caf\u{E9} \u{E0} la carte, d\u{E9}j\u{E0} vu, "
        let latin = Array(start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        let (_, plain) = try text(latin)
        #expect(["iso-8859-1", "windows-1252"].contains(plain.charset.name))
        let (read, decoded) = try text(latin + [0x93, 0x6F, 0x75, 0x69, 0x94, 0x20, 0x96])
        #expect(decoded.charset.name == "windows-1252")
        #expect(read.hasSuffix("\u{201C}oui\u{201D} \u{2013}"))
    }

    @Test("UTF-16 without a byte order mark is recognized by its zeros")
    func wide() throws {
        let words = "1\r\n00:00:01,000 --> 00:00:02,000\r\nПривет\r\n"
        let little = words.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for (data, name) in [(little, "utf-16le"), (big, "utf-16be")] {
            let (read, decoded) = try text(data)
            #expect(read == words)
            #expect(decoded.charset.name == name)
        }
    }

    @Test("a lone surrogate costs one character")
    func surrogate() throws {
        let (read, decoded) = try text([0xFF, 0xFE, 0x61, 0, 0x00, 0xD8, 0x62, 0])
        #expect(read == "a\u{FFFD}b")
        #expect(decoded.replacedCount == 1)
    }

    @Test("Cyrillic of Windows is detected")
    func cyrillic() throws {
        // "Это субтитры для проверки кодировки. Он сказал, что вернётся завтра утром."
        let words = "Это субтитры для проверки кодировки. Он сказал, что вернётся завтра утром."
        let data = words.unicodeScalars.map { scalar -> UInt8 in
            switch scalar.value {
            case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
            case 0x451: 0xB8
            default: UInt8(scalar.value)
            }
        }
        let (read, decoded) = try text(data)
        #expect(read == words)
        #expect(decoded.charset.name == "windows-1251")
        #expect(decoded.charset.source == .detected)
        #expect(decoded.charset.confidence > 0.9)
        #expect(try text(data, "windows-1251").0 == words)
    }

    @Test("a named charset is used, and an unknown one refused")
    func named() throws {
        let (read, decoded) = try text([0xE4, 0x80], "windows-1252")
        #expect(read == "ä€")
        #expect(decoded.charset.source == .option)
        #expect(DecodedText([0x61], charset: "no-such-thing") == nil)
        #expect(DecodedText([0x61], charset: "UTF-8//TRANSLIT") == nil)
        #expect(!DecodedText.isKnown(charset: ""))
        #expect(DecodedText.isKnown(charset: "Shift_JIS"))
    }

    @Test("charsets of seven bits are recognized by their escapes")
    func escapes() throws {
        // こんにちは世界 in ISO-2022-JP
        let words: [UInt8] =
            [0x1B, 0x24, 0x42] + Array("$3$s$K$A$O@$3&".utf8) + [0x1B, 0x28, 0x42]
        let (read, decoded) = try text(Array("hi: ".utf8) + words)
        #expect(read == "hi: こんにちは世界")
        #expect(decoded.charset.name == "iso-2022-jp")
    }

    @Test("text that a converter holds back at the end is kept")
    func heldBack() throws {
        #expect(try text(Array("Xin chao".utf8), "windows-1258").0 == "Xin chao")
    }

    @Test("one bad unit costs one character under every name", arguments: ["ucs2", "UTF-16LE"])
    func units(name: String) throws {
        let (read, _) = try text([0x61, 0, 0x00, 0xD8, 0x62, 0, 0x63, 0], name)
        #expect(read == "a\u{FFFD}bc")
    }

    @Test("zero bytes at the end are dropped, others become U+FFFD")
    func zeros() throws {
        let (read, decoded) = try text(Array("a\0b".utf8) + [0, 0, 0])
        #expect(read == "a\u{FFFD}b")
        #expect(decoded.replacedCount == 1)
        #expect(decoded.replacedAt == [1])
    }

    @Test(
        "zeros at the end go from wide charsets too, one that is cut off included",
        arguments: ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
    func wideZeros(charset: String) throws {
        let unit = charset.hasPrefix("utf-16") ? 2 : 4
        // The last letter ends with a zero byte in one order: U+0100.
        let data = ["h", "i", "\u{100}"].flatMap { (letter: Unicode.Scalar) -> [UInt8] in
            let bytes = (0..<unit).map { UInt8(truncatingIfNeeded: letter.value >> (8 * $0)) }
            return charset.hasSuffix("le") ? bytes : bytes.reversed()
        }
        for zeros in 0..<(2 * unit + 2) {
            let (read, decoded) = try text(data + [UInt8](repeating: 0, count: zeros), charset)
            #expect(read == "hi\u{100}", "\(zeros)")
            #expect(decoded.replacedCount == 0, "\(zeros)")
        }
    }

    @Test("replaced characters and zeros are reported by their positions in the result")
    func placesInTheResult() throws {
        // a, zero, lone surrogate, b, zero, lone surrogate, c
        let units: [UInt16] = [0x61, 0, 0xD800, 0x62, 0, 0xD800, 0x63]
        let data = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let (read, decoded) = try text(data, "utf-16le")
        #expect(read == "a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}c")
        #expect(decoded.replacedAt == [1, 4, 8, 11])
        #expect(decoded.replacedCount == 4)
    }

    @Test("the result is UTF-8 without zeros for any bytes, and damage is reported")
    func random() throws {
        var state: UInt64 = 7
        for round in 0..<300 {
            let data = (0..<(round % 97)).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            for charset in [nil, "utf-8", "utf-16le", "shift_jis", "windows-1252"] {
                let decoded = try #require(DecodedText(data, charset: charset))
                #expect(!decoded.bytes.contains(0))
                #expect(String(validating: decoded.bytes, as: UTF8.self) != nil)
                #expect(decoded.replacedAt.allSatisfy { $0 >= 0 && $0 < decoded.bytes.count })
            }
        }
    }

    @Test("binary data is not text")
    func binary() {
        #expect(!DecodedText.looksLikeText((0...255).map { UInt8($0) }))
        #expect(DecodedText.looksLikeText(Array("1\n00:00:01,000 --> 00:00:02,000\nhi\n".utf8)))
        #expect(DecodedText.looksLikeText([0xFF, 0xFE, 0x31, 0]))
    }
}
