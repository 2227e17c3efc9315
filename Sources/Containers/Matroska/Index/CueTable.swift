internal import MediaCore

/// The entries of the Cues element, or why there are none.
struct CueTable: Sendable {
    private var byTrack: [UInt64: [CueEntry]] = [:]
    /// A sentence if there is no index to be used.
    private(set) var problem: String?

    /// Reads the index.
    init(
        _ layout: SegmentLayout, window: SourceWindow, limits: Limits
    ) throws(MediaError) {
        let parts = layout.parts(.cues)
        guard !parts.isEmpty else {
            problem = "The file has no index."
            return
        }
        var entries: [CueEntry] = []
        for part in parts {
            let size = part.size ?? 0
            guard size <= UInt64(max(0, limits.headerSize)) else {
                problem = "The index has more than \(limits.headerSize) bytes."
                return
            }
            let data = try window.bytes(at: part.dataStart, count: Int(size))
            guard UInt64(data.count) == size else {
                problem = "The file ends within its index."
                return
            }
            guard let more = CueParser.parse(data, limit: limits.cues - entries.count) else {
                problem = "The index has more than \(limits.cues) entries."
                return
            }
            if entries.isEmpty { entries = more } else { entries += more }
        }
        if entries.isEmpty { problem = "The index is empty." }
        for entry in entries { byTrack[entry.track, default: []].append(entry) }
    }

    /// The offsets of all clusters that the index names, from the start of the segment's data.
    var clusters: Set<UInt64> { Set(byTrack.values.joined().lazy.map(\.cluster)) }

    /// The entries of a track.
    func entries(of track: UInt64) -> [CueEntry] { byTrack[track] ?? [] }
}
