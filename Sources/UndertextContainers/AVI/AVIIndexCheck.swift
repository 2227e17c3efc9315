package import UndertextCore

/// Finds out if the index of an AVI file is missing or damaged, by the headers of its chunks alone.
///
/// An index is the chunk `idx1` after the media (Microsoft, AVI RIFF File Reference), or `indx` in the header of a stream
/// (OpenDML AVI File Format Extensions, section 3).
package enum AVIIndexCheck {
    /// Chunks that are examined, in all lists together.
    private static let chunksAtMost = 10_000

    /// Looks for the index of a file.
    ///
    /// - Parameter source: The file.
    /// - Returns: `true` if the file has no index, or ends within a chunk.
    /// - Throws: The errors of the source.
    package static func isDamaged(_ source: any RandomAccessSource) throws(UndertextError) -> Bool {
        guard let size = source.size, let file = try chunk(at: 0, source), file.id == "RIFF" else {
            return true
        }
        // Parts after the first one have indexes of their own; files of one part may be shorter than that says.
        guard file.end <= size else { return true }
        var pending = [12..<file.end]
        var left = chunksAtMost
        while let list = pending.popLast() {
            var offset = list.lowerBound
            while offset < list.upperBound, left > 0, let next = try chunk(at: offset, source) {
                left -= 1
                guard next.end <= list.upperBound else { return true }
                if next.id == "idx1" || next.id == "indx" { return false }
                if next.id == "LIST", next.kind == "hdrl" || next.kind == "strl" {
                    pending.append(next.start + 12..<max(next.start + 12, next.end))
                }
                // Chunks begin at even offsets.
                offset = next.end + next.end % 2
            }
        }
        return true
    }

    private struct Chunk {
        let id: String
        /// The type of a list.
        let kind: String
        let start: UInt64
        let end: UInt64
    }

    private static func chunk(
        at offset: UInt64, _ source: any RandomAccessSource
    ) throws(UndertextError) -> Chunk? {
        let head = try source.read(at: offset, count: 12)
        guard head.count >= 8 else { return nil }
        let size = head[4..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return Chunk(
            id: String(decoding: head[..<4], as: UTF8.self),
            kind: String(decoding: head[8...], as: UTF8.self), start: offset,
            end: offset + 8 + size)
    }
}
