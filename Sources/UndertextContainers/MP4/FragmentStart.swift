package import UndertextCore

/// The presentation time of the first fragment of a segment: its decoding time, the composition offset of its
/// first sample, and the shift by the edit list of the track.
///
/// ISO/IEC 14496-12, sections 8.8.12 (`tfdt`), 8.8.8 (`trun`) and 8.6.6 (`elst`).
package struct FragmentStart: Sendable {
    /// The earliest start of an audio or video track; of any track if there is none.
    package private(set) var first: Timestamp?

    /// Boxes of a segment that are examined.
    private static let boxesAtMost = 10_000

    /// Looks at a segment.
    ///
    /// - Parameters:
    ///   - initialization: The `moov` box, which defines the units; empty if the segment contains it.
    ///   - segment: the segment, or as much of it as holds the first `moof`.
    package init(initialization: [UInt8], segment: [UInt8]) {
        let head = initialization.isEmpty ? segment : initialization
        guard let file = try? MP4File(source: MemorySource(head)) else { return }
        var boxes = MP4MemoryBoxes(segment[...])
        for _ in 0..<Self.boxesAtMost {
            guard let (type, content) = boxes.next() else { return }
            guard type == "moof" else { continue }
            read(content, file.tracks)
            return
        }
    }

    private mutating func read(_ fragment: ArraySlice<UInt8>, _ tracks: [MP4Track]) {
        var others: Timestamp?
        var boxes = MP4MemoryBoxes(fragment)
        while let (type, content) = boxes.next() {
            guard type == "traf", let start = FragmentTrackStart(content),
                let track = tracks.first(where: { $0.id == start.track }),
                let ticks = Int64(
                    exactly: Int128(start.decodeTime) + Int128(start.compositionOffset)
                        + Int128(track.edits.shift)),
                let time = Timestamp(ticks: ticks, timeBase: track.timeBase)
            else { continue }
            if ["vide", "soun"].contains(track.handler) {
                first = min(first ?? time, time)
            } else {
                others = min(others ?? time, time)
            }
        }
        first = first ?? others
    }
}
