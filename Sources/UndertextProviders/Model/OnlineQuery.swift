public import UndertextCore
internal import UndertextIO

/// A search query; each known property improves the results.
public struct OnlineQuery: Hashable, Sendable {
    /// A text, such as a title, or `nil` to use ``fileName``.
    public var text: String?
    /// The name of the video without folders, which are not sent to providers.
    public var fileName: String?
    /// The year of a movie.
    public var year: Int?
    /// The season of a series.
    public var season: Int?
    /// The episode of that season.
    public var episode: Int?
    /// The IMDb ID, of the series if season and episode are known.
    public var imdbID: Int?
    /// The TMDB ID, of the series if season and episode are known.
    public var tmdbID: Int?
    /// The languages in order of preference; empty means all.
    public var languages: [LanguageTag] = []
    /// The hash by which OpenSubtitles identifies the file.
    public var movieHash: MovieHash?
    /// The hash by which Shooter identifies the file.
    public var shooterHash: ShooterHash?

    /// Creates a query for a text, which may have the form of a video's name.
    public init(text: String) {
        let name = ReleaseName(text)
        self.text = name.title.isEmpty ? text : name.title
        (year, season, episode) = (name.year, name.season, name.episode)
    }

    /// Creates a query for a video by its name.
    ///
    /// - Parameter name: The path, of which only the last component is used.
    public init(videoName name: String) {
        fileName = PathName.baseName(name)
        let release = ReleaseName(PathName.stem(name))
        text = release.title.isEmpty ? nil : release.title
        (year, season, episode) = (release.year, release.season, release.episode)
    }

    /// Creates a query for a video by its name and bytes, of which five small ranges are read.
    ///
    /// - Parameters:
    ///   - source: The video.
    ///   - name: Its path or URL.
    /// - Throws: ``UndertextCore/UndertextError`` if the source fails.
    public init(video source: any ByteSource, name: String) throws(UndertextError) {
        try self.init(video: CheckedSource(source), name: name)
    }

    /// Looks for a video that a source of the engine reads.
    package init(video source: any RandomAccessSource, name: String) throws(UndertextError) {
        self.init(videoName: name)
        movieHash = try MovieHash(of: source)
        shooterHash = try ShooterHash(of: source)
    }

    /// The video's name without its extension, or the words.
    var release: ReleaseName { ReleaseName(fileName.map { PathName.stem($0) } ?? text ?? "") }

    /// The properties that select a file of a pack, in one line.
    public var choice: String {
        let languages = languages.map(\.rawValue).joined(separator: ",")
        let episode = [season, episode].map { $0.map(String.init) ?? "-" }.joined(separator: "x")
        return "\(episode) [\(languages)] \(fileName ?? text ?? "")"
    }

    /// Returns the rank of a language in the order of preference, or `nil` if it is not requested.
    ///
    /// `zh` matches `zh-Hans`; if no language is requested, all languages match.
    public func rank(of language: LanguageTag) -> Int? {
        if languages.isEmpty { return 0 }
        let language = language.scripted
        return languages.firstIndex { $0.scripted.covers(language) || language.covers($0.scripted) }
    }
}

extension LanguageTag {
    /// Chinese by its script, which providers mean when they name a region.
    var scripted: LanguageTag {
        switch rawValue {
        case "zh-CN", "zh-SG": "zh-Hans"
        case "zh-TW", "zh-HK", "zh-MO": "zh-Hant"
        default: self
        }
    }
}
