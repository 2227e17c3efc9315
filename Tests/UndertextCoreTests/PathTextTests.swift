import Testing
import UndertextCore

/// Names are any bytes but zero and the slash; their text must give the same bytes again.
@Suite struct PathTextTests {
    private func bytes(_ text: String) -> [UInt8] {
        PathText.systemPath(text).dropLast().map { UInt8(bitPattern: $0) }
    }

    @Test func validNamesAreTheirText() {
        for name in ["", "/tmp/a b.mkv", "é/日本/😀.srt", "\u{FFFD}"] {
            #expect(PathText.text(of: Array(name.utf8)) == name)
            #expect(bytes(name) == Array(name.utf8))
            #expect(PathText.systemPath(name).last == 0)
        }
    }

    @Test(
        arguments: [
            [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6D], [0xFF], [0x80, 0x41, 0xBF], [0xC3], [0xE2, 0x82],
            // Surrogates, an overlong form, and a character that stands for a byte itself.
            [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xEE, 0xBE, 0x80], [0xEE, 0xBF, 0xBF, 0xE9],
        ] as [[UInt8]])
    func othersComeBack(_ name: [UInt8]) {
        let text = PathText.text(of: name)
        #expect(bytes(text) == name)
        #expect(escapedForTerminal(text).utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func noTwoNamesHaveOneText() {
        var texts: Set<[UInt8]> = []
        var count = 0
        for first: UInt8 in 0x7F...0xFF {
            for second: UInt8 in 0x7F...0xFF {
                texts.insert(Array(PathText.text(of: [first, second]).utf8))
                count += 1
            }
        }
        texts.insert(Array(PathText.text(of: [0xEE, 0xBE, 0x80]).utf8))
        #expect(texts.count == count + 1)
    }

    @Test func terminalsSeeTheByte() {
        #expect(escapedForTerminal(PathText.text(of: [0x63, 0xE9])) == "c\\xE9")
    }
}
