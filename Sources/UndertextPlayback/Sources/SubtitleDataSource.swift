public import Undertext

/// Where subtitles come from: a video, a folder, a list of addresses, a service.
///
/// Its functions are called on threads of the model's own and may take their time; they return soon
/// after the cancellation is raised.
public protocol SubtitleDataSource: AnyObject, Sendable {
    /// What users see, and what ``SubtitleInfo/source`` says.
    var name: String { get }

    /// The subtitles that it has without being asked for anything; may be none.
    ///
    /// - Parameters:
    ///   - options: how the model reads files, ``SubtitleModel/Options/media``; a source that has options of its own
    ///     goes by those.
    ///   - cancellation: ends it.
    /// - Returns: the subtitles.
    /// - Throws: `UndertextError`, if it cannot tell.
    func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo]

    /// How the cues of one of its infos are reached; called when that is chosen, not before.
    ///
    /// What has an address or a path need not be fetched here; `nil` = as its origin says.
    ///
    /// - Parameters:
    ///   - info: one of its infos.
    ///   - options: how the model reads files, as for ``subtitles(options:cancellation:)``.
    ///   - cancellation: ends it.
    /// - Returns: the content.
    /// - Throws: `UndertextError`, such as that no more downloads are allowed.
    func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent?
}

extension SubtitleDataSource {
    /// As the origin of the info says.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? { nil }

    /// The subtitles that it has, read as files are read by default.
    public func subtitles(cancellation: Cancellation) throws(UndertextError) -> [SubtitleInfo] {
        try subtitles(options: Media.Options(), cancellation: cancellation)
    }

    /// How the cues of an info are reached, read as files are read by default.
    public func content(
        of info: SubtitleInfo, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        try content(of: info, options: Media.Options(), cancellation: cancellation)
    }
}

/// A source that finds subtitles by words and numbers.
public protocol SearchableSubtitleDataSource: SubtitleDataSource {
    /// What it finds, the best first.
    ///
    /// Nothing is downloaded: what is chosen is fetched by ``SubtitleDataSource/content(of:cancellation:)``,
    /// so that a search costs no quota. Infos have the origin ``SubtitleOrigin/deferred(key:)``.
    ///
    /// - Throws: `UndertextError`: server down, key refused, quota gone.
    func search(
        _ query: SubtitleQuery, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo]
}

/// What a service is asked for.
public struct SubtitleQuery: Hashable, Sendable {
    /// Words, such as a title or the name of a release.
    public var query: String?
    /// The film's number at IMDb, with or without `tt`.
    public var imdbID: String?
    /// The film's number at TMDB.
    public var tmdbID: String?
    /// Languages that are wanted; empty = all.
    public var languages: [LanguageTag]
    /// The video that plays, for services that know it by a hash.
    public var video: MediaInput?

    /// Creates a query.
    public init(
        query: String? = nil, imdbID: String? = nil, tmdbID: String? = nil,
        languages: [LanguageTag] = [], video: MediaInput? = nil
    ) {
        self.query = query
        self.imdbID = imdbID
        self.tmdbID = tmdbID
        self.languages = languages
        self.video = video
    }
}

/// How the cues of an info are reached.
public struct SubtitleContent: Sendable {
    /// What is read.
    public enum Form: Sendable {
        /// An input of the engine; `nil` = its first subtitle stream.
        case input(MediaInput, stream: Int?)
        /// Cues at hand.
        case document(SubtitleDocument)
    }

    /// What is read.
    public var form: Form
    /// How it is read; `nil` = as the model reads files.
    ///
    /// The charset of the info counts before that of the options.
    public var options: Media.Options?
    /// Bytes that may be read of it; `nil` = as many as it has.
    public var sizeLimit: UInt64?

    /// Creates a content.
    public init(
        _ form: Form, options: Media.Options? = nil, sizeLimit: UInt64? = nil
    ) {
        self.form = form
        self.options = options
        self.sizeLimit = sizeLimit
    }

    /// A file that was downloaded.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, unpacked.
    ///   - name: its name, for messages.
    public init(bytes: [UInt8], name: String) {
        self.init(.input(.bytes(bytes, name: name), stream: nil))
    }

    /// Where an origin says that it is; `nil` where only its source knows.
    init?(of origin: SubtitleOrigin, options: Media.Options) {
        switch origin {
        case .embedded(let input, let stream):
            self.init(.input(input, stream: stream), options: options)
        case .file(let input, let stream):
            self.init(.input(input, stream: stream), options: options)
        case .document(let document): self.init(.document(document), options: options)
        case .deferred: return nil
        }
    }
}
