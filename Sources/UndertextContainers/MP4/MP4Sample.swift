/// A sample of a track: where it lies and when it is shown, times in ticks of the media.
struct MP4Sample: Hashable {
    /// The byte offset in the file.
    var offset: UInt64
    /// Its length in bytes.
    var size: Int
    /// The decoding time.
    var decodeTime: Int64
    /// The presentation time, before edits.
    var time: Int64
    /// The duration; `nil` if the file does not state it.
    var duration: Int64?
    /// The index of its sample entry, from 0.
    var entry: Int
    /// The lengths of the parts it consists of; empty if it has none.
    var parts: [UInt32] = []
}
