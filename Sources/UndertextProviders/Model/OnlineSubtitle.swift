public import UndertextCore

/// A subtitle that a provider has; nothing of it is downloaded.
public struct OnlineSubtitle: Hashable, Sendable {
    /// Why it is thought to fit, the surest last.
    public enum Match: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Nothing but that the provider found it.
        case text
        /// Title, and year or season and episode, are the same.
        case title
        /// It is filed under the number in a database of films that was asked for.
        case identifier
        /// It was made for this very file.
        case hash

        /// `true` if the left is less sure.
        public static func < (left: Match, right: Match) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .text: 0
            case .title: 1
            case .identifier: 2
            case .hash: 3
            }
        }
    }

    /// Who has it, such as `opensubtitles`.
    public var provider: String
    /// What the provider knows it by.
    public var id: String
    /// Its languages; more than one for bilingual texts and packs.
    ///
    /// Those asked for come first.
    public var languages: [LanguageTag]
    /// The name of what it was made for, or what the provider calls it.
    public var release: String?
    /// The name of its file.
    public var fileName: String?
    /// What the provider calls its format.
    public var format: String?
    /// Why it is thought to fit.
    public var match = Match.text
    /// `true` if it may be a pack of several files, out of which the query chooses one.
    public var isPack = false
    /// `true` if it has only what is foreign to the film's language.
    public var isForced = false
    /// `true` if it is for the hard of hearing.
    public var isHearingImpaired = false
    /// `true` if a machine translated it.
    public var isMachineTranslated = false
    /// `true` if the provider trusts who made it.
    public var isTrusted = false
    /// How often it was downloaded.
    public var downloads: Int?
    /// Its rating, as the provider counts.
    public var rating: Double?
    /// Frames in a second of the video that it was made for.
    public var frameRate: Double?
    /// Which disc of a film on several ones it is for.
    public var disc: Int?
    /// How much later its texts are to be shown, if the provider says so.
    public var delay: Duration?
    /// The film, or the series.
    public var title: String?
    /// The year of the film.
    public var year: Int?
    /// The season of a series.
    public var season: Int?
    /// The episode of that season.
    public var episode: Int?
    /// The number of film or episode at IMDb.
    public var imdbID: Int?
    /// The number of the series at IMDb.
    public var seriesIMDbID: Int?
    /// The number of film or episode at TMDB.
    public var tmdbID: Int?
    /// The number of the series at TMDB.
    public var seriesTMDBID: Int?
    /// Where people can look at it.
    public var page: String?
    /// Where its file lies, for providers that tell that at once; of the server's making.
    public var link: String?

    /// Creates a subtitle of which nothing else is known.
    public init(provider: String, id: String, languages: [LanguageTag] = []) {
        self.provider = provider
        self.id = id
        self.languages = languages
    }

    /// Its language, the first one that was asked for.
    public var language: LanguageTag? { languages.first }

    /// What to show people: the longest of its names.
    public var name: String {
        [release, fileName, title].compactMap { $0 }.max { $0.utf8.count < $1.utf8.count } ?? id
    }
}

/// What a search found.
public struct OnlineResults: Hashable, Sendable {
    /// What was found, the best first.
    public var subtitles: [OnlineSubtitle]
    /// How many the provider has, if it says so: more than these if not all pages were asked for.
    public var total: Int?

    /// Creates a result.
    public init(subtitles: [OnlineSubtitle] = [], total: Int? = nil) {
        self.subtitles = subtitles
        self.total = total
    }
}
