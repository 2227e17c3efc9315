import TestSupport
import Testing
import UndertextCore

/// `en-US:sbx` as a candidate: language, then flags of `f` forced, `s` hearing impaired,
/// `c` commentary, `b` bitmap, `d` default, `x` external.
private func candidates(_ text: String) -> [SubtitleCandidate] {
    text.split(separator: " ").enumerated().map { order, word in
        let halves = word.split(separator: ":")
        let flags = halves.count > 1 ? halves[1] : ""
        return SubtitleCandidate(
            language: LanguageTag(String(halves[0])), isForced: flags.contains("f"),
            isHearingImpaired: flags.contains("s"), isCommentary: flags.contains("c"),
            isBitmap: flags.contains("b"), isDefault: flags.contains("d"),
            isExternal: flags.contains("x"), order: order)
    }
}

private func tags(_ text: String) -> [LanguageTag] {
    text.split(separator: " ").compactMap { LanguageTag(String($0)) }
}

@Suite struct SubtitlePreferenceTests {
    @Test(arguments: [
        // Languages in order, others never.
        ("en", "de en fr", [1]),
        ("fr en", "de en fr", [2, 1]),
        ("en", "de fr", []),
        ("eng", "de en", [1]),
        // `en` takes `en-US`; `pt-BR` takes `pt` after all that fits, and never `pt-PT`.
        ("en", "en-US de", [0]),
        ("pt-BR", "pt pt-PT pt-BR", [2, 0]),
        ("pt-BR", "pt pt-BR:s", [1, 0]),
        ("pt-BR en", "en pt", [1, 0]),
        ("en-US en", "en-GB en en-US", [2, 1, 0]),
        // Prefixes are those of subtags.
        ("ena", "en", []),
        ("zh-Hans", "zh-Hant zh-Hans-CN", [1]),
        // Full before SDH before forced before commentary.
        ("en", "en:c en:f en:s en", [3, 2, 1, 0]),
        ("en", "en:cs en:fs en:s", [2, 1, 0]),
        // The language before the kind.
        ("en de", "de en:c", [1, 0]),
        // The kind before the closer language.
        ("en", "en:s en-US", [1, 0]),
        // Text before images, but after the kind.
        ("en", "en:b en", [1, 0]),
        ("en", "en:s en:b", [1, 0]),
        // Files, then the default, then the order.
        ("en", "en en:x", [1, 0]),
        ("en", "en:bx en", [1, 0]),
        ("en", "en en:d", [1, 0]),
        ("en", "en:d en:x", [1, 0]),
        ("en", "en en en", [0, 1, 2]),
        // Unknown languages after all others.
        ("en", "und en:c", [1, 0]),
        ("en", "und:s und", [1, 0]),
        // Any language.
        ("", "de:s und en", [1, 2, 0]),
    ])
    func table(_ languages: String, _ list: String, _ expected: [Int]) {
        let preference = SubtitlePreference(languages: tags(languages))
        #expect(preference.ranked(candidates(list)) == expected)
    }

    @Test func everyOrderOfKinds() {
        let list = candidates("en:c en:f en:s en")
        let places: [SubtitleKind: Int] = [
            .commentary: 0, .forced: 1, .hearingImpaired: 2, .full: 3,
        ]
        var orders = 0
        for first in SubtitleKind.allCases {
            for second in SubtitleKind.allCases where second != first {
                let kinds = [first, second]
                let preference = SubtitlePreference(languages: tags("en"), kinds: kinds)
                #expect(preference.ranked(list) == kinds.map { places[$0] })
                orders += 1
            }
        }
        #expect(orders == 12)
    }

    @Test func reversibleConversions() {
        var preference = SubtitlePreference(languages: tags("en"))
        preference.prefersBitmaps = true
        #expect(preference.ranked(candidates("en en:b")) == [1, 0])
        preference.prefersExternal = false
        #expect(preference.ranked(candidates("en:bx en:b")) == [1, 0])
        preference.takesUnknownLanguage = false
        #expect(preference.ranked(candidates("und en")) == [1])
        preference.languages = []
        #expect(preference.ranked(candidates("und en")) == [1])
    }

    @Test(arguments: [
        (false, "en", "en:f en", []),
        (true, "en", "en de:f en:f en:fb", [2, 3]),
        (true, "en-US", "en:f en-GB:f en-US:f", [2, 0]),
        (true, "en", "en-US:f und:f en:fc", [0]),
        (true, "fr", "en:f", []),
        (true, nil, "en:f", []),
    ])
    func off(_ showsForced: Bool, _ audio: String?, _ list: String, _ expected: [Int]) {
        let preference = SubtitlePreference(languages: nil, showsForcedWhenOff: showsForced)
        let language = audio.flatMap(LanguageTag.init)
        #expect(preference.ranked(candidates(list), audioLanguage: language) == expected)
    }

    @Test func orderDecidesNotThePlaceInTheArray() {
        var list = candidates("en en en")
        list[0].order = 5
        #expect(SubtitlePreference(languages: tags("en")).ranked(list) == [1, 2, 0])
        #expect(SubtitlePreference(languages: tags("en")).ranked([]) == [])
    }

    @Test func theSameBestWhateverTheOrder() {
        let list = candidates("en:c de en:f en-US:s pt pt-BR:b und en:x en:b en:d fr:sx pt-BR:fd")
        let preference = SubtitlePreference(languages: tags("pt-BR en de"))
        let expected = preference.ranked(list).map { list[$0] }
        #expect(expected.count == list.count - 1)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let shuffled = list.shuffled(using: &generator)
            #expect(preference.ranked(shuffled).map { shuffled[$0] } == expected)
        }
    }

    @Test func streamsAreCandidates() {
        let stream = StreamDescription(
            index: 3, kind: .bitmap, codec: .subRip, language: LanguageTag("ger"),
            disposition: [.forced, .hearingImpaired, .comment, .default])
        let expected = SubtitleCandidate(
            language: LanguageTag("de"), isForced: true, isHearingImpaired: true,
            isCommentary: true, isBitmap: true, isDefault: true, order: 3)
        #expect(SubtitleCandidate(stream) == expected)
    }
}
