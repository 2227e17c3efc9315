/// The position of a block of a track in the Cues element (RFC 9559, section 5.1.5).
struct CueEntry: Hashable, Sendable {
    /// The block's time in ticks of the segment.
    var time: UInt64
    /// TrackNumber.
    var track: UInt64
    /// The cluster's offset from the start of the segment's data.
    var cluster: UInt64
    /// The block's offset from the start of the cluster's data.
    var relative: UInt64?
    /// Ticks; `nil` if it is not stated.
    var duration: UInt64?
}
