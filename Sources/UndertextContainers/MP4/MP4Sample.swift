/// A sample of a track: where it lies and when it is shown, times in ticks of the media.
struct MP4Sample: Hashable {
    /// Where it begins in the file.
    var offset: UInt64
    /// Its length in bytes.
    var size: Int
    /// When it is decoded.
    var decodeTime: Int64
    /// When it is shown, before edits.
    var time: Int64
    /// How long; `nil` where the file does not say.
    var duration: Int64?
    /// Which of the track's sample entries describes it, from 0.
    var entry: Int
    /// The lengths of the parts it consists of; empty if it has none.
    var parts: [UInt32] = []
}
