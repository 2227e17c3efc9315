public import UndertextCore

/// A segment of a media playlist (RFC 8216, section 4.3.2).
public struct HLSSegment: Hashable, Sendable {
    /// The address as written, with variables replaced.
    public var uri: String
    /// The duration.
    public var duration: Duration
    /// The start: the sum of the durations of earlier segments in the playlist (an ``InjectionTimeline`` moves
    /// it).
    public var start: Timestamp
    /// Its number in the presentation.
    public var sequence: Int64
    /// The number of breaks in the clock before it, in the presentation.
    public var discontinuity: Int64
    /// The title; `nil` if there is none.
    public var title: String?
    /// The part of the resource that it is; `nil` for all of it.
    public var range: ByteRange?
    /// The time of its first sample, in nanoseconds since 1970; `nil` if the playlist does not state it.
    public var programDateTime: Timestamp?
    /// The initialization section: an index of ``MediaPlaylist/maps``.
    public var map: Int?
    /// The encryption keys, one for each key format; empty if the segment is not encrypted.
    public var keys: [HLSKey]
    /// A Boolean value that indicates whether the segment is missing, or its byte range is unknown.
    public var isGap: Bool
    /// The index of the line with its address.
    public var line: Int

    /// The end.
    public var end: Timestamp { start.advanced(by: duration) }
}

/// An initialization section: `EXT-X-MAP` (RFC 8216, section 4.3.2.5).
public struct HLSMap: Hashable, Sendable {
    /// The address.
    public var uri: String
    /// The part of the resource that it is; `nil` for all of it.
    public var range: ByteRange?
    /// The encryption keys.
    public var keys: [HLSKey]
}
