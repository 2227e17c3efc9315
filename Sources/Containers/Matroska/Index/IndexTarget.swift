/// A block that the index names.
struct IndexTarget: Hashable, Sendable {
    /// The offset of the cluster in the source.
    var cluster: UInt64
    /// The block's offset from the start of the cluster's data.
    var relative: UInt64
    /// TrackNumber.
    var track: UInt64
    /// The block's time in ticks.
    var time: UInt64
    /// CueDuration in ticks.
    var duration: UInt64?

    /// Whether the block lies before `other` in the file.
    func precedes(_ other: IndexTarget) -> Bool {
        (cluster, relative, track) < (other.cluster, other.relative, other.track)
    }

    /// Whether both name the same block of the same track.
    func isSameBlock(as other: IndexTarget) -> Bool {
        cluster == other.cluster && relative == other.relative && track == other.track
    }
}

extension CueTable {
    /// The blocks of some tracks in the order of the file, each once.
    ///
    /// Entries without a place in their cluster are left out, and those beyond all numbers.
    func targets(tracks: Set<UInt64>, segment: UInt64) -> [IndexTarget] {
        var targets: [IndexTarget] = []
        for track in tracks {
            for entry in entries(of: track) {
                let (cluster, overflow) = segment.addingReportingOverflow(entry.cluster)
                guard let relative = entry.relative, !overflow else { continue }
                targets.append(
                    IndexTarget(
                        cluster: cluster, relative: relative, track: track, time: entry.time,
                        duration: entry.duration))
            }
        }
        targets.sort { $0.precedes($1) }
        // In place: there may be a million of them.
        var kept = 0
        for place in targets.indices
        where place == 0 || !targets[place].isSameBlock(as: targets[kept - 1]) {
            targets[kept] = targets[place]
            kept += 1
        }
        targets.removeSubrange(kept...)
        return targets
    }
}
