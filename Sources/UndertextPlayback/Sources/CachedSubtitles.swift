public import Undertext

/// A source that caches its downloads on disk.
///
/// Cached downloads are not fetched again, even after a restart; searches always query the source.
public final class CachedSubtitles: SearchableSubtitleDataSource {
    /// The source of the downloads.
    public let source: any SubtitleDataSource
    /// The cache of the downloads.
    public let cache: SubtitleCache

    /// Creates a source that caches the downloads of `source`.
    public init(_ source: any SubtitleDataSource, in cache: SubtitleCache) {
        self.source = source
        self.cache = cache
    }

    /// The name of the source.
    public var name: String { source.name }

    /// Returns the subtitles of the source.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        try source.subtitles(options: options, cancellation: cancellation)
    }

    /// Returns the search results of the source; empty if it cannot search.
    public func search(
        _ query: SubtitleQuery, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        guard let source = source as? any SearchableSubtitleDataSource else { return [] }
        return try source.search(query, cancellation: cancellation)
    }

    /// Returns the download from the cache, otherwise from the source.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        let key = "\(source.name)\n\(info.id)"
        if case .deferred = info.origin, let kept = cache.content(for: key) {
            return SubtitleContent(.input(.bytes(kept.bytes, name: kept.name), stream: nil))
        }
        let content = try source.content(
            of: info, options: options, cancellation: cancellation)
        if case .deferred = info.origin,
            case .input(.bytes(let bytes, let name), _)? = content?.form
        {
            cache.store(CachedFile(name: name, bytes: bytes), for: key)
        }
        return content
    }
}
