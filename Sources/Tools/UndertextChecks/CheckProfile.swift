package import UndertextCore
package import UndertextFormats

/// A set of delivery rules: which are checked, with which limits, and who states them.
package struct CheckProfile: Hashable, Sendable {
    /// A document that states rules.
    package struct Source: Hashable, Sendable {
        /// The title of the document.
        package var title: String
        /// The part of the document; `nil` for all of it.
        package var section: String?
        /// The address of the document, if it has one.
        package var url: String?

        /// The title with the section, such as `Subtitle Guidelines, 4.5 Gaps`.
        package var description: String { title + (section.map { ", \($0)" } ?? "") }
    }

    /// The value that a rule compares with.
    package enum Limit: Hashable, Sendable {
        /// A number in the unit of the rule; a time in seconds.
        case number(Double)
        /// A time in frames of the video.
        case frames(Double)
        /// A target format.
        case format(SubtitleFormat)
        /// A charset by iconv's name, in lower case.
        case charset(String)
    }

    /// A rule with its limit, for all subtitles or for some languages or scripts.
    package struct Entry: Hashable, Sendable {
        /// The rule.
        package var rule: CheckRule
        /// The limit; `nil` for rules without one.
        package var limit: Limit?
        /// The severity of its findings; `nil` switches the rule off.
        package var severity: Diagnostic.Severity?
        /// The languages that it is for; empty for all.
        package var languages: [LanguageTag]
        /// The scripts that it is for; empty for all.
        package var scripts: [WritingSystem]
        /// The way in which characters are counted.
        package var count: CharacterCount
        /// The document that states it; `nil` if the profile names none.
        package var source: Source?
    }

    /// The name by which users select it.
    package var name: String
    /// The title.
    package var title: String
    /// The scope of the profile and what it leaves out; may be empty.
    package var description: String
    /// The frame rate with which frames become seconds where the video's is not known; `nil` without one.
    package var frameRate: TimeBase?
    /// The document that states ``frameRate``.
    package var frameRateSource: Source?
    /// The rules; of several entries for one rule, the last one that is for a cue's language and script applies.
    package var entries: [Entry]

    /// Returns the entries that apply to cues of a language and script, by rule.
    func settings(language: LanguageTag?, script: WritingSystem?) -> [CheckRule: Entry] {
        var settings: [CheckRule: Entry] = [:]
        for entry in entries where entry.applies(to: language, script) {
            settings[entry.rule] = entry.severity == nil ? nil : entry
        }
        return settings
    }

    /// `true` if a rule needs the shot changes of the video.
    package var usesShotChanges: Bool {
        entries.contains {
            [.shotChangeStart, .shotChangeEnd].contains($0.rule) && $0.severity != nil
        }
    }

    /// `true` if an entry is for some languages only, so that the result depends on a known language.
    package var dependsOnLanguage: Bool { entries.contains { !$0.languages.isEmpty } }
}

extension CheckProfile.Entry {
    fileprivate func applies(to language: LanguageTag?, _ script: WritingSystem?) -> Bool {
        if !languages.isEmpty {
            guard let language, languages.contains(where: { $0.covers(language) }) else {
                return false
            }
        }
        return scripts.isEmpty || script.map(scripts.contains) ?? false
    }
}

// MARK: - Built-in profiles

extension CheckProfile {
    /// The JSON texts of the built-in profiles by name, in the order in which they are listed.
    static let texts: [(name: String, text: String)] = [
        ("basic", basicText), ("netflix", netflixText), ("netflix-children", netflixChildrenText),
        ("bbc", bbcText), ("ebu-tt-d", ebuTTDText), ("youtube", youTubeText), ("dvd", dvdText),
    ]

    /// The names of the built-in profiles.
    package static let builtInNames = texts.map(\.name)

    /// Returns the JSON text of a built-in profile, or `nil` if there is none of that name.
    package static func builtInText(_ name: String) -> String? {
        texts.first { $0.name == name.lowercased() }?.text
    }

    /// Returns a built-in profile.
    ///
    /// - Throws: `UndertextError` with code `not-found` if there is none of that name.
    package static func builtIn(_ name: String) throws(UndertextError) -> CheckProfile {
        guard let text = builtInText(name) else {
            let guess = nearestName(to: name, among: builtInNames)
            throw UndertextError(
                .notFound,
                "there is no profile '\(escapedForTerminal(String(name.prefix(60))))'; "
                    + (guess.map { "did you mean '\($0)'?" }
                        ?? "there are \(builtInNames.joined(separator: ", "))"))
        }
        return try CheckProfile(parsing: Array(text.utf8))
    }
}
