public import MediaCore

/// Gets what side-loading needs of a presentation: playlists, and when its clock begins.
///
/// Only http and https, and from a `file:` address only files, by a fetcher that reads them.
/// References are held to ``AddressRule``.
public struct UpstreamReader: Sendable {
    /// The address that the user named.
    public let url: String
    private let fetcher: any Fetcher
    private let limits: StreamingLimits
    private let cancellation: Cancellation

    /// How long an answer may take.
    static let timeout = Duration.seconds(20)
    /// So many bytes of a segment are looked at.
    static let probeLength = 1 << 20

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - url: the address of a master playlist or a media playlist.
    ///   - fetcher: who asks.
    ///   - limits: what playlists may ask of us.
    ///   - cancellation: ends the waiting.
    public init(
        url: String, fetcher: any Fetcher, limits: StreamingLimits = StreamingLimits(),
        cancellation: Cancellation = Cancellation()
    ) {
        self.url = url
        self.fetcher = fetcher
        self.limits = limits
        self.cancellation = cancellation
    }

    /// The presentation's master playlist.
    ///
    /// Of a media playlist one is made, whose bandwidth is that of its first segment.
    ///
    /// - Throws: `MediaError`: what the fetcher throws, `io` for an answer that is an error,
    ///   `notMedia` or `malformed` for what is no playlist.
    public func master() throws(MediaError) -> MasterPlaylist {
        let answer = try get(url, range: nil)
        switch try HLSPlaylist(answer.body, url: answer.url, limits: limits) {
        case .master(let master): return master
        case .media(let media):
            let variant = MasterPlaylist.SingleVariant(
                uri: Self.ownName(of: answer.url), bandwidth: bandwidth(of: media))
            return try MasterPlaylist(MasterPlaylist.text(for: variant), url: answer.url)
        }
    }

    /// The media playlist that subtitles are cut by: of the first variant that can be had.
    ///
    /// - Throws: `MediaError`: of the first variant, if none can be had.
    public func media(of master: MasterPlaylist) throws(MediaError) -> MediaPlaylist {
        var failure: MediaError?
        for variant in master.variants.filter({ !$0.isIFrameOnly }).prefix(3) {
            do throws(MediaError) {
                let url = try address(of: variant.uri, in: master.url)
                return try media(at: url, imports: master.variables)
            } catch {
                if error.code == .cancelled { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? MediaError(.notMedia, "the master playlist has no variants", path: url)
    }

    /// A media playlist.
    public func media(
        at url: String, imports: [String: String]
    ) throws(MediaError) -> MediaPlaylist {
        let answer = try get(url, range: nil)
        let text: PlaylistText
        do throws(MediaError) {
            text = try PlaylistText(answer.body, limits: limits)
            return try MediaPlaylist(text, url: answer.url, imports: imports, limits: limits)
        } catch {
            var error = error
            error.path = error.path ?? url
            throw error
        }
    }

    /// When the clock of the media begins with `segment`, in ticks of 90 kHz.
    ///
    /// Nothing is decrypted: of MPEG-TS with clear headers and of fragmented MP4 the time can be had
    /// all the same.
    ///
    /// - Returns: the time; `nil` where it cannot be had without a key, or there is none.
    /// - Throws: `MediaError` as ``master()``.
    public func firstPTS(
        of segment: HLSSegment, in media: MediaPlaylist
    ) throws(MediaError) -> Int64? {
        // AES-128 and its kin encrypt whole segments; the SAMPLE methods leave headers clear.
        guard segment.keys.allSatisfy({ $0.method.hasPrefix("SAMPLE-") }) else { return nil }
        var initialization: [UInt8] = []
        if let index = segment.map, media.maps.indices.contains(index) {
            let map = media.maps[index]
            guard map.keys.allSatisfy({ $0.method.hasPrefix("SAMPLE-") }) else { return nil }
            initialization = try beginning(of: map.uri, map.range, in: media).body
        }
        let bytes = try beginning(of: segment.uri, segment.range, in: media).body
        return FirstTime.ofSegment(bytes, initialization: initialization)
    }

    /// The address that a reference leads to, if it may be opened.
    public func address(of reference: String, in parent: String) throws(MediaError) -> String {
        guard url.hasPrefix("file:") else {
            return try AddressRule(named: url).address(of: reference, in: parent)
        }
        let target = URIReference(AddressRule.escaped(reference))
            .resolved(against: URIReference(parent))
        guard target.scheme == "file", target.authority ?? "" == "" else {
            throw MediaError(
                .nestedOpen, "the reference '\(reference.prefix(200))' leads away from the files",
                path: url)
        }
        return target.description
    }

    /// The address as a playlist beside it would name it.
    private static func ownName(of url: String) -> String {
        let parts = URIReference(url)
        let name = parts.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return "./" + name + (parts.query.map { "?" + $0 } ?? "")
    }

    /// Bits per second, by the size of the first segment.
    private func bandwidth(of media: MediaPlaylist) -> Int64 {
        let usual: Int64 = 2_000_000
        guard let segment = media.segments.first(where: { $0.duration > .zero }) else {
            return usual
        }
        var size = segment.range.map { Int64($0.count) }
        if size == nil, let answer = try? beginning(of: segment.uri, nil, in: media) {
            let total = answer.headers["content-range"]?.split(separator: "/").last
            size = total.flatMap { Int64($0) } ?? Int64(answer.body.count)
        }
        guard let size, size > 0 else { return usual }
        let bits = Int128(size) * 8 * 1_000_000_000 / max(1, segment.duration.nanoseconds128)
        return Int64(clamping: max(1, bits))
    }

    private func beginning(
        of reference: String, _ range: ByteRange?, in media: MediaPlaylist
    ) throws(MediaError) -> HTTPResponse {
        let url = try address(of: reference, in: media.url)
        let part = ByteRange(
            offset: range?.offset ?? 0, count: min(range?.count ?? .max, Self.probeLength))
        return try get(url, range: part)
    }

    private func get(_ url: String, range: ByteRange?) throws(MediaError) -> HTTPResponse {
        var request = HTTPRequest(.get, url)
        if url != self.url { request.namedURL = self.url }
        request.range = range
        request.timeout = Self.timeout
        // A server may not know of ranges.
        request.bodyLimit = range == nil ? limits.playlistSize : 64 << 20
        var answer = try fetcher.fetch(request, cancellation: cancellation)
        guard answer.isSuccess else {
            throw MediaError(.io, "the server answered \(answer.status)", path: request.name)
        }
        if answer.url.isEmpty { answer.url = url }
        if let range, answer.status != 206, let offset = Int(exactly: range.offset) {
            answer.body = Array(answer.body.dropFirst(offset).prefix(range.count))
        }
        return answer
    }
}
