public import UndertextCore
internal import UndertextIO

/// Gets what side-loading needs of a presentation: playlists, and when its clock begins.
///
/// References must satisfy ``AddressRule``; transient failures are retried as by ``StreamFetcher``.
public struct UpstreamReader: Sendable {
    /// The address that the user named.
    public let url: String
    private let client: any Fetcher
    private let fetcher: StreamFetcher
    private let limits: StreamingLimits

    /// The default fetch options: a response may take 20 seconds, a server may fail indefinitely, and a server
    /// that has recovered is retried within a second.
    public static var options: StreamFetchOptions {
        var options = StreamFetchOptions()
        options.requestTimeout = .seconds(20)
        options.progressTimeout = nil
        options.totalSize = .max
        options.pauseAfterFailures = .seconds(1)
        return options
    }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - url: the address of a master playlist or a media playlist.
    ///   - fetcher: The HTTP client; `nil` for libcurl.
    ///   - options: options for fetching.
    ///   - limits: limits for playlists.
    ///   - cancellation: cancels requests and waits.
    public init(
        url: String, fetcher: (any Fetcher)? = nil,
        options: StreamFetchOptions = UpstreamReader.options,
        limits: StreamingLimits = StreamingLimits(), cancellation: Cancellation = Cancellation()
    ) {
        self.url = url
        let client = fetcher ?? HTTPClient()
        self.client = client
        self.limits = limits
        self.fetcher = StreamFetcher(
            client, named: url, options: options, cancellation: cancellation)
    }

    /// The presentation's master playlist.
    ///
    /// For a media playlist, a master playlist is created, whose bandwidth is that of its first segment.
    ///
    /// - Throws: `UndertextError`: errors of the fetcher, `io` for an error response, `notMedia` or `malformed`
    ///   for a document that is not a playlist, ``ForeignUpstream/refusal(path:)`` for other known types.
    public func master() throws(UndertextError) -> MasterPlaylist {
        let answer: StreamAnswer
        do throws(UndertextError) {
            answer = try fetcher.fetch(
                StreamResource(url), limit: limits.playlistSize, for: .playlist)
        } catch {
            // A media file is larger than any playlist.
            throw error.code == .limit ? foreign(beginning()) ?? error : error
        }
        if let refusal = foreign(answer.bytes) { throw refusal }
        switch try playlist(answer) {
        case .master(let master): return master
        case .media(let media):
            let variant = MasterPlaylist.SingleVariant(
                uri: Self.ownName(of: answer.url), bandwidth: bandwidth(of: media))
            return try MasterPlaylist(MasterPlaylist.text(for: variant), url: answer.url)
        }
    }

    private func playlist(_ answer: StreamAnswer) throws(UndertextError) -> HLSPlaylist {
        do throws(UndertextError) {
            return try HLSPlaylist(answer.bytes, url: answer.url, limits: limits)
        } catch {
            var error = error
            error.path = error.path ?? url
            throw error
        }
    }

    private func foreign(_ bytes: [UInt8]) -> UndertextError? {
        ForeignUpstream(Array(bytes.prefix(ForeignUpstream.glance)))?.refusal(path: url)
    }

    private func beginning() -> [UInt8] {
        let range = ByteRange(offset: 0, count: ForeignUpstream.glance)
        return (try? fetcher.fetch(StreamResource(url, range: range), for: .playlist).bytes) ?? []
    }

