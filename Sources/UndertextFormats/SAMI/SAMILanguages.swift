internal import UndertextCore

/// The classes of a SAMI file that are languages, and their streams.
struct SAMILanguages {
    /// A stream: a class by its name in lower case; empty where the file names none.
    private(set) var names: [String] = []
    private let sheet: SAMIStyleSheet
    private let languages: [String]

    /// - Parameters:
    ///   - sheet: the file's style sheet.
    ///   - used: the classes of its paragraphs.
    init(_ sheet: SAMIStyleSheet, used: [String]) {
        self.sheet = sheet
        languages = sheet.rules.filter { $0.selector.hasPrefix(".") && $0.rule.isLanguage }
            .map { String($0.selector.dropFirst()) }
        fallback = languages.first ?? used.first { !$0.isEmpty } ?? ""
        let wanted = used.map { stream(of: $0) }
        // In the order of the style sheet, then of their first use.
        for name in languages + wanted where wanted.contains(name) && !names.contains(name) {
            names.append(name)
        }
        if names.isEmpty { names = [fallback] }
    }

    /// The class of paragraphs that name none.
    private var fallback = ""

    /// The language class for a paragraph of class `name`.
    ///
    /// A class that is only a style belongs to the first language.
    func stream(of name: String) -> String {
        if name.isEmpty { return fallback }
        if languages.contains(name) || languages.isEmpty { return name }
        return sheet.rule("." + name) == nil ? name : fallback
    }

    /// The stream of a class.
    func description(_ index: Int, codecPrivate: [UInt8]) -> StreamDescription {
        let name = names[index]
        let rule = sheet.rule("." + name)
        let stated = rule?.properties["lang"].flatMap { LanguageTag($0.text) }
        let title = rule?.properties["name"]?.text
        return StreamDescription(
            index: index, kind: .text, codec: .sami,
            language: stated ?? Self.language(ofClass: name),
            title: title?.isEmpty == false ? title : nil, codecPrivate: codecPrivate)
    }

    /// The language in the name of a class: `ENUSCC` and `ENCC` are Microsoft's own.
    ///
    /// Korean authors write `KRCC`, which is the country.
    private static func language(ofClass name: String) -> LanguageTag? {
        guard name.hasSuffix("cc"), [4, 6].contains(name.utf8.count) else { return nil }
        let letters = name.dropLast(2)
        let language = letters.prefix(2) == "kr" ? "ko" : String(letters.prefix(2))
        let country = letters.dropFirst(2)
        return LanguageTag(country.isEmpty ? language : "\(language)-\(country)")
    }
}
