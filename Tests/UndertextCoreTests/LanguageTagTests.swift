import TestSupport
import Testing
import UndertextCore

@Test(arguments: [
    ("eng", "en"), ("ger", "de"), ("deu", "de"), ("fre", "fr"), ("fra", "fr"), ("chi", "zh"),
    ("EN-us", "en-US"), ("pt_br", "pt-BR"), ("zh-hans", "zh-Hans"), ("zho-HANT-tw", "zh-Hant-TW"),
    ("es-419", "es-419"), ("sl-rozaj", "sl-rozaj"), ("x-klingon", "x-klingon"), ("gsw", "gsw"),
    ("de-CH-1901", "de-CH-1901"), ("en-a-bbbb-x-abcd", "en-a-bbbb-x-abcd"),
])
func normalizedLanguages(_ text: String, _ expected: String) {
    #expect(LanguageTag(text)?.rawValue == expected)
}

@Test(arguments: [
    "", "und", "UND", "-", "en-", "-en", "en--US", "x", "1", "e", "../../etc", "en/US", "en US",
    "abcdefghi", "ünd", "en-\u{200E}", "x-", String(repeating: "a-", count: 40) + "a",
])
func refusedLanguages(_ text: String) {
    #expect(LanguageTag(text) == nil)
}

@Test func languagesHaveLiterals() {
    let languages: [LanguageTag] = ["eng-us", "pt-BR", "zh-hans"]
    #expect(languages.map(\.rawValue) == ["en-US", "pt-BR", "zh-Hans"])
    #expect(LanguageTag("ger") == "de")
    #expect(LanguageTag(languages[1].rawValue) == languages[1])
    let unknown: LanguageTag? = nil
    #expect("\(unknown ?? "und")" == "und")
}

@Test func languagesCoverNarrowerOnes() {
    let english: LanguageTag = "en"
    let american: LanguageTag = "eng-US"
    let enga: LanguageTag = "enm"
    #expect(english.covers(american))
    #expect(english.covers(english))
    #expect(!american.covers(english))
    #expect(!english.covers(enga))
}

@Test func languageTagsAreSafeInFileNames() {
    var generator = SeededGenerator(seed: 7)
    var accepted = 0
    for _ in 0..<20_000 {
        let length = Int.random(in: 0...8, using: &generator)
        let bytes = generator.bytes(length).map { 0x20 + $0 % 0x60 }
        guard let tag = LanguageTag(String(decoding: bytes, as: UTF8.self)) else { continue }
        accepted += 1
        #expect(
            tag.rawValue.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D
            })
        #expect(LanguageTag(tag.rawValue) == tag, "normalizing twice changes \(tag)")
    }
    #expect(accepted > 100)
}
