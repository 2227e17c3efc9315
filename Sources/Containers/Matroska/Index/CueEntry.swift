internal import MediaCore

/// Where a block of a track lies, as the Cues element says (RFC 9559, section 5.1.5).
struct CueEntry: Hashable, Sendable {
    /// The block's time in ticks of the segment.
    var time: UInt64
    /// TrackNumber.
    var track: UInt64
    /// The cluster's offset from the start of the segment's data.
    var cluster: UInt64
    /// The block's offset from the start of the cluster's data.
    var relative: UInt64?
    /// Ticks; `nil` if it is not stated.
    var duration: UInt64?

    /// The entries of a Cues element; `nil` if there are more than `limit`.
    static func parse(_ data: ArraySlice<UInt8>, limit: Int) -> [CueEntry]? {
        var entries: [CueEntry] = []
        for point in ElementCursor(data) where point.id == .cuePoint {
            var time: UInt64?
            let first = entries.count
            for child in point.children {
                if child.id == .cueTime { time = child.unsigned }
                guard child.id == .cueTrackPositions, let entry = CueEntry(child) else { continue }
                guard entries.count < limit else { return nil }
                entries.append(entry)
            }
            if let time {
                for place in first..<entries.count { entries[place].time = time }
            } else {
                entries.removeSubrange(first...)
            }
        }
        return entries
    }

    private init?(_ positions: Element) {
        var track: UInt64?
        var cluster: UInt64?
        for child in positions.children {
            switch child.id {
            case .cueTrack: track = child.unsigned
            case .cueClusterPosition: cluster = child.unsigned
            case .cueRelativePosition: relative = child.unsigned
            case .cueDuration: duration = child.unsigned
            default: break
            }
        }
        guard let track, let cluster else { return nil }
        time = 0
        self.track = track
        self.cluster = cluster
    }
}
