import UndertextRendering

/// Measures lookups in timelines of 10³ to 10⁶ cues with a few on screen at any time.
///
/// O(log n + k) means: ten times the cues cost a little more.
enum LookupCase {
    static func run() {
        for shown in [Int64(1), 8] {
            for count in [1000, 10_000, 100_000, 1_000_000] { ask(count: count, shown: shown) }
        }
    }

    private static func ask(count: Int, shown: Int64) {
        let timeline = timeline(count: count, shown: shown)
        var generator = Seeded(state: 2)
        let times = (0..<20_000).map { _ in
            Timestamp.milliseconds(Int64.random(in: 0..<Int64(count) * 1000, using: &generator))
        }
        var (lookup, next, walk) = (Timings(), Timings(), Timings())
        var found = 0
        for _ in 0..<25 {
            found = 0
            lookup.measure(of: times.count) {
                for time in times { found += timeline.cues(at: time).count }
            }
            next.measure(of: times.count) {
                for time in times where timeline.nextChange(after: time) == nil { found += 1 }
            }
        }
        let few = times.prefix(max(3, 2_000_000 / count))
        for _ in 0..<3 {
            walk.measure(of: few.count) {
                for time in few {
                    for cue in timeline.cues where cue.start <= time && time < cue.end {
                        found += 1
                    }
                }
            }
        }
        let visible = times.reduce(0) { $0 + timeline.cues(at: $1).count }
        for (name, timings) in [("lookup", lookup), ("next", next), ("walk", walk)] {
            timings.tell(
                "\(name)-\(shown)-\(count)", Double(visible) / Double(times.count), Double(found))
        }
    }

    /// A cue a second; each lasts so long that `shown` of them are on screen on average.
    private static func timeline(count: Int, shown: Int64) -> CueTimeline {
        var generator = Seeded(state: 1)
        return CueTimeline(
            (0..<count).map { order in
                let start = Int64(order) * 1000 + Int64.random(in: 0..<1000, using: &generator)
                let length = Int64.random(in: 1..<2000 * shown, using: &generator)
                return Cue(
                    order: order, start: .milliseconds(start), end: .milliseconds(start + length),
                    content: .text(StyledText("cue \(order)")))
            })
    }
}

/// Numbers that are the same on every run (SplitMix64).
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
