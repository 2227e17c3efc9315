/// The best division of cues into segments that have one offset each.
///
/// Dynamic programming over the cues in order: the state is one of a few candidates of offsets, staying costs nothing, and
/// changing costs a penalty. The work is the number of cues times that of candidates.
struct SegmentSearch {
    /// The cues from one break to the next.
    struct Segment {
        var cues: Range<Int>
        /// The position of its offset among the candidates.
        var candidate: Int
    }

    let cues: CueBoundaries
    let reference: CueBoundaries
    let starts: BoundaryModel
    let ends: BoundaryModel
    /// The evidence that a break has to bring.
    let penalty: Float

    /// Finds the division with the most evidence, less the penalties.
    ///
    /// - Parameters:
    ///   - offsets: The candidates, at least one, in milliseconds.
    ///   - breaks: `false` for one segment.
    /// - Returns: The segments in order, and their evidence.
    func best(_ offsets: [Double], breaks: Bool) -> (segments: [Segment], evidence: Double) {
        let width = offsets.count
        let penalty = breaks ? penalty : .infinity
        let covered = reference.covered
        var nearestStart = offsets.map {
            NearestBoundary(reference.starts, from: (cues.starts.first ?? 0) + $0)
        }
        var nearestEnd = offsets.map {
            NearestBoundary(reference.sortedEnds, from: (cues.ends.first ?? 0) + $0)
        }
        var scores = [Double](repeating: 0, count: width)
        // A bit for each cue and candidate: the best way came from another candidate.
        let words = (width + 63) / 64
        var changed = [UInt64](repeating: 0, count: cues.count * words)
        var origins = [Int32](repeating: 0, count: cues.count)
        for cue in 0..<cues.count {
            let (start, end) = (cues.starts[cue], cues.ends[cue])
            var (best, origin) = (-Double.infinity, 0)
            for candidate in 0..<width where scores[candidate] > best {
                (best, origin) = (scores[candidate], candidate)
            }
            origins[cue] = Int32(origin)
            let entry = best - Double(penalty)
            for candidate in 0..<width {
                if cue > 0, scores[candidate] < entry {
                    scores[candidate] = entry
                    changed[cue * words + candidate >> 6] |= 1 << UInt64(candidate & 63)
                }
                let offset = offsets[candidate]
                // The reference says nothing about what lies beyond it.
                guard covered.contains(start + offset) else { continue }
                let distances = (
                    nearestStart[candidate].distance(to: start + offset, in: reference.starts),
                    nearestEnd[candidate].distance(to: end + offset, in: reference.sortedEnds)
                )
                scores[candidate] += Double(starts(distances.0) + ends(distances.1))
            }
        }
        var candidate = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        let evidence = scores[candidate]
        var segments: [Segment] = []
        var end = cues.count
        for cue in stride(from: cues.count - 1, through: 0, by: -1)
        where changed[cue * words + candidate >> 6] & (1 << UInt64(candidate & 63)) != 0 {
            segments.append(Segment(cues: cue..<end, candidate: candidate))
            (candidate, end) = (Int(origins[cue]), cue)
        }
        segments.append(Segment(cues: 0..<end, candidate: candidate))
        return (segments.reversed(), evidence)
    }
}

/// A position among ascending boundaries that follows ascending times.
struct NearestBoundary {
    private var next: Int

    /// Begins at a time.
    init(_ boundaries: [Double], from time: Double) {
        next = Self.search(boundaries, 0..<boundaries.count, time)
    }

    /// The first boundary that is not before `time`.
    private static func search(_ boundaries: [Double], _ range: Range<Int>, _ time: Double) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The distance from `time` to the nearest boundary.
    @inline(__always)
    mutating func distance(to time: Double, in boundaries: [Double]) -> Double {
        abs(difference(to: time, in: boundaries))
    }

    /// The nearest boundary less `time`; infinite if there is none.
    @inline(__always)
    mutating func difference(to time: Double, in boundaries: [Double]) -> Double {
        // Times mostly ascend slowly; where they do not, a search bounds the work.
        var steps = 0
        while next < boundaries.count, boundaries[next] < time {
            next += 1
            steps += 1
            if steps > 8 { next = Self.search(boundaries, next..<boundaries.count, time) }
        }
        while next > 0, boundaries[next - 1] >= time {
            next -= 1
            steps += 1
            if steps > 8 { next = Self.search(boundaries, 0..<next, time) }
        }
        var nearest = Double.infinity
        if next < boundaries.count { nearest = boundaries[next] - time }
        if next > 0, time - boundaries[next - 1] < abs(nearest) {
            nearest = boundaries[next - 1] - time
        }
        return nearest
    }
}
