import UndertextContainers
import UndertextCore

/// Reads the languages of an MP4's tracks, whether it is whole, what its tables stand for, and its index of subsegments; and
/// the chunks of an AVI file.
func mp4HeaderFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    let header = MP4Header(source: source)
    precondition(header.byTrackID.count <= count / 8, "more tracks than there is room for")
    // Boxes are looked at once for each box around them.
    precondition(source.statistics.bytesRead <= 4096 + UInt64(count) * 64, "too much was read")
    let tables = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    _ = try? MP4TableSurvey(source: tables)
    precondition(tables.statistics.bytesRead <= 4096 + UInt64(count) * 64, "too much was surveyed")
    let index = MP4SegmentIndex(
        Array(UnsafeBufferPointer(start: start, count: count)), at: 1 << 40)
    precondition(index?.entries.count ?? 0 <= count / 12, "more subsegments than there is room for")
    let chunks = MemorySource(Array(UnsafeBufferPointer(start: start, count: count)))
    _ = try? AVIIndexCheck.isDamaged(chunks)
    precondition(chunks.statistics.requests <= 10_010, "too many chunks were read")
    return 0
}
