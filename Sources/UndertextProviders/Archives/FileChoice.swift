internal import UndertextCore
internal import UndertextIO

/// The selection of the requested file among several files.
enum FileChoice {
    /// The places of subtitle files among `names`, the best first.
    static func ranked(_ names: [String], for query: OnlineQuery) -> [Int] {
        let release = query.release
        return names.indices.compactMap { place -> (Int, [Double])? in
            let ending = PathName.fileExtension(names[place]).lowercased()
            guard let kind = SubtitleFileKind.extensions.firstIndex(of: ending) else { return nil }
            let stem = PathName.stem(names[place])
            let name = ReleaseName(stem)
            return (
                place,
                [
                    // A read-me file is text, too.
                    ending == "txt" ? 1 : 0, episodeRank(name, query),
                    Double(languageRank(stem, query)),
                    -(name.similarity(to: release) * 10).rounded(.down), Double(kind),
                    Double(place),
                ]
            )
        }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    private static func episodeRank(_ name: ReleaseName, _ query: OnlineQuery) -> Double {
        guard let wanted = query.episode else { return 0 }
        guard let episode = name.episode else { return 1 }
        let season = name.season ?? query.season
        return episode == wanted && season == query.season ? 0 : 2
    }

    /// The place of the name's language in the order of preference; names without one come after.
    private static func languageRank(_ stem: String, _ query: OnlineQuery) -> Int {
        let found = languages(in: stem)
        guard !found.isEmpty else { return query.languages.count }
        return found.compactMap { query.rank(of: $0) }.min() ?? query.languages.count + 1
    }

    /// Returns the languages stated by the last words of a name, including Chinese conventions.
    static func languages(in stem: String) -> [LanguageTag] {
        let words = stem.lowercased().split { !$0.isLetter && !$0.isNumber }.suffix(4)
        var found: [LanguageTag] = []
        for word in words {
            for (text, code) in marks
            where word == text || (!text.utf8.allSatisfy { $0 < 0x80 } && word.contains(text)) {
                if let tag = LanguageTag(code), !found.contains(tag) { found.append(tag) }
            }
            // Any word of two or three letters could be a code: only those that are one count.
            if word.utf8.count == 2 || word.utf8.count == 3, let tag = LanguageTag(String(word)),
                tag.rawValue.utf8.count == 2, tag.threeLetterCode != "und", !found.contains(tag)
            {
                found.append(tag)
            }
        }
        return found
    }

    private static let marks: [(String, String)] = [
        ("chs", "zh-Hans"), ("sc", "zh-Hans"), ("gb", "zh-Hans"), ("简", "zh-Hans"),
        ("cht", "zh-Hant"), ("tc", "zh-Hant"), ("big5", "zh-Hant"), ("繁", "zh-Hant"),
        ("英", "en"), ("english", "en"), ("日", "ja"), ("jp", "ja"), ("jap", "ja"),
    ]
}
