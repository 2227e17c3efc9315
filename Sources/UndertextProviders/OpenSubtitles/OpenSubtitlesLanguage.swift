internal import UndertextCore

/// Languages as OpenSubtitles.com spells them: mostly ISO 639-1 in lower case.
enum OpenSubtitlesLanguage {
    /// Codes that are not BCP 47 tags, or are broader than the corresponding tag.
    private static let own: [(code: String, tag: String)] = [
        ("zh-cn", "zh-Hans"), ("zh-tw", "zh-Hant"), ("ze", "zh"), ("pt-pt", "pt-PT"),
        ("pt-br", "pt-BR"), ("ea", "es-419"), ("sp", "es-ES"), ("at", "ast"), ("me", "cnr"),
        ("tl", "fil"), ("ma", "mni"), ("az-zb", "azb"), ("sx", "sat"), ("pr", "prs"),
    ]

    /// Returns the codes to request for a language; a plain language requests all its forms.
    static func codes(for language: LanguageTag) -> [String] {
        let language = language.scripted
        switch language.rawValue {
        case "zh": return ["zh-cn", "zh-tw"]
        case "pt": return ["pt-br", "pt-pt"]
        case "zh-Hans", "zh-Hant", "pt-PT", "pt-BR", "es-419":
            return own.filter { $0.tag == language.rawValue }.map(\.code)
        default:
            let base = String(language.rawValue.prefix { $0 != "-" })
            return own.filter { $0.tag == base && $0.code != "ze" }.map(\.code).nilIfEmpty ?? [base]
        }
    }

    /// The language of a result.
    static func tag(_ code: String) -> LanguageTag? {
        let code = code.lowercased()
        return LanguageTag(own.first { $0.code == code }?.tag ?? code)
    }
}

extension Array {
    fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
