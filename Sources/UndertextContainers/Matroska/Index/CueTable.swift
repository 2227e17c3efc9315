internal import UndertextCore

/// The entries of the Cues element, or why there are none.
struct CueTable: Sendable {
    private var byTrack = TrackTable<[CueEntry]>()
    /// A sentence if there is no index to be used.
    private(set) var problem: String?
    /// `true` if a checksum confirms the index.
    private(set) var isChecked = true

    /// Reads the index of a file that describes `tracks`.
    init(
        _ layout: SegmentLayout, tracks: Set<UInt64>, window: SourceWindow, limits: Limits
    ) throws(UndertextError) {
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
            let data = try window.bytes(
                at: part.dataStart, count: Int(size), ahead: Int(size) + ElementPrefix.maximumLength
            )
            guard UInt64(data.count) == size else {
                problem = "The file ends within its index."
                return
            }
            do throws(CueParser.Failure) {
                let more = try CueParser.parse(data, limit: limits.cues - entries.count)
                if entries.isEmpty { entries = more } else { entries += more }
            } catch {
                switch error {
                case .tooManyEntries: problem = "The index has more than \(limits.cues) entries."
                case .damage(let offset):
                    problem = "The index is damaged, at byte \(part.dataStart + UInt64(offset))."
                }
                return
            }
            let checksum = Checksum(of: data)
            isChecked = isChecked && checksum == .right
            guard checksum != .wrong else {
                problem = "The index is damaged: its checksum is wrong."
                return
            }
            // A size that damage made smaller cuts off entries.
            guard try Self.isPart(at: part.dataStart + size, of: layout, window) else {
                problem = "The size of the index is wrong."
                return
            }
        }
        if entries.isEmpty { problem = "The index is empty." }
        for entry in entries {
            let place = byTrack.place(of: entry.track, inserting: [])
            byTrack[place].append(entry)
        }
        if let unknown = self.tracks.filter({ !tracks.contains($0) }).min() {
            problem = "The index lists track \(unknown), which the file does not describe."
        }
    }

    /// Returns `true` if the segment ends there, or another top-level element begins.
    private static func isPart(
        at position: UInt64, of layout: SegmentLayout, _ window: SourceWindow
    ) throws(UndertextError) -> Bool {
        guard position < layout.end else { return true }
        let header = try window.element(at: position, before: layout.end)
        return header?.id.belongsToSegment ?? layout.isCutOff
    }

    /// The offsets of all clusters that the index names, from the start of the segment's data, in ascending order.
    var clusters: [UInt64] {
        var clusters: [UInt64] = []
        // Most entries name the cluster of the one before, and most clusters of a track are in order.
        for (_, entries) in byTrack.values {
            for entry in entries where entry.cluster != clusters.last {
                clusters.append(entry.cluster)
            }
        }
        clusters.sort()
        return clusters.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The entries of a track.
    func entries(of track: UInt64) -> [CueEntry] {
        byTrack.place(of: track).map { byTrack[$0] } ?? []
    }

    /// The tracks that have entries.
    var tracks: Set<UInt64> { Set(byTrack.values.lazy.map(\.track)) }
}
