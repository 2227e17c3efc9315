public import UndertextCore

/// Adds subtitles to another provider's presentation while it is delivered to the player.
///
/// An application's own server answers three kinds of requests with it: the master playlist, the
/// media playlist of each rendition, and its segments; all else the player fetches from the
/// presentation itself. ``UpstreamReader`` gets what is needed of that, ``InjectionTimeline`` places it.
public struct SubtitleInjection: Sendable {
    /// The segment for which a hook is called.
    public struct SegmentPlace: Hashable, Sendable {
        /// The index in ``SubtitleInjection/subtitles``.
        public var subtitle: Int
        /// The number of the segment in the presentation.
        public var sequence: Int64
        /// The start, on the timeline of the subtitles.
        public var start: Timestamp
        /// The end.
        public var end: Timestamp
    }

    /// Changes the text of a segment, a whole WebVTT file, before it is sent.
    public typealias SegmentHook = @Sendable (_ text: String, _ place: SegmentPlace) -> String

    /// The added subtitles, in order.
    public let subtitles: [InjectedSubtitle]
    private let segmenters: [WebVTTSegmenter]
    private let hook: SegmentHook?

    /// Prepares subtitles.
    ///
    /// - Parameters:
    ///   - subtitles: the subtitles to add.
    ///   - hook: changes the text of each segment before it is sent.
    public init(_ subtitles: [InjectedSubtitle], hook: SegmentHook? = nil) {
        self.subtitles = subtitles
        self.hook = hook
        segmenters = subtitles.map { WebVTTSegmenter($0.document) }
    }

    /// The master playlist with the subtitles on every variant, its other addresses absolute.
    ///
    /// - Parameters:
    ///   - upstream: the playlist; its `url` is what relative addresses are seen from, and without
    ///     one they stay.
    ///   - rewriting: changes each address that became absolute.
    ///   - uri: the address of the playlist of a rendition, as it is to be written.
    /// - Returns: The playlist, and diagnostics for the parts of the request that could not be satisfied.
    public func master(
        _ upstream: MasterPlaylist, rewriting: (String) -> String = { $0 },
        uri: (_ subtitle: Int) -> String
    ) -> (text: PlaylistText, diagnostics: [Diagnostic]) {
        let additions = subtitles.enumerated().map { $1.addition(uri: uri($0)) }
        // The playlist has been parsed before, so parsing succeeds.
        let moved =
            (try? MasterPlaylist(upstream.movable(rewriting: rewriting), url: upstream.url))
            ?? upstream
        return moved.adding(additions)
    }

    /// The media playlist of a rendition: window, numbers, breaks and dates are those of the media.
    ///
    /// - Parameters:
    ///   - timeline: the media playlist of a variant, placed.
    ///   - prefix: the text before the number of a segment in its address.
    /// - Returns: the playlist.
    public func playlist(beside timeline: InjectionTimeline, prefix: String) -> PlaylistText {
        SubtitlePlaylist(beside: timeline.media, prefix: prefix).text
    }

    /// A segment of a rendition as a file.
    ///
    /// - Parameters:
    ///   - subtitle: the index in ``subtitles``.
    ///   - segment: a segment of the timeline.
    ///   - timeline: the position of the segment and the clock of its media.
    /// - Returns: the file and its losses; `nil` for an invalid index.
    public func segment(
        of subtitle: Int, beside segment: HLSSegment, in timeline: InjectionTimeline
    ) -> (bytes: [UInt8], losses: ConversionLosses)? {
        guard segmenters.indices.contains(subtitle) else { return nil }
        let slot = WebVTTSegmenter.Slot(
            start: segment.start, end: segment.end,
            map: timeline.clock(of: segment)?.map)
        var result = segmenters[subtitle].segment(slot)
        if let hook {
            let place = SegmentPlace(
                subtitle: subtitle, sequence: segment.sequence, start: slot.start, end: slot.end)
            result.bytes = Array(hook(String(decoding: result.bytes, as: UTF8.self), place).utf8)
        }
        return result
    }

    /// The cues of a rendition that no segment of the timeline shows, which a player would miss.
    public func cuesOutside(_ timeline: InjectionTimeline, of subtitle: Int) -> [Cue] {
        guard segmenters.indices.contains(subtitle) else { return [] }
        return segmenters[subtitle].cuesOutside(
            timeline.media.segments.map { WebVTTSegmenter.Slot(start: $0.start, end: $0.end) })
    }
}
