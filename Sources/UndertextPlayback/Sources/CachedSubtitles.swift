public import Undertext

/// A source whose downloads are kept on disk.
///
/// What was fetched once is not fetched again, also after a restart; searches always ask the source.
public final class CachedSubtitles: SearchableSubtitleDataSource {
    /// The source that fetches.
    public let source: any SubtitleDataSource
    /// Where downloads are kept.
    public let cache: SubtitleCache

    /// Keeps what `source` downloads.
    public init(_ source: any SubtitleDataSource, in cache: SubtitleCache) {
        self.source = source
        self.cache = cache
    }

    /// The name of the source.
    public var name: String { source.name }

    /// What the source has.
    public func subtitles(
        options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        try source.subtitles(options: options, cancellation: cancellation)
    }

    /// What the source finds; nothing, if it cannot search.
    public func search(
        _ query: SubtitleQuery, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        guard let source = source as? any SearchableSubtitleDataSource else { return [] }
        return try source.search(query, cancellation: cancellation)
    }

    /// The download from the disk, else from the source.
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
