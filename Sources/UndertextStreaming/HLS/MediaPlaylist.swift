public import UndertextCore

/// A media playlist: the segments of a variant or rendition (RFC 8216, section 4.3.3).
public struct MediaPlaylist: Hashable, Sendable {
    /// The playlist type, which limits how the playlist may change.
    public enum PlaylistType: String, Hashable, Sendable {
        /// Nothing.
        case vod = "VOD"
        /// Segments are added, none goes.
        case event = "EVENT"
    }

    /// The playlist as it is stored.
    public internal(set) var text: PlaylistText
    /// Its address, of the last redirect.
    public let url: String
    /// The version of the protocol; 1 unless the playlist says otherwise.
    public internal(set) var version = 1
    /// The length of no segment is longer, rounded to seconds; `nil` if the playlist does not say.
    public internal(set) var targetDuration: Duration?
    /// The number of the first segment.
    public internal(set) var mediaSequence: Int64 = 0
    /// The breaks in the clock before the first segment.
    public internal(set) var discontinuitySequence: Int64 = 0
    /// The playlist type; `nil` if the playlist may change without limits.
    public internal(set) var type: PlaylistType?
    /// `true` if no segment will be added.
    public internal(set) var isEnded = false
    /// `true` if each segment is one image for trick play.
    public internal(set) var isIFramesOnly = false
    /// `true` if every segment can be decoded by itself.
    public internal(set) var hasIndependentSegments = false
    /// The number of segments that a delta update skips; they precede ``segments``.
    public internal(set) var skippedSegments: Int64 = 0
    /// The segments in order.
    public internal(set) var segments: [HLSSegment] = []
    /// The initialization sections.
    public internal(set) var maps: [HLSMap] = []
    /// The diagnostics of parsing.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// Parses a media playlist.
    ///
    /// - Parameters:
    ///   - text: the playlist.
    ///   - url: its address after redirects.
    ///   - imports: the variables of the master playlist.
    ///   - limits: limits for memory and work.
    /// - Throws: `UndertextError`: `notMedia` if it is a master playlist, `malformed` if a variable is wrong.
    ///   Segments beyond the limit are dropped with a diagnostic.
    public init(
        _ text: PlaylistText, url: String = "", imports: [String: String] = [:],
        limits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        self.text = text
        self.url = url
        var builder = MediaPlaylistBuilder(url: url, imports: imports, limits: limits)
        for (index, line) in text.lines.enumerated() {
            guard try builder.take(line.kind, at: index, into: &self) else { break }
        }
        builder.finish(&self)
    }

    /// The length of all segments together.
    public var duration: Duration {
        segments.last.map { Timestamp.zero.duration(to: $0.end) } ?? .zero
    }

    /// A Boolean value that indicates whether segments may be added or removed, as in a live stream.
    public var isLive: Bool { !isEnded && type != .vod }

    /// `true` if it is a list of files as music players have it: it has no tag of HLS.
    public var isPlainList: Bool {
        !text.lines.contains { line in
            if case .tag(let name, _) = line.kind { return name.hasPrefix("EXT-X-") }
            return false
        }
    }

    /// `true` if the first segment stays: of a live stream only if it is an event (RFC 8216, section 4.3.3.5).
    public var keepsBeginning: Bool { !isLive || type == .event }

    /// The segments whose number is `sequence` or more: what a later version of a live playlist
    /// adds.
    public func segments(from sequence: Int64) -> ArraySlice<HLSSegment> {
        let first = segments.firstIndex { $0.sequence >= sequence } ?? segments.endIndex
        return segments[first...]
    }

    /// Tags that only a media playlist has.
    static let ownTags: Set<String> = [
        "EXTINF", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE",
        "EXT-X-ENDLIST", "EXT-X-PLAYLIST-TYPE", "EXT-X-I-FRAMES-ONLY", "EXT-X-BYTERANGE",
        "EXT-X-DISCONTINUITY", "EXT-X-KEY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME",
    ]
}

/// A playlist of either kind.
public enum HLSPlaylist: Hashable, Sendable {
    /// Variants and renditions.
    case master(MasterPlaylist)
    /// Segments.
    case media(MediaPlaylist)

    /// Reads a playlist, whichever it is.
    ///
    /// - Throws: `UndertextError` as the initializers of both kinds do.
    public init(
        _ bytes: [UInt8], url: String = "", imports: [String: String] = [:],
        limits: StreamingLimits = StreamingLimits()
    ) throws(UndertextError) {
        let text = try PlaylistText(bytes, limits: limits)
        let isMaster = text.lines.contains { line in
            if case .tag(let name, _) = line.kind { return MasterPlaylist.ownTags.contains(name) }
            return false
        }
        self =
            isMaster
            ? .master(try MasterPlaylist(text, url: url, limits: limits))
            : .media(try MediaPlaylist(text, url: url, imports: imports, limits: limits))
    }
}
