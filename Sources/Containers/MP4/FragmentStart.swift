public import MediaCore

/// When the first fragment of a segment begins, by its `tfdt` boxes.
///
/// ISO/IEC 14496-12, section 8.8.12. Times of decoding; edit lists are not applied.
public struct FragmentStart: Sendable {
    /// The earliest beginning of a track of sound or pictures; of any track if there is none.
    public private(set) var first: Timestamp?

    /// Boxes of a segment that are looked at.
    private static let boxesAtMost = 10_000

    /// Looks at a segment.
    ///
    /// - Parameters:
    ///   - initialization: `moov`, which tells the units; empty if the segment has it.
    ///   - segment: the segment, or as much of it as holds the first `moof`.
    public init(initialization: [UInt8], segment: [UInt8]) {
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
            guard type == "traf", let (id, ticks) = Self.start(content),
                let track = tracks.first(where: { $0.id == id }),
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

    /// The track and the time of a `traf`.
    private static func start(_ content: ArraySlice<UInt8>) -> (track: Int64, ticks: Int64)? {
        var track: Int64?
        var ticks: Int64?
        var boxes = MP4MemoryBoxes(content)
        while let (type, content) = boxes.next() {
            if type == "tfhd" {
                var reader = ByteReader(content)
                if reader.skip(4) { track = reader.uint32().map(Int64.init) }
            }
            if type == "tfdt" { ticks = MP4Fragment.decodeTime(content) }
        }
        guard let track, let ticks else { return nil }
        return (track, ticks)
    }
}
