public import Undertext
public import UndertextCore
internal import UndertextIO

/// A source that caches its downloads on disk: results of services, and subtitle files at URLs.
///
/// Cached downloads are not fetched again, even after a restart; searches always query the source. Playlists are not
/// cached.
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
        _ query: SubtitleQuery, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> [SubtitleInfo] {
        guard let source = source as? any SearchableSubtitleDataSource else { return [] }
        return try source.search(query, options: options, cancellation: cancellation)
    }

    /// Returns the download from the cache, otherwise from the source.
    public func content(
        of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
    ) throws(UndertextError) -> SubtitleContent? {
        let key = "\(source.name)\n\(info.id)"
        if case .deferred = info.origin, let kept = cache.content(for: key) {
            return SubtitleContent(.input(.bytes(kept.bytes, name: kept.name), stream: nil))
        }
        var content = try source.content(of: info, options: options, cancellation: cancellation)
        if content == nil { content = SubtitleContent(of: info.origin, options: options) }
        guard let content, case .input(let input, let stream) = content.form else { return content }
        switch input {
        case .bytes(let bytes, let name):
            if case .deferred = info.origin {
                cache.store(CachedFile(name: name, bytes: bytes), for: key)
            }
        case .url(let url):
            let reading = content.options ?? options
            guard let file = try file(at: url, content.sizeLimit, reading, cancellation)
            else { break }
            return SubtitleContent(
                .input(.bytes(file.bytes, name: file.name), stream: stream), options: reading)
        default: break
        }
        return content
    }

    /// Returns the subtitle file at a URL from the cache, otherwise from its server; `nil` if it cannot be cached.
    private func file(
        at url: String, _ sizeLimit: UInt64?, _ options: Media.Options, _ cancellation: Cancellation
    ) throws(UndertextError) -> CachedFile? {
        let address = URI(url)
        guard address.isHTTP else { return nil }
        // The key is stored, so it has no secrets but a hash of the whole URL.
        let key = "\(withoutSecrets(url))\n\(CacheRecord.name(of: url))"
        if let kept = cache.content(for: key) { return kept }
        guard let bytes = try download(url, sizeLimit, options, cancellation) else { return nil }
        let file = CachedFile(name: address.fileName, bytes: bytes)
        // Others, such as playlists, are no subtitles without what they refer to.
        var options = options
        options.cancellation = cancellation
        guard let media = try? Media(.bytes(bytes, name: file.name), options: options),
            !media.subtitleTracks.isEmpty
        else { return nil }
        cache.store(file, for: key)
        return file
    }

    /// Returns the bytes at a URL, or `nil` if the server refuses: opening the URL then reports the reason.
    private func download(
        _ url: String, _ sizeLimit: UInt64?, _ options: Media.Options, _ cancellation: Cancellation
    ) throws(UndertextError) -> [UInt8]? {
        var connecting = HTTPOptions()
        if let name = options.userAgent { connecting.userAgent = name }
        var request = HTTPRequest(.get, url)
        let limit = min(sizeLimit ?? .max, UInt64(clamping: options.limits.textFileSize))
        request.bodyLimit = Int(clamping: limit)
        request.timeout = options.timeLimit ?? .seconds(600)
        do throws(UndertextError) {
            let response = try HTTPClient(options: connecting)
                .fetch(request, cancellation: cancellation)
            return response.status == 200 ? response.body : nil
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }
}
