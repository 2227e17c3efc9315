package import UndertextCore

/// Finds the times of a subtitle that fit a reference: another subtitle, or speech.
///
/// 1. Every usual change of speed gets a histogram of the differences between starts. The best few go on.
/// 2. Peaks of the histograms of the whole and of its parts are the candidates of offsets.
/// 3. Dynamic programming divides the cues into segments with one candidate each, for a penalty per break.
/// 4. Offsets become those that explain the distances best, and the distances adapt the model of what is near.
/// 5. A drift that is left is a change of speed of another size.
package struct CueAligner {
    let subtitle: CueBoundaries
    let reference: CueBoundaries
    let options: AlignmentOptions
    /// `true` if the reference has so few cues that they are searched in the subtitle.
    let isReversed: Bool

    /// The number of cues that each side needs.
    package static let leastCount = 3

    /// Differences that one histogram takes at most; of longer inputs every second, third, … cue votes.
    private static let votesAtMost = 3_000_000
    /// Cues of the parts that have a histogram of their own.
    private static let cuesOfPart = 48
    private static let partsAtMost = 96
    /// Scores of the division: with more cues there are fewer candidates.
    private static let scoresAtMost = 16_000_000
    /// Cues by which speeds are compared.
    private static let cuesOfRating = 3000

    /// Prepares for two lists of intervals, in any order.
    package init(
        _ subtitle: [Range<Timestamp>], to reference: [Range<Timestamp>],
        options: AlignmentOptions = AlignmentOptions()
    ) {
        self.subtitle = CueBoundaries(subtitle)
        self.reference = CueBoundaries(reference)
        self.options = options
        isReversed = self.reference.count * 2 < self.subtitle.count
    }

    /// Finds the best alignment, however unsure it is.
    ///
    /// - Returns: The alignment, or `nil` if a side has too few cues to compare.
    package func align() -> Alignment? {
        guard subtitle.count >= Self.leastCount, reference.count >= Self.leastCount else {
            return nil
        }
        guard var best = best(candidatesOfSpeed()) else { return nil }
        guard case .automatic = options.speeds else { return result(best) }
        if confidence(best) < 0.9 {
            // An arbitrary factor is one of many.
            if let free = self.best(freeSpeeds()), free.evidence > best.evidence + 12 {
                best = free
            }
        }
        for _ in 0..<3 {
            guard let drift = drift(of: best) else { break }
            let corrected = attempt(Self.usual(best.factor * drift))
            guard corrected.evidence > best.evidence + 4 else { break }
            best = corrected
        }
        return result(best)
    }

    // MARK: Speeds

    private var offsets: ClosedRange<Double> {
        let largest = Double(options.largestOffset.nanoseconds128) / 1e6
        let bounded = min(max(largest, 100), 24 * 3_600_000)
        return -bounded...bounded
    }

    /// The distance of the cues that vote.
    private func stride(factor: Double) -> Int {
        var (first, last, pairs) = (0, 0, 0)
        for start in subtitle.starts {
            let origin = start * factor
            while first < reference.count, reference.starts[first] < origin + offsets.lowerBound {
                first += 1
            }
            while last < reference.count, reference.starts[last] <= origin + offsets.upperBound {
                last += 1
            }
            pairs += last - first
        }
        return pairs / Self.votesAtMost + 1
    }

    /// The speeds that look best, as factors.
    private func candidatesOfSpeed() -> [Double] {
        if case .fixed(let speed) = options.speeds {
            return [Double(speed.numerator) / Double(speed.denominator)]
        }
        let usual = best(
            of: FrameRateChange.usual.map(\.factor), in: subtitle.starts[...], count: 4,
            binWidth: 40)
        return [1] + usual
    }

    /// Arbitrary speeds that look best by the middle of the subtitle.
    private func freeSpeeds() -> [Double] {
        let count = min(subtitle.count, 240)
        let begin = (subtitle.count - count) / 2
        let part = subtitle.starts[begin..<begin + count]
        let span = max(1, (part.last ?? 0) - (part.first ?? 0))
        // Over the part the error of the speed is at most 250 ms; the drift that it leaves is found later.
        let step = min(max(500 / span, 1e-4), 0.01)
        let factors = Swift.stride(from: 0.8, through: 1.26, by: step).map { $0 }
        return best(of: factors, in: part, count: 3, binWidth: 160)
    }

    private func best(
        of factors: [Double], in starts: ArraySlice<Double>, count: Int, binWidth: Double
    ) -> [Double] {
        let step = stride(factor: 1)
        var votes = OffsetVotes(offsets, binWidth: binWidth)
        let rated = factors.map { factor in
            votes.reset()
            votes.add(starts, reference.starts, factor: factor, stride: step)
            return (factor: factor, excess: votes.peaks(1, least: 0).first?.excess ?? 0)
        }
        return rated.sorted { $0.excess > $1.excess }.prefix(count).map(\.factor)
    }

    // MARK: One speed

    /// The result for one speed.
    struct Attempt {
        var factor: Double
        var segments: [(cues: Range<Int>, offset: Double)]
        /// The evidence, less the penalties.
        var evidence: Double
        var matched: [Int]
        /// The share of cues that match at arbitrary offsets.
        var chance: Double
        /// The differences that are left between the starts of each segment.
        var differences: [[Double]]
        /// The cues that were searched: those of the reference if it has few.
        var observed: CueBoundaries
    }

    /// The best attempt of the two speeds that explain the middle of the subtitle best.
    private func best(_ factors: [Double]) -> Attempt? {
        guard factors.count > 1 else { return factors.first.map(attempt) }
        let rated = factors.map { factor in
            let (observed, other) = sides(factor)
            let count = min(observed.count, Self.cuesOfRating)
            let begin = (observed.count - count) / 2
            let part = observed.part(begin..<begin + count)
            let model = models(part, other)
            let search = SegmentSearch(
                cues: part, reference: other, starts: model.starts, ends: model.ends,
                penalty: Float(penalty(part)))
            let found = search.best(candidates(part, other), breaks: options.allowsBreaks)
            // Most subtitles have the right speed.
            return (factor: factor, evidence: found.evidence + (factor == 1 ? 4 : 0))
        }
        return rated.sorted { $0.evidence > $1.evidence }.prefix(2).map { attempt($0.factor) }
            .max { $0.evidence < $1.evidence }
    }

    /// The usual factor that a factor differs from by some milliseconds an hour, otherwise the factor.
    private static func usual(_ factor: Double) -> Double {
        ([1] + FrameRateChange.usual.map(\.factor)).first { abs(factor / $0 - 1) < 2e-6 } ?? factor
    }

    /// The side whose cues are searched in the other one.
    private func sides(_ factor: Double) -> (observed: CueBoundaries, other: CueBoundaries) {
        let scaled = subtitle.scaled(by: factor)
        return isReversed ? (reference, scaled) : (scaled, reference)
    }

    private func attempt(_ factor: Double) -> Attempt {
        let (observed, other) = sides(factor)
        var model = models(observed, other)
        var candidates = candidates(observed, other)
        var found: (segments: [SegmentSearch.Segment], evidence: Double) = ([], 0)
        for round in 0..<3 {
            let search = SegmentSearch(
                cues: observed, reference: other, starts: model.starts, ends: model.ends,
                penalty: Float(penalty(observed)))
            found = search.best(candidates, breaks: options.allowsBreaks)
            if round == 2 { break }
            let distances = distances(found.segments, candidates, observed, other)
            model.starts.adapt(to: distances.starts.flatMap { $0 }.map(abs))
            model.ends.adapt(to: distances.ends.flatMap { $0 }.map(abs))
            let refined = found.segments.indices.map { index in
                candidates[found.segments[index].candidate]
                    + correction(distances.starts[index], distances.ends[index], model)
            }
            // What was found competes with what it came from; neighbors with one offset become one segment.
            candidates = round == 0 ? distinct(refined + candidates) : distinct(refined)
        }
        var differences = distances(found.segments, candidates, observed, other).starts
        var segments = found.segments.map { (cues: $0.cues, offset: candidates[$0.candidate]) }
        for index in segments.indices {
            let center = Self.center(of: differences[index])
            segments[index].offset += center
            for cue in differences[index].indices { differences[index][cue] -= center }
        }
        return Attempt(
            factor: factor, segments: segments, evidence: found.evidence,
            matched: differences.map { $0.count { abs($0) < 500 } },
            chance: model.starts.chanceOfMatch, differences: differences, observed: observed)
    }

    /// The mean of the differences that belong together, near zero.
    private static func center(of differences: [Double]) -> Double {
        let near = differences.filter { abs($0) < 450 }
        guard near.count >= 3 else { return 0 }
        var center = 0.0
        for _ in 0..<4 {
            let deviations = near.map { abs($0 - center) }.sorted()
            let reach = (deviations[deviations.count / 2] * 2.5).clamped(to: 8...400)
            center = near.filter { abs($0 - center) <= reach }.mean
        }
        return center.clamped(to: -100...100)
    }

    /// A break must explain more than the choice of its position and of its offset.
    private func penalty(_ observed: CueBoundaries) -> Double {
        let penalty = 14 + 0.5 * Double(observed.count).squareRoot().clamped(to: 0...20)
        // Among the many boundaries of speech, some offset suits any part by chance.
        return options.reference == .speech ? 2.5 * penalty : penalty
    }

    /// The candidates of offsets: peaks of the whole and of its parts.
    private func candidates(_ observed: CueBoundaries, _ other: CueBoundaries) -> [Double] {
        let limit = max(8, min(96, Self.scoresAtMost / max(1, observed.count)))
        let step = stride(factor: 1)
        var votes = OffsetVotes(offsets)
        votes.add(observed.starts[...], other.starts, factor: 1, stride: step)
        var peaks = votes.peaks(16, least: 0)
        if options.allowsBreaks, observed.count > Self.cuesOfPart {
            let size = max(Self.cuesOfPart, observed.count / Self.partsAtMost)
            for begin in Swift.stride(from: 0, to: observed.count, by: size) {
                votes.reset()
                let end = min(observed.count, begin + size)
                votes.add(
                    observed.starts[max(0, end - size)..<end], other.starts, factor: 1, stride: step
                )
                peaks += votes.peaks(3, least: 2)
            }
        }
        peaks.sort { $0.excess > $1.excess }
        return Array(distinct(peaks.map(\.offset)).prefix(limit))
    }

    /// Leaves out offsets that are near one before them.
    private func distinct(_ offsets: [Double]) -> [Double] {
        var kept: [Double] = []
        for offset in offsets where !kept.contains(where: { abs($0 - offset) < 60 }) {
            kept.append(offset)
        }
        return kept.isEmpty ? [0] : kept
    }

    /// Models with the distances at arbitrary offsets.
    private func models(
        _ observed: CueBoundaries, _ other: CueBoundaries
    ) -> (starts: BoundaryModel, ends: BoundaryModel) {
        var (starts, ends): ([Double], [Double]) = ([], [])
        let rounds = min(64, 20_000 / max(1, observed.count) + 1)
        let step = max(1, observed.count / 20_000)
        let (begin, span) = (other.starts[0], max(other.span, 1))
        for round in 0..<rounds {
            // Times beyond the end begin again, so that what overlaps is always compared.
            let shift =
                span * (Double(round) * 0.618_033_988_75 + 0.31).truncatingRemainder(dividingBy: 1)
            var nearest = NearestBoundary(other.starts, from: begin)
            var nearestEnd = NearestBoundary(other.sortedEnds, from: begin)
            for cue in Swift.stride(from: 0, to: observed.count, by: step) {
                let moved =
                    (observed.starts[cue] - observed.starts[0] + shift)
                    .truncatingRemainder(dividingBy: span) + begin
                starts.append(nearest.distance(to: moved, in: other.starts))
                let length = observed.ends[cue] - observed.starts[cue]
                ends.append(nearestEnd.distance(to: moved + length, in: other.sortedEnds))
            }
        }
        return (
            BoundaryModel(chance: starts, weights: [0.2, 0.2, 0.3, 0.3]),
            BoundaryModel(chance: ends, weights: [0.1, 0.1, 0.25, 0.55])
        )
    }

    /// The differences of the boundaries of each segment.
    private func distances(
        _ segments: [SegmentSearch.Segment], _ offsets: [Double], _ observed: CueBoundaries,
        _ other: CueBoundaries
    ) -> (starts: [[Double]], ends: [[Double]]) {
        var found: (starts: [[Double]], ends: [[Double]]) = ([], [])
        for segment in segments {
            let offset = offsets[segment.candidate]
            var nearest = NearestBoundary(
                other.starts, from: observed.starts[segment.cues.lowerBound] + offset)
            var nearestEnd = NearestBoundary(
                other.sortedEnds, from: observed.ends[segment.cues.lowerBound] + offset)
            found.starts.append(
                segment.cues.map {
                    nearest.difference(to: observed.starts[$0] + offset, in: other.starts)
                })
            found.ends.append(
                segment.cues.map {
                    nearestEnd.difference(to: observed.ends[$0] + offset, in: other.sortedEnds)
                })
        }
        return found
    }

    /// The change of an offset that explains the differences best.
    private func correction(
        _ starts: [Double], _ ends: [Double], _ model: (starts: BoundaryModel, ends: BoundaryModel)
    ) -> Double {
        // A million differences say no more than some thousands.
        let step = max(1, starts.count / 4000)
        func evidence(_ change: Double) -> Double {
            var sum = 0.0
            for index in Swift.stride(from: 0, to: starts.count, by: step) {
                sum += Double(
                    model.starts(abs(starts[index] - change))
                        + model.ends(abs(ends[index] - change)))
            }
            return sum
        }
        var best = (change: 0.0, evidence: evidence(0))
        for width in [20.0, 4.0] {
            let center = best.change
            let reach = width == 20 ? 15 : 6
            for index in -reach...reach {
                let change = center + Double(index) * width
                let found = evidence(change)
                if found > best.evidence { best = (change, found) }
            }
        }
        return best.change
    }
}

extension [Double] {
    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

    /// The number of values below `value`, if they ascend.
    func position(of value: Double) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
