internal import UndertextCore

/// A lenient parser of Assrt's responses: numbers may be strings, and an empty result may be an object.
enum AssrtAnswer {
    /// Languages by the members of `langlist` that are true.
    private static let languages: [String: String] = [
        "langchs": "zh-Hans", "langcht": "zh-Hant", "langeng": "en", "langjap": "ja",
        "langkor": "ko", "langfra": "fr", "langesp": "es",
    ]
    /// The text for "I do not know" in the name of a video.
    private static let meaningless = "不知道"

    /// The subtitles of a search or a detail.
    static func subtitles(_ answer: JSON, provider: String) -> [OnlineSubtitle] {
        entries(answer).compactMap { entry in
            guard let id = entry["id"]?.identifier, isNumber(id) else { return nil }
            var subtitle = OnlineSubtitle(
                provider: provider, id: id, languages: tags(entry["lang"]?["langlist"]))
            subtitle.isPack = true
            let video = entry["videoname"]?.text.flatMap { $0 == meaningless ? nil : $0 }
            let native = entry["native_name"]
            let named = native?.text ?? native?.elements.lazy.compactMap(\.text).first
            subtitle.release = video ?? named
            subtitle.title = video.map { ReleaseName($0).title }.flatMap { $0.isEmpty ? nil : $0 }
            subtitle.format = entry["subtype"]?.text
            subtitle.rating = entry["vote_score"]?.fraction
            subtitle.fileName = entry["filename"]?.text
            if let name = video.map({ ReleaseName($0) }) {
                (subtitle.year, subtitle.season, subtitle.episode) = (
                    name.year, name.season, name.episode
                )
            }
            subtitle.page = "https://assrt.net/xml/sub/\(id.prefix(3))/\(id).xml"
            return subtitle
        }
    }

    /// The entries of an answer.
    static func entries(_ answer: JSON) -> [JSON] { answer["sub"]?["subs"]?.elements ?? [] }

    /// The files of a detail: names and addresses, at most as many as a pack may have.
    static func files(_ entry: JSON) -> [(name: String, url: String)] {
        (entry["filelist"]?.elements ?? []).prefix(4096).compactMap { file in
            guard let name = file["f"]?.text, let url = file["url"]?.text else { return nil }
            return (name, url)
        }
    }

    private static func tags(_ list: JSON?) -> [LanguageTag] {
        var tags: [LanguageTag] = []
        for member in list?.members ?? [] where member.value.flag == true {
            // `langdou`: in two languages, which are listed beside it.
            guard member.key != "langdou", member.key.hasPrefix("lang") else { continue }
            let code = languages[member.key] ?? String(member.key.dropFirst(4))
            if let tag = LanguageTag(code), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// An identifier goes into addresses: digits only.
    private static func isNumber(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isDigit }
    }
}
