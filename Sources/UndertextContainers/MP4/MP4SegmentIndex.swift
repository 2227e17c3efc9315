package import UndertextCore

/// The index of the subsegments of a media file (`sidx`).
///
/// ISO/IEC 14496-12, section 8.16.3.
package struct MP4SegmentIndex: Hashable, Sendable {
    /// A subsegment, or another index together with the subsegments that it lists.
    package struct Entry: Hashable, Sendable {
        /// The location in the file.
        package let range: ByteRange
        /// The earliest presentation time, on the clock of the media.
        package let start: Timestamp
        /// The duration.
        package let duration: Duration
    }

    /// The subsegments in the order of the file.
    package let entries: [Entry]

    /// Parses the first index in a part of a file; `nil` if it contains no complete index, or one whose times or sizes
    /// do not fit.
    ///
    /// - Parameters:
    ///   - bytes: The part of the file.
    ///   - offset: The offset of `bytes` in the file.
    package init?(_ bytes: [UInt8], at offset: UInt64) {
        var boxes = MP4MemoryBoxes(bytes[...])
        while let (type, content) = boxes.next() {
            guard type == "sidx" else { continue }
            let (end, overflow) = offset.addingReportingOverflow(UInt64(content.endIndex))
            guard !overflow, let entries = Self.entries(content, after: end) else { return nil }
            self.entries = entries
            return
        }
        return nil
    }

    /// The entries of an index that ends at the offset `end`.
    private static func entries(_ content: ArraySlice<UInt8>, after end: UInt64) -> [Entry]? {
        var reader = ByteReader(content)
        guard let version = reader.uint8(), reader.skip(3 + 4), let scale = reader.uint32(),
            let timescale = Int32(exactly: scale), timescale > 0,
            let first = reader.unsigned(version == 0 ? 4 : 8),
            let gap = reader.unsigned(version == 0 ? 4 : 8), reader.skip(2),
            let count = reader.uint16(), reader.remaining >= Int(count) * 12,
            var ticks = Int64(exactly: first)
        else { return nil }
        let timeBase = TimeBase(1, timescale)
        var (offset, isBeyond) = end.addingReportingOverflow(gap)
        var entries: [Entry] = []
        for _ in 0..<count {
            guard !isBeyond, let size = reader.uint32(), let length = reader.uint32(),
                reader.skip(4), let start = Timestamp(ticks: ticks, timeBase: timeBase),
                let duration = Duration(ticks: Int64(length), timeBase: timeBase)
            else { return nil }
            // The high bit distinguishes another index from a subsegment.
            let range = ByteRange(offset: offset, count: Int(size & 0x7FFF_FFFF))
            entries.append(Entry(range: range, start: start, duration: duration))
            (offset, isBeyond) = offset.addingReportingOverflow(UInt64(range.count))
            let (next, isTooLate) = ticks.addingReportingOverflow(Int64(length))
            ticks = next
            isBeyond = isBeyond || isTooLate
        }
        return entries
    }
}
