public import UndertextCore
internal import UndertextFormats

/// Cuts cues into WebVTT segments at given boundaries.
///
/// RFC 8216, section 3.5: a segment has every cue that is shown during it, with its full times, so
/// that a cue is in each segment that it touches; without cues a segment has the
/// header alone. Each segment has all style sheets and regions, since players may begin with any.
public struct WebVTTSegmenter: Sendable {
    /// A segment to be made.
    public struct Slot: Hashable, Sendable {
        /// The start.
        public var start: Timestamp
        /// The end.
        public var end: Timestamp
        /// Its time map; `nil` for none.
        public var map: TimestampMap?

        /// Creates a slot.
        public init(start: Timestamp, end: Timestamp, map: TimestampMap? = nil) {
            self.start = start
            self.end = end
            self.map = map
        }
    }

    /// The initial writer of each segment, with the styles of all cues.
    private let writer: WebVTTWriter
    /// By start and order.
    private let cues: [Cue]
    /// The latest end among each cue and its predecessors, which determines where the search for a slot begins.
    private let latestEnds: [Timestamp]

    /// Creates a segmenter; images and empty texts are in no segment.
    public init(_ document: SubtitleDocument) {
        var header = document.header
        // Its time map and its title are those of another file.
        header.codecPrivate = []
        let cues = document.cues.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
        writer = WebVTTWriter(header: header, stylesOf: cues)
        self.cues = cues
        var latest = Timestamp(nanoseconds: .min)
        latestEnds = cues.map { cue in
            latest = max(latest, cue.end)
            return latest
        }
    }

    /// The cues that a slot shows, in order.
    public func cues(in slot: Slot) -> [Cue] {
        let first = latestEnds.partitioningIndex { $0 > slot.start }
        let last = cues.partitioningIndex { $0.start >= slot.end }
        guard first < last else { return [] }
        return cues[first..<last].filter { $0.end > slot.start }
    }

    /// The segment as a file, and what WebVTT could not carry.
    public func segment(_ slot: Slot) -> (bytes: [UInt8], losses: ConversionLosses) {
        var writer = writer
        var bytes: [UInt8] = []
        writer.begin(into: &bytes)
        if let map = slot.map, let end = bytes.firstIndex(of: 0x0A) {
            bytes.insert(contentsOf: map.line + [0x0A], at: end + 1)
        }
        for cue in cues(in: slot) { writer.write(cue, into: &bytes) }
        var rest: [UInt8] = []
        writer.finish(into: &rest)
        return (bytes + rest, writer.losses)
    }

    /// The cues that none of `slots` shows, which a player would miss.
    public func cuesOutside(_ slots: [Slot]) -> [Cue] {
        let ordered = slots.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var latest = Timestamp(nanoseconds: .min)
        let ends = ordered.map { slot in
            latest = max(latest, slot.end)
            return latest
        }
        return cues.filter { cue in
            let first = ends.partitioningIndex { $0 > cue.start }
            return !ordered[first...].prefix { $0.start < cue.end }.contains { $0.end > cue.start }
        }
    }
}
