internal import UndertextCore

/// Makes the media playlist of a subtitle rendition: a segment for each of the media.
///
/// RFC 8216, section 4.3.3. Breaks in the clock, numbers and dates are those of the media, so that
/// players find segments that belong together.
public struct SubtitlePlaylist: Hashable, Sendable {
    /// The segments of the media that it follows.
    public var media: MediaPlaylist
    /// The part of each segment's URL before its number.
    public var prefix: String
    /// The part of each segment's URL after its number.
    public var suffix: String

    /// Creates a playlist beside that of a variant.
    public init(beside media: MediaPlaylist, prefix: String = "", suffix: String = ".vtt") {
        self.media = media
        self.prefix = prefix
        self.suffix = suffix
    }

    /// The address of a segment.
    public func uri(of segment: HLSSegment) -> String { prefix + "\(segment.sequence)" + suffix }

    /// The time slots of the segments.
    ///
    /// - Parameter clocks: by the number of breaks before the stretch; a segment of a stretch
    ///   without a clock gets no time map.
    /// - Returns: one for each segment of ``media``.
    public func slots(clocks: [Int64: MediaClock]) -> [WebVTTSegmenter.Slot] {
        media.segments.map { segment in
            WebVTTSegmenter.Slot(
                start: segment.start, end: segment.end, map: clocks[segment.discontinuity]?.map)
        }
    }

    /// The longest target duration, in seconds, that segments without a stated one lead to: a day.
    private static let longestTarget: Int128 = 86_400

    /// The playlist.
    public var text: PlaylistText {
        // EXTINF with decimals needs version 3.
        var lines = ["#EXTM3U", "#EXT-X-VERSION:3"]
        let seconds = MediaPlaylist.targetSeconds(of: media.segments.map(\.duration))
        // Players wait so long for more, so that a damaged length must not count.
        let target = max(
            Int128(media.targetDuration?.components.seconds ?? 0), min(seconds, Self.longestTarget))
        lines.append("#EXT-X-TARGETDURATION:\(target)")
        lines.append(
            "#EXT-X-MEDIA-SEQUENCE:\(media.segments.first?.sequence ?? media.mediaSequence)")
        let firstBreak = media.segments.first?.discontinuity ?? media.discontinuitySequence
        if firstBreak != 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(firstBreak)") }
        // A type must not come or go from version to version (RFC 8216, section 6.2.1).
        if let type = media.type {
            lines.append("#EXT-X-PLAYLIST-TYPE:\(type.rawValue)")
        }
        var breaks = firstBreak
        for segment in media.segments {
            // Players count them; a playlist has no more than it has lines.
            let more = Int(clamping: segment.discontinuity &- breaks)
            lines += repeatElement("#EXT-X-DISCONTINUITY", count: min(max(0, more), 1_000_000))
            breaks = segment.discontinuity
            if let date = segment.programDateTime {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:" + ISO8601.text(date))
            }
            lines.append(MediaPlaylist.lengthTag(segment.duration))
            lines.append(uri(of: segment))
        }
        // A playlist type also states that nothing is added, but not every player supports it.
        if !media.isLive { lines.append("#EXT-X-ENDLIST") }
        return PlaylistText(lines: lines.map { PlaylistLine($0) })
    }
}
