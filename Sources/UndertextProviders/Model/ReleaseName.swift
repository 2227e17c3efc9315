/// The components of a video's name, such as `Some.Show.S01E02.1080p.WEB-DL.x264-GROUP`.
///
/// The components are guessed from patterns that nearly all names have.
public struct ReleaseName: Hashable, Sendable {
    /// The words before the first known pattern; empty if there are none.
    public let title: String
    /// The year of a movie.
    public let year: Int?
    /// The season of a series.
    public let season: Int?
    /// The episode of that season.
    public let episode: Int?
    /// All words in lower case, to compare names with.
    let words: Set<String>

    /// Longest name that is looked at, in bytes.
    private static let lengthLimit = 1024

    /// Words that end the title.
    private static let marks: Set<String> = [
        "480p", "576p", "720p", "1080i", "1080p", "2160p", "4k", "uhd", "bluray", "blu", "bdrip",
        "brrip", "bdremux", "remux", "dvd", "dvdrip", "dvdscr", "hdrip", "hdtv", "hdtvrip", "pdtv",
        "web", "webrip", "webdl", "x264", "x265", "h264", "h265", "hevc", "avc", "xvid",
        "divx", "proper", "repack", "extended", "unrated", "hdr", "hdr10", "10bit", "multi",
    ]

    /// Parses a name without folders and without the extension of a video.
    public init(_ name: String) {
        let text = Self.withoutGroup(
            String(decoding: name.utf8.prefix(Self.lengthLimit), as: UTF8.self))
        let words = text.split { !Self.belongsToWord($0) }.map { $0.lowercased() }
        self.words = Set(words)
        let shown = text.split { !Self.belongsToWord($0) }
        var (year, season, episode): (Int?, Int?, Int?) = (nil, nil, nil)
        var end = words.count
        for (place, word) in words.enumerated() {
            if season == nil, let found = Self.episode(word) {
                (season, episode) = found
                end = min(end, place)
            } else if place > 0, word.utf8.count == 4, let number = Int(word),
                (1900...2099).contains(number)
            {
                // Of `2001.A.Space.Odyssey.1968` the last one counts.
                year = number
                if season == nil, end == words.count || words[end].utf8.count == 4 { end = place }
            } else if place > 0, Self.marks.contains(word) {
                end = min(end, place)
                break
            }
        }
        self.year = year
        self.season = season
        self.episode = episode
        title = shown[..<end].joined(separator: " ")
    }

    /// `true` if two titles have the same words.
    static func isSameTitle(_ first: String, _ second: String) -> Bool {
        func letters(_ text: String) -> [String] {
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        let (left, right) = (letters(first), letters(second))
        return !left.isEmpty && left == right
    }

    /// Returns the share of common words, 0 to 1.
    func similarity(to other: ReleaseName) -> Double {
        let all = words.union(other.words).count
        return all == 0 ? 0 : Double(words.intersection(other.words).count) / Double(all)
    }

    private static func belongsToWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "'"
    }

    /// Without `[GROUP]` at the beginning.
    private static func withoutGroup(_ name: String) -> String {
        guard name.first == "[", let end = name.firstIndex(of: "]") else { return name }
        let rest = name[name.index(after: end)...]
        return rest.contains(where: \.isLetter) ? String(rest) : name
    }

    /// Season and episode of `s01e02`, `s01` and `1x02`.
    private static func episode(_ word: String) -> (Int?, Int?)? {
        var rest = word[...]
        if rest.first == "s" {
            rest.removeFirst()
            guard let season = number(&rest, atMost: 4) else { return nil }
            if rest.isEmpty { return (season, nil) }
            guard rest.first == "e" else { return nil }
            rest.removeFirst()
            // Another episode of the same file may follow: s01e01e02.
            guard let episode = number(&rest, atMost: 4), rest.isEmpty || rest.first == "e"
            else { return nil }
            return (season, episode)
        }
        guard let season = number(&rest, atMost: 2), rest.first == "x" else { return nil }
        rest.removeFirst()
        guard let episode = number(&rest, atMost: 3), rest.isEmpty else { return nil }
        return (season, episode)
    }

    private static func number(_ text: inout Substring, atMost count: Int) -> Int? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard (1...count).contains(digits.utf8.count) else { return nil }
        text = text[digits.endIndex...]
        return Int(digits)
    }
}
