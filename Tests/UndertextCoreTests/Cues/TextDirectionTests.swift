import Testing
import UndertextCore

/// Unicode Standard Annex 9, rules P2 and P3.
@Suite struct TextDirectionTests {
    @Test(arguments: [
        "", "abc", "12 – 34", "日本", "«abc» שלום", "\u{200E}שלום", "\u{0663}", "\u{06F5}, abc",
        "\u{05B0}a",
        "\u{FD3E}a", "\u{2067}שלום\u{2069} a", "\u{2066}\u{2067}שלום\u{2069}ש\u{2069}a",
        "\u{2067}ש\na",
    ])
    func leftToRight(_ text: String) { #expect(TextDirection(of: text) == .leftToRight) }

    @Test(arguments: [
        "שלום", "«12» عربي", "\u{200F}abc", "\u{061C}12", "،؟", "-\nשלום", "\u{10D00}", "\u{1E900}",
        "\u{2066}abc\u{2069} ש", "\u{2069}ש", "\u{2068}abc\nש", "\u{0663} ש",
    ])
    func rightToLeft(_ text: String) { #expect(TextDirection(of: text) == .rightToLeft) }
}
