import Containers
import MediaCore

/// Reads the languages of an MP4's tracks, and whether it is whole.
func mp4HeaderFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    let header = MP4Header(source: source)
    precondition(header.byTrackID.count <= count / 8, "more tracks than there is room for")
    // Boxes are looked at once for each box around them.
    precondition(source.statistics.bytesRead <= 4096 + UInt64(count) * 64, "too much was read")
    return 0
}
