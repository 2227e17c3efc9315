public import Undertext
public import UndertextCore

/// A source of subtitles: a video, a folder, a list of URLs, a service.
///
/// The model calls its functions on its own threads. They may block, but must return soon after the
/// cancellation is set.
public protocol SubtitleDataSource: AnyObject, Sendable {
    /// The name that users see, also in ``SubtitleInfo/source``.
    var name: String { get }

    /// Returns the subtitles that are available without a search; may be empty.
    ///
    /// - Parameters:
    ///   - options: The options of the model for reading files, ``SubtitleModel/Options/media``; a source may use its
    ///     own options instead.
    ///   - cancellation: A flag that cancels the function.
    /// - Returns: The subtitles.
    /// - Throws: `UndertextError` if the source fails.
    func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo]

    /// Returns the content of one of its infos; called only after it is selected.
    ///
    /// Content with a URL or path need not be fetched here.
    ///
    /// - Parameters:
    ///   - info: One of its infos.
    ///   - options: The options of the model for reading files, as for ``subtitles(options:cancellation:)``.
    ///   - cancellation: A flag that cancels the function.
    /// - Returns: The content, or `nil` for that of the origin of the info.
    /// - Throws: `UndertextError`, for example if the download quota is exhausted.
    func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent?
}

extension SubtitleDataSource {
    /// Returns the content of the origin of the info.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? { nil }

    /// Returns the available subtitles, read with the default options.
    public func subtitles(cancellation: Cancellation) throws(UndertextError) -> [SubtitleInfo] {
        try subtitles(options: Media.Options(), cancellation: cancellation)
    }

    /// Returns the content of an info, read with the default options.
    public func content(
        of info: SubtitleInfo, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        try content(of: info, options: Media.Options(), cancellation: cancellation)
    }
}

/// A source that can search for subtitles.
public protocol SearchableSubtitleDataSource: SubtitleDataSource {
    /// Returns search results, the best first.
    ///
    /// Nothing is downloaded, so a search does not count against a quota; selected results are fetched by
    /// ``SubtitleDataSource/content(of:options:cancellation:)``. Infos have the origin ``SubtitleOrigin/deferred(key:)``.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - options: The options of the model for reading, such as the video of the query.
    ///   - cancellation: A flag that cancels the function.
    /// - Returns: The results.
    /// - Throws: `UndertextError` if the server is unavailable, the key is refused or the quota is exhausted.
    func search(
        _ query: SubtitleQuery, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo]
}

extension SearchableSubtitleDataSource {
    /// Returns search results, with the default options for reading.
    public func search(
        _ query: SubtitleQuery, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        try search(query, options: Media.Options(), cancellation: cancellation)
    }
}

/// A search query.
public struct SubtitleQuery: Hashable, Sendable {
    /// A text, such as a title or the name of a release.
    public var query: String?
    /// The IMDb ID of the movie, with or without `tt`.
    public var imdbID: String?
    /// The TMDB ID of the movie.
    public var tmdbID: String?
    /// The requested languages; empty means all.
    public var languages: [LanguageTag]
    /// The current video, for services that identify videos by a hash.
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

/// The content of an info.
public struct SubtitleContent: Sendable {
    /// The form of the content.
    public enum Form: Sendable {
        /// A stream of an input; `nil` means its first subtitle stream.
        case input(MediaInput, stream: Int?)
        /// Cues in memory.
        case document(SubtitleDocument)
    }

    /// The form of the content.
    public var form: Form
    /// The options for reading it, or `nil` for those of the model.
    ///
    /// The charset of the info takes precedence over that of the options.
    public var options: Media.Options?
    /// The maximum number of bytes to read, or `nil` for no limit.
    public var sizeLimit: UInt64?

    /// Creates content.
    public init(
        _ form: Form, options: Media.Options? = nil, sizeLimit: UInt64? = nil
    ) {
        self.form = form
        self.options = options
        self.sizeLimit = sizeLimit
    }

    /// Creates content from a downloaded file.
    ///
    /// - Parameters:
    ///   - bytes: The whole file, decompressed.
    ///   - name: The name for messages.
    public init(bytes: [UInt8], name: String) {
        self.init(.input(.bytes(bytes, name: name), stream: nil))
    }

    /// Creates the content of an origin, or `nil` if only its source can provide it.
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
