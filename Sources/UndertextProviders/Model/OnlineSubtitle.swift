public import UndertextCore

/// A search result of a provider, which is not downloaded yet.
public struct OnlineSubtitle: Hashable, Sendable {
    /// The kind of a match, the most reliable last.
    public enum Match: String, Hashable, Sendable, CaseIterable, Comparable {
        /// The provider returned it.
        case text
        /// The title, and the year or season and episode, are the same.
        case title
        /// It has the requested ID of a movie database.
        case identifier
        /// It was made for this file.
        case hash

        /// Returns `true` if the left kind is less reliable.
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

    /// The name of the provider, such as `opensubtitles`.
    public var provider: String
    /// The provider's identifier.
    public var id: String
    /// The languages; more than one for bilingual texts and packs.
    ///
    /// Requested languages are first.
    public var languages: [LanguageTag]
    /// The name of the release it was made for, or the provider's name for it.
    public var release: String?
    /// The file name.
    public var fileName: String?
    /// The provider's name for the format.
    public var format: String?
    /// The kind of match.
    public var match = Match.text
    /// `true` if it may be a pack of several files, of which the query selects one.
    public var isPack = false
    /// `true` if it has only parts in foreign languages.
    public var isForced = false
    /// `true` if it is for the hard of hearing.
    public var isHearingImpaired = false
    /// `true` if it is a machine translation.
    public var isMachineTranslated = false
    /// `true` if the provider trusts its author.
    public var isTrusted = false
    /// The number of downloads.
    public var downloads: Int?
    /// The rating on the provider's scale.
    public var rating: Double?
    /// The frame rate, in frames per second, of the video it was made for.
    public var frameRate: Double?
    /// The number of the disc, for movies on several discs.
    public var disc: Int?
    /// The delay by which cues must be shown later, if the provider states it.
    public var delay: Duration?
    /// The title of the movie or series.
    public var title: String?
    /// The year of the movie.
    public var year: Int?
    /// The season of a series.
    public var season: Int?
    /// The episode of that season.
    public var episode: Int?
    /// The IMDb ID of the movie or episode.
    public var imdbID: Int?
    /// The IMDb ID of the series.
    public var seriesIMDbID: Int?
    /// The TMDB ID of the movie or episode.
    public var tmdbID: Int?
    /// The TMDB ID of the series.
    public var seriesTMDBID: Int?
    /// The URL of its web page.
    public var page: String?
    /// The URL of its file, if the search returns it; not trusted.
    public var link: String?

    /// Creates a result with unknown other properties.
    public init(provider: String, id: String, languages: [LanguageTag] = []) {
        self.provider = provider
        self.id = id
        self.languages = languages
    }

    /// The first of ``languages``, which is a requested one if there is any.
    public var language: LanguageTag? { languages.first }

    /// The name for people: the longest of its names.
    public var name: String {
        [release, fileName, title].compactMap { $0 }.max { $0.utf8.count < $1.utf8.count } ?? id
    }
}

/// The results of a search.
public struct OnlineResults: Hashable, Sendable {
    /// The results, the best first.
    public var subtitles: [OnlineSubtitle]
    /// The total number of results, if the provider states it; more than these if not all pages were requested.
    public var total: Int?

    /// Creates results.
    public init(subtitles: [OnlineSubtitle] = [], total: Int? = nil) {
        self.subtitles = subtitles
        self.total = total
    }
}
