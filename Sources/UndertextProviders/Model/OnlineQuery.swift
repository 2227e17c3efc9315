public import UndertextCore
internal import UndertextIO

/// What subtitles are looked for; every part that is known makes the answer better.
public struct OnlineQuery: Hashable, Sendable {
    /// Words, such as a title; `nil` for those of ``fileName``.
    public var text: String?
    /// The video's name without folders: no provider learns where files lie.
    public var fileName: String?
    /// The year of a film.
    public var year: Int?
    /// The season of a series.
    public var season: Int?
    /// The episode of that season.
    public var episode: Int?
    /// The number at IMDb, of the series where season and episode are known.
    public var imdbID: Int?
    /// The number at TMDB, of the series where season and episode are known.
    public var tmdbID: Int?
    /// Languages, the best first; empty for all.
    public var languages: [LanguageTag] = []
    /// What tells OpenSubtitles the file.
    public var movieHash: MovieHash?
    /// What tells Shooter the file.
    public var shooterHash: ShooterHash?

    /// Looks for words, which may have the form of a video's name.
    public init(text: String) {
        let name = ReleaseName(text)
        self.text = name.title.isEmpty ? text : name.title
        (year, season, episode) = (name.year, name.season, name.episode)
    }

    /// Looks for a video by its name.
    ///
    /// - Parameter name: the path, of which only the last part is kept.
    public init(videoName name: String) {
        fileName = PathName.baseName(name)
        let release = ReleaseName(PathName.stem(name))
        text = release.title.isEmpty ? nil : release.title
        (year, season, episode) = (release.year, release.season, release.episode)
    }

    /// Looks for a video by its name and its bytes, of which five small pieces are read.
    ///
    /// - Parameters:
    ///   - source: The video.
    ///   - name: Its path or address.
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

    /// What decides which file of a pack is the one that was looked for, in one line.
    public var choice: String {
        let languages = languages.map(\.rawValue).joined(separator: ",")
        let episode = [season, episode].map { $0.map(String.init) ?? "-" }.joined(separator: "x")
        return "\(episode) [\(languages)] \(fileName ?? text ?? "")"
    }

    /// The place of a language in the order of preference; `nil` if it was not asked for.
    ///
    /// `zh` takes `zh-Hans`; where no language was asked for, all are welcome.
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
