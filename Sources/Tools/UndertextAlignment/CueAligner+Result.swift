internal import UndertextCore

extension CueAligner {
    // MARK: Drift

    /// The change of speed that is left; `nil` if it is too small to matter.
    func drift(of attempt: Attempt) -> Double? {
        var (sumXX, sumXY, sumYY, count) = (0.0, 0.0, 0.0, 0)
        for (segment, differences) in zip(attempt.segments, attempt.differences) {
            let near = differences.indices.filter { abs(differences[$0]) < 400 }
            guard near.count > 8 else { continue }
            let times = near.map { attempt.observed.starts[segment.cues.lowerBound + $0] }
            let (meanX, meanY) = (times.mean, near.map { differences[$0] }.mean)
            for (time, index) in zip(times, near) {
                let (x, y) = (time - meanX, differences[index] - meanY)
                sumXX += x * x
                sumXY += x * y
                sumYY += y * y
            }
            count += near.count
        }
        guard count > 16, sumXX > 0 else { return nil }
        let slope = sumXY / sumXX
        let residual = max(0, sumYY - slope * sumXY) / Double(count)
        let error = (residual / sumXX).squareRoot()
        guard abs(slope) > 4 * error, abs(slope) * attempt.observed.span > 60 else { return nil }
        return isReversed ? 1 / (1 + slope) : 1 + slope
    }

    // MARK: The result

    func confidence(_ attempt: Attempt) -> Double {
        let matched = Double(attempt.matched.reduce(0, +))
        return Confidence.probability(
            with: options.reference, evidence: attempt.evidence,
            share: matched / Double(attempt.observed.count), chance: attempt.chance)
    }

    func result(_ attempt: Attempt) -> Alignment {
        let scaled = subtitle.scaled(by: attempt.factor)
        let positions =
            isReversed ? breaksOfReversed(attempt, scaled) : attempt.segments.map(\.cues.lowerBound)
        var segments: [Alignment.Segment] = []
        for (index, segment) in attempt.segments.enumerated() {
            let end = index + 1 < positions.count ? positions[index + 1] : scaled.count
            segments.append(
                Alignment.Segment(
                    from: index == 0
                        ? timestamp(subtitle.starts[0]) : position(before: positions[index]),
                    to: end < scaled.count
                        ? position(before: end) : timestamp(subtitle.ends.max() ?? 0),
                    offset: .nanoseconds(
                        Int64(((isReversed ? -segment.offset : segment.offset) * 1e6).rounded())),
                    cues: segment.cues.count, matched: attempt.matched[index]))
        }
        var alignment = Alignment(
            speed: speed(attempt.factor), segments: segments, confidence: confidence(attempt),
            evidence: attempt.evidence, chance: attempt.chance)
        let covered = reference.covered
        for (index, position) in positions.enumerated() {
            let offset = Double(segments[index].offset.nanoseconds128) / 1e6
            var next = Double.infinity
            if index + 1 < positions.count {
                let first = scaled.starts[positions[index + 1]]
                next = first + Double(segments[index + 1].offset.nanoseconds128) / 1e6
            }
            let end = index + 1 < positions.count ? positions[index + 1] : scaled.count
            for cue in position..<max(position, end) {
                let start = scaled.starts[cue] + offset
                if start >= next { alignment.displaced += 1 }
                if !covered.contains(start) { alignment.uncovered += 1 }
            }
        }
        return alignment
    }

    private func timestamp(_ milliseconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((milliseconds * 1e6).rounded()))
    }

    /// A time between the cue and what ends before it, if there is room.
    private func position(before cue: Int) -> Timestamp {
        let start = subtitle.starts[cue]
        guard cue > 0 else { return timestamp(start) }
        let end = min(max(subtitle.ends[cue - 1], subtitle.starts[cue - 1]), start)
        // A microsecond earlier, so that rounding never leaves the cue behind.
        return timestamp((start + end) / 2 - 0.001)
    }

    /// The first cues of the segments, whose observed cues are those of the reference.
    private func breaksOfReversed(_ attempt: Attempt, _ scaled: CueBoundaries) -> [Int] {
        var positions = [0]
        for (segment, next) in zip(attempt.segments, attempt.segments.dropFirst()) {
            let last = reference.starts[segment.cues.upperBound - 1] + segment.offset
            let first = reference.starts[next.cues.lowerBound] + next.offset
            // The longest pause between both is where something may have been cut.
            var cue = min(max(1, scaled.starts.position(of: first - 500)), scaled.count - 1)
            var longest = -1.0
            let between = max(1, scaled.starts.position(of: last + 1))
            for candidate in between..<max(between, cue + 1) where candidate < scaled.count {
                let pause = scaled.starts[candidate] - scaled.ends[candidate - 1]
                if pause > longest { (longest, cue) = (pause, candidate) }
            }
            positions.append(max(cue, positions[positions.count - 1]))
        }
        return positions
    }

    /// A factor as a fraction, which is exact for a stated and for a usual change.
    private func speed(_ factor: Double) -> TimeBase {
        if case .fixed(let speed) = options.speeds { return speed }
        if factor == 1 { return TimeBase(1, 1) }
        if let usual = FrameRateChange.usual.first(where: { $0.factor == factor }) {
            return usual.speed
        }
        return TimeBase(Int32(min(max(factor * 100_000_000, 1), 2e9).rounded()), 100_000_000)
    }
}
