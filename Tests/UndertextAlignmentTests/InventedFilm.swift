import TestSupport
import UndertextCore

/// The times of the cues of an invented film, and changed copies of them whose right times are known.
struct InventedFilm {
    /// A cue of a copy.
    struct Copy {
        var time: Range<Timestamp>
        /// The start that it should get.
        var truth: Timestamp
    }

    var times: [Range<Timestamp>] = []
    private var generator: SeededGenerator

    /// Scenes of dialogue with pauses between them.
    init(cues: Int, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        var time: Int64 = 20_000
        while times.count < cues {
            for _ in 0..<Int.random(in: 3...30, using: &generator) where times.count < cues {
                let length =
                    Int64.random(in: 800...2500, using: &generator)
                    + Int64.random(in: 0...2000, using: &generator)
                times.append(.milliseconds(time)..<(.milliseconds(time + length)))
                time += length + Int64.random(in: 40...900, using: &generator)
                if Int.random(in: 0..<5, using: &generator) == 0 {
                    time += Int64.random(in: 0...4000, using: &generator)
                }
            }
            time += Int64.random(in: 3000...20_000, using: &generator)
        }
    }

    /// A copy whose times the inverse of a retiming has moved.
    ///
    /// - Parameters:
    ///   - retiming: What the aligner should find, by the times of the copy.
    ///   - missing: The share of cues that are missing, in percent.
    ///   - split: The share of cues that are split, in percent.
    ///   - noise: The largest error of each boundary, in milliseconds.
    /// - Returns: The cues.
    mutating func copy(
        _ retiming: Retiming, missing: Int = 0, split: Int = 0, noise: Int64 = 0
    ) -> [Copy] {
        var copies: [Copy] = []
        for time in times {
            if Int.random(in: 0..<100, using: &generator) < missing { continue }
            var parts = [time]
            if Int.random(in: 0..<100, using: &generator) < split {
                let half = time.lowerBound.duration(to: time.upperBound) / 2
                let middle = time.lowerBound.advanced(by: half)
                parts = [time.lowerBound..<middle, middle..<time.upperBound]
            }
            for part in parts {
                let errors = (0..<2).map { _ in
                    Duration.milliseconds(Int64.random(in: -noise...noise, using: &generator))
                }
                let start = part.lowerBound.advanced(by: errors[0])
                let end = max(
                    part.upperBound.advanced(by: errors[1]), start.advanced(by: .milliseconds(100)))
                copies.append(
                    Copy(time: retiming.undone(at: start)..<retiming.undone(at: end), truth: start))
            }
        }
        return copies
    }
}

extension [InventedFilm.Copy] {
    /// The share of cues that a retiming brings to their right times, to a number of milliseconds.
    func share(within limit: Int64, by retiming: Retiming) -> Double {
        let right = filter {
            let error = retiming.applied(to: $0.time.lowerBound).duration(to: $0.truth)
            return error < .milliseconds(limit) && error > .milliseconds(-limit)
        }
        return Double(right.count) / Double(count)
    }
}
