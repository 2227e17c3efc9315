package import UndertextCore

/// Properties of MP4 that libavformat ignores: the BCP 47 languages of tracks (`moov/trak/mdia/elng`), and
/// whether the file was truncated.
///
/// ISO/IEC 14496-12, 8.4.6. A damaged file yields the properties found before the damage.
package struct MP4Header: Hashable, Sendable {
    /// Languages by `track_ID`.
    package private(set) var byTrackID: [Int64: LanguageTag] = [:]

    /// `true` if a top-level box states an end after the end of the file.
    package private(set) var isCutOff = false

    /// Boxes at the top that are examined.
    private static let boxesAtMost = 10_000

    /// Reads the box headers of `source`, and nothing of its media data.
    package init(source: any RandomAccessSource) {
        // The reader of the packets reports unreadable data.
        try? read(MP4BoxReader(window: SourceWindow(source, cancellation: nil)), source.size ?? 0)
    }

    /// `true` if media precede the list of samples, judged by the beginning of a file.
    package static func hasMediaFirst(_ beginning: any RandomAccessSource) -> Bool {
        let boxes = MP4BoxReader(window: SourceWindow(beginning, cancellation: nil))
        guard let size = beginning.size, let first = try? boxes.box(at: 0, before: size),
            firstTypes.contains(first.type)
        else { return false }
        var hasMedia = false
        var offset: UInt64 = 0
        for _ in 0..<boxesAtMost {
            guard let box = try? boxes.box(at: offset, before: size), box.type != "moov" else {
                break
            }
            hasMedia = hasMedia || box.type == "mdat" && !box.content.isEmpty
            offset = box.end
        }
        return hasMedia
    }

    /// The first boxes of files of the family.
    static let firstTypes: Set<String> = ["ftyp", "mdat", "wide", "free", "skip", "moov"]

    private mutating func read(_ boxes: MP4BoxReader, _ size: UInt64) throws(UndertextError) {
        var offset: UInt64 = 0
        for _ in 0..<Self.boxesAtMost {
            guard let box = try boxes.box(at: offset, before: size) else { return }
            guard !box.isCut else {
                isCutOff = true
                return
            }
            if box.type == "moov" { try readTracks(boxes, box.content) }
            offset = box.end
        }
    }

    private mutating func readTracks(
        _ boxes: MP4BoxReader, _ movie: Range<UInt64>
    ) throws(UndertextError) {
        for track in try boxes.boxes(in: movie) where track.type == "trak" && !track.isCut {
            var id: Int64?
            var language: LanguageTag?
            for child in try boxes.boxes(in: track.content) where !child.isCut {
                if child.type == "tkhd" { id = try Self.trackID(child, boxes) }
                guard child.type == "mdia" else { continue }
                for leaf in try boxes.boxes(in: child.content)
                where leaf.type == "elng" && !leaf.isCut {
                    language = try Self.language(leaf, boxes)
                }
            }
            if let id, let language { byTrackID[id] = language }
        }
    }

    /// `tkhd`: version, flags, two times, then `track_ID`.
    private static func trackID(_ box: MP4Box, _ boxes: MP4BoxReader) throws(UndertextError)
        -> Int64?
    {
        var reader = try boxes.head(of: box, 24)
        guard let version = reader.uint8(), reader.skip(3 + (version == 1 ? 16 : 8)) else {
            return nil
        }
        return reader.uint32().map(Int64.init)
    }

    /// `elng`: version, flags, then a zero-terminated tag.
    private static func language(
        _ box: MP4Box, _ boxes: MP4BoxReader
    ) throws(UndertextError) -> LanguageTag? {
        var reader = try boxes.head(of: box, 4 + 64)
        guard reader.skip(4) else { return nil }
        return LanguageTag(String(decoding: reader.rest().prefix { $0 != 0 }, as: UTF8.self))
    }
}
