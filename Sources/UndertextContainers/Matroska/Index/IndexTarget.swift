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
    /// `true` if it belongs to a track that is not read, and is examined only because damage may have
    /// made it of an entry of one that is.
    var isWitness = false

    /// Creates the target of an index entry; `nil` if its position is missing or not representable.
    init?(_ entry: CueEntry, segment: UInt64) {
        let (cluster, overflow) = segment.addingReportingOverflow(entry.cluster)
        guard let relative = entry.relative, !overflow else { return nil }
        self.cluster = cluster
        self.relative = relative
        track = entry.track
        time = entry.time
        duration = entry.duration
    }

    /// `true` if the block lies before `other` in the file.
    func precedes(_ other: IndexTarget) -> Bool {
        (cluster, relative, track) < (other.cluster, other.relative, other.track)
    }

    /// `true` if both name the same block of the same track.
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
        let lists = tracks.map { entries(of: $0) }
        targets.reserveCapacity(lists.reduce(0) { $0 + $1.count })
        var isSorted = true
        for entry in lists.joined() {
            guard let target = IndexTarget(entry, segment: segment) else { continue }
            if isSorted, let last = targets.last, target.precedes(last) { isSorted = false }
            targets.append(target)
        }
        if !isSorted { targets.sort { $0.precedes($1) } }
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

    /// The number of ``targets(tracks:segment:)`` of one track.
    func targetCount(of track: UInt64, segment: UInt64) -> Int {
        var count = 0
        var last: IndexTarget?
        for entry in entries(of: track) {
            guard let target = IndexTarget(entry, segment: segment) else { continue }
            // Out of order, only sorting shows which are the same.
            if let last {
                if target.precedes(last) {
                    return targets(tracks: [track], segment: segment).count
                }
                if target.isSameBlock(as: last) { continue }
            }
            count += 1
            last = target
        }
        return count
    }

    /// Blocks of tracks that are not read, which may be those of `unproven` tracks in truth.
    ///
    /// Nothing but a number says whose entry it is. One flipped bit makes another track's of it, and
    /// its block would be lost unless something looks at whose block lies there. Entries state a
    /// duration if their track's blocks have one, so that those of images and sound are rarely looked at.
    func witnesses(
        for unproven: Set<UInt64>, besides chosen: Set<UInt64>, segment: UInt64
    ) -> [IndexTarget] {
        let withoutDuration = unproven.filter { track in
            entries(of: track).contains { $0.duration == nil }
        }
        var targets: [IndexTarget] = []
        for track in tracks.subtracting(chosen) {
            func isNear(_ other: UInt64) -> Bool { (other ^ track).nonzeroBitCount == 1 }
            guard unproven.contains(where: isNear) else { continue }
            let isAnyone = withoutDuration.contains(where: isNear)
            for entry in entries(of: track) where isAnyone || entry.duration != nil {
                guard var target = IndexTarget(entry, segment: segment) else { continue }
                target.isWitness = true
                targets.append(target)
            }
        }
        return targets
    }
}