    /// The media playlist that subtitles are cut by: of the first variant that can be had.
    ///
    /// - Throws: `UndertextError`: of the first variant, if none can be had.
    public func media(of master: MasterPlaylist) throws(UndertextError) -> MediaPlaylist {
        var failure: UndertextError?
        for variant in master.variants.filter({ !$0.isIFrameOnly }).prefix(3) {
            do throws(UndertextError) {
                let url = try address(of: variant.uri, in: master.url)
                return try media(at: url, imports: master.variables)
            } catch {
                if error.code == .cancelled { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? UndertextError(.notMedia, "the master playlist has no variants", path: url)
    }

    /// A media playlist.
    public func media(
        at url: String, imports: [String: String]
    ) throws(UndertextError) -> MediaPlaylist {
        let answer = try fetcher.fetch(
            StreamResource(url), limit: limits.playlistSize, for: .playlist)
        let text: PlaylistText
        do throws(UndertextError) {
            text = try PlaylistText(answer.bytes, limits: limits)
            let media = try MediaPlaylist(text, url: answer.url, imports: imports, limits: limits)
            guard !media.isPlainList else {
                throw UndertextError(
                    .notMedia,
                    "it is a list of files (M3U), not an HLS playlist: it has no EXT-X-TARGETDURATION "
                        + "(RFC 8216, section 4.3.3.1)")
            }
            return media
        } catch {
            var error = error
            error.path = error.path ?? url
            throw error
        }
    }

    /// The media clock at the start of `segment`, in ticks of 90 kHz.
    ///
    /// Nothing is decrypted; MPEG-TS with clear headers and fragmented MP4 contain the time anyway. If the
    /// segment has no time, later segments are tried.
    ///
    /// - Returns: the time; `nil` if there is none, or if it is encrypted.
    /// - Throws: `UndertextError` as ``master()``.
    public func firstPTS(
        of segment: HLSSegment, in media: MediaPlaylist
    ) throws(UndertextError) -> Int64? {
        try fetcher.firstTime(ofStretch: stretch(from: segment, in: media), InitializationStore())
    }

    /// A segment and the segments after it that may be used instead.
    private func stretch(from segment: HLSSegment, in media: MediaPlaylist) -> [LocatedSegment] {
        let others = media.segments(from: segment.sequence).lazy
            .prefix { $0.discontinuity == segment.discontinuity }
            .filter { !$0.isGap && $0.sequence != segment.sequence }
            .prefix(StreamFetcher.firstTimeAttempts - 1)
        return ([segment] + others).map { LocatedSegment($0, of: media) }
    }

    /// Reads the clocks of all parts of a timeline whose clock is unknown.
    ///
    /// - Parameters:
    ///   - timeline: the timeline that gets the clocks.
    ///   - mediaStart: The media clock at the beginning in ticks of 90 kHz, used if the media have no time. It
    ///     applies only before the first discontinuity.
    ///   - limit: The maximum number of discontinuities to examine.
    /// - Returns: the problems: `segment-not-read`, for which another attempt may succeed, and
    ///   `no-media-start`; `option-ignored` if `mediaStart` was not needed.
    /// - Throws: `UndertextError` when it is cancelled.
    public func readClocks(
        of timeline: inout InjectionTimeline, mediaStart: Int64? = nil, limit: Int = 2000
    ) throws(UndertextError) -> [Diagnostic] {
        var notes: [Diagnostic] = []
        var unknown = 0
        let segments = timeline.segmentsWithoutClock.prefix(max(0, limit))
        let times = fetcher.firstTimes(
            ofStretches: segments.map { stretch(from: $0, in: timeline.media) },
            InitializationStore())
        for (segment, time) in zip(segments, times) {
            do throws(UndertextError) {
                if let first = try time.get() {
                    if mediaStart != nil, timeline.isBeginning(segment) {
                        notes.append(
                            .ignored([.mediaStart], "the media state what their clock begins with"))
                    }
                    timeline.setClock(first, of: segment)
                    continue
                }
            } catch {
                if error.code == .cancelled { throw error }
                notes.append(Diagnostic(.warning, "segment-not-read", error.description))
            }
            // The user's value applies to the beginning only, not after a discontinuity.
            if let mediaStart, timeline.isBeginning(segment) {
                timeline.setClockOfBeginning(mediaStart)
            } else {
                unknown += 1
            }
        }
        guard unknown > 0 else { return notes }
        let reason =
            if !timeline.media.keepsBeginning {
                "; the clock of a live stream is known from its media only"
            } else {
                mediaStart == nil ? "" : "; the specified one applies up to the first discontinuity"
            }
        notes.append(
            Diagnostic(
                .warning, "no-media-start",
                "the first time of the media cannot be read: subtitles have no time map and may be early "
                    + "or late" + reason,
                remedy: timeline.media.keepsBeginning && mediaStart == nil
                    ? .set(.mediaStart) : nil))
        return notes
    }

    /// The address that a reference leads to, if it may be opened.
    public func address(of reference: String, in parent: String) throws(UndertextError) -> String {
        try fetcher.rule.address(of: reference, in: parent)
    }

    /// The address as a playlist beside it would name it.
    private static func ownName(of url: String) -> String {
        let parts = URI(url)
        let name = parts.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return "./" + name + (parts.query.map { "?" + $0 } ?? "")
    }

    /// Bits per second, by the size of the first segment.
    private func bandwidth(of media: MediaPlaylist) -> Int64 {
        let usual: Int64 = 2_000_000
        guard let segment = media.segments.first(where: { $0.duration > .zero }) else {
            return usual
        }
        guard let size = segment.range.map({ Int64($0.count) }) ?? size(of: segment, in: media),
            size > 0
        else { return usual }
        let bits = Int128(size) * 8 * 1_000_000_000 / max(1, segment.duration.nanoseconds128)
        return Int64(clamping: max(1, bits))
    }

    /// The timeout for finding out a size, which is less important than a response.
    private static let sizeTimeout = Duration.seconds(5)

    /// The size of a resource, from the response to a request for its first byte.
    private func size(of segment: HLSSegment, in media: MediaPlaylist) -> Int64? {
        guard let address = try? address(of: segment.uri, in: media.url) else { return nil }
        var request = HTTPRequest(.get, address)
        if address != url { request.namedURL = fetcher.rule.namedForWeb }
        request.range = ByteRange(offset: 0, count: 1)
        request.timeout = min(fetcher.options.requestTimeout, Self.sizeTimeout)
        // A server may not know of ranges.
        request.bodyLimit = fetcher.options.mediaSegmentSize
        let answer = try? client.fetch(request, cancellation: fetcher.cancellation)
        guard let answer, answer.isSuccess else { return nil }
        let total = answer.headers["content-range"]?.split(separator: "/").last
        return total.flatMap { Int64($0) } ?? Int64(answer.body.count)
    }
}
