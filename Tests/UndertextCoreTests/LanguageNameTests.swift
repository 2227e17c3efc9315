import Testing
import UndertextCore

@Suite struct LanguageNameTests {
    @Test(arguments: [
        ("de", "Deutsch"), ("eng", "English"), ("en-AU", "Australian English"),
        ("en-NZ", "English (NZ)"), ("pt-BR", "Português (Brasil)"),
        ("pt-PT-x-a", "Português (Portugal, x-a)"), ("zh-Hant-HK", "繁體中文（香港）"),
        ("zh-Hant-MO", "繁體中文 (MO)"), ("ja-Latn-JP", "日本語 (Latn-JP)"), ("chi", "中文"),
    ])
    func endonyms(_ tag: String, _ name: String) {
        #expect(LanguageTag(tag)?.endonym == name)
    }

    @Test(arguments: ["tlh", "qaa", "x-own"])
    func unknownOnesHaveNone(_ tag: String) { #expect(LanguageTag(tag)?.endonym == nil) }

    @Test(arguments: [
        "de", "deu", "en-US", "es-419", "zh-Hans-CN", "sl-rozaj-biske", "de-CH-1901", "x-own",
        "en-a-myext-b-another", "zh-yue-HK", "de-x-private", "abcd", "hy-Latn-IT-arevela",
    ])
    func wellFormed(_ tag: String) { #expect(LanguageTag.isWellFormed(tag)) }

    @Test(arguments: [
        "xx_yy", "en_US", "", "-", "e", "en-", "en--US", "x", "en-x", "de-419-DE", "en-a",
        "english9",
        "a-DE", "en-US-US", "en US", "ab-toolongtag1", "deü",
    ])
    func malformed(_ tag: String) { #expect(!LanguageTag.isWellFormed(tag)) }
}
