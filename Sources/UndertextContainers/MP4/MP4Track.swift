package import UndertextCore

/// A track of an MP4 file: what its samples are, and where their list is.
package struct MP4Track: Hashable, Sendable {
    /// The container's number for it, `track_ID`.
    package var id: Int64 = 0
    /// The four characters of its first sample entry: `tx3g`, `wvtt`, `stpp`; empty if it has none.
    package var format: String { entries.first?.format ?? "" }
    /// The content of its first sample entry.
    package var entryContent: [UInt8] { entries.first?.body ?? [] }
    /// The area of the track within the movie; `nil` if there is none.
    package internal(set) var area: TrackArea?
    /// The four characters of its handler: `vide`, `soun`, `text`, `subt`, `sbtl`.
    package internal(set) var handler = ""
    /// The unit of its samples' times.
    package internal(set) var timeBase = TimeBase(0, 0)

    /// The format of its samples.
    var entries: [MP4SampleEntry] = []
    var edits = MP4EditList()
    var geometry: MP4TrackGeometry?
    /// The boxes of its sample table by type.
    var tables: [String: Range<UInt64>] = [:]
    /// `true` if its media lie in the file itself.
    var isSelfContained = true
    /// `true` if it may be a text track: it is neither video nor audio.
    var isText: Bool { !["vide", "soun"].contains(handler) }

    /// `true` if it has an edit list.
    package internal(set) var hasEdits = false
}

/// A sample entry of `stsd`.
struct MP4SampleEntry: Hashable, Sendable {
    /// The four characters of its type.
    var format: String
    /// The data after the reference index; FFmpeg: `extradata` of text tracks.
    var body: [UInt8]

    /// Entries that are kept of one track.
    private static let entriesAtMost = 256

    /// Reads the content of `stsd`.
    static func parse(_ content: ArraySlice<UInt8>) -> [MP4SampleEntry] {
        var reader = ByteReader(content)
        guard reader.skip(8) else { return [] }
        var boxes = MP4MemoryBoxes(reader.rest())
        var entries: [MP4SampleEntry] = []
        while entries.count < entriesAtMost, let (type, content) = boxes.next() {
            // Six reserved bytes and the number of a data reference.
            entries.append(MP4SampleEntry(format: type, body: Array(content.dropFirst(8))))
        }
        return entries
    }
}

/// The position and size of a track, in pixels of the movie.
///
/// ISO/IEC 14496-12, section 8.3.2, `tkhd`; rotation and scaling are not applied.
struct MP4TrackGeometry: Hashable, Sendable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    /// Reads the end of `tkhd`: a matrix and a size, in fixed point.
    init?(_ reader: inout ByteReader) {
        var matrix: [Int32] = []
        for _ in 0..<9 {
            guard let value = reader.uint32() else { return nil }
            matrix.append(Int32(bitPattern: value))
        }
        guard let width = reader.uint32(), let height = reader.uint32() else { return nil }
        // A rotated or scaled track has another area.
        guard matrix[0] == 1 << 16, matrix[1] == 0, matrix[3] == 0, matrix[4] == 1 << 16 else {
            return nil
        }
        x = Int(matrix[6] >> 16)
        y = Int(matrix[7] >> 16)
        self.width = Int(width >> 16)
        self.height = Int(height >> 16)
    }
}
