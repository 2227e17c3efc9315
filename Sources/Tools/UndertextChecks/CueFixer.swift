package import UndertextCore
internal import UndertextFormats

/// Repairs the faults that have one right repair: order, empty cues, overlaps, short cues, tags.
///
/// Starts and text never change. Cues that begin together at one position stay as they are.
package struct CueFixer {
    /// A cue that is kept.
    package struct FixedCue: Hashable, Sendable {
        /// The number of the cue in the file, from 1.
        package var number: Int
        /// The end.
        package var end: Timestamp
        /// `true` if its tags have to be written again.
        package var needsTags: Bool
    }

    /// The repaired cues of a track.
    package struct Result: Hashable, Sendable {
        /// The cues in their new order.
        package var cues: [FixedCue] = []
        /// The number of repaired cues by rule.
        package var counts: [CheckRule: Int] = [:]
    }

    private var check: TrackCheck
    /// The unit of times in the output, in nanoseconds.
    private let unit: Int64

    /// Creates a fixer.
    ///
    /// - Parameters:
    ///   - profile: The profile; rules that are off repair nothing.
    ///   - track: The track.
    ///   - unit: The unit of times in the output, such as 10 ms in scripts.
    package init(
        _ profile: CheckProfile, of track: TrackCheck.Track, unit: Duration = .milliseconds(1)
    ) {
        check = TrackCheck(profile, of: track)
        self.unit = max(1, Int64(clamping: unit.nanoseconds128))
    }

    /// Repairs the cues of a track.
    package mutating func fixed(_ cues: [CheckedCue]) -> Result {
        var result = Result()
        var kept = cues.sorted { $0.number < $1.number }
        if check.setting(.emptyCue) != nil {
            kept.removeAll(where: \.isEmpty)
            result.note(.emptyCue, cues.count - kept.count)
        }
        if check.setting(.order) != nil {
            let late = zip(kept, kept.dropFirst()).count { $1.cue.start < $0.cue.start }
            result.note(.order, late)
        }
        // Writers need the order in any case.
        kept.sort { ($0.cue.start, $0.number) < ($1.cue.start, $1.number) }
        trim(&kept, &result)
        extend(&kept, &result)
        result.cues = kept.map { cue in
            FixedCue(
                number: cue.number, end: cue.cue.end, needsTags: needsTags(cue))
        }
        result.note(.unbalancedTags, result.cues.count(where: \.needsTags))
        return result
    }

    /// The gap that a repaired end keeps from the next start.
    private var gap: Int64 {
        mutating get {
            check.setting(.minGap).flatMap { check.milliseconds($0) }.map { Int64($0 * 1e6) } ?? 0
        }
    }

    /// Ends a cue that overlaps the next one at its position when that one begins, less the minimum gap.
    private mutating func trim(_ cues: inout [CheckedCue], _ result: inout Result) {
        guard check.setting(.overlap) != nil else { return }
        let gap = gap
        var starts: [CueLayout: NextStart] = [:]
        var count = 0
        for index in cues.indices.reversed() {
            let cue = cues[index].cue
            let next = starts[cue.layout, default: NextStart()].next(after: cue.start)
            guard let next, cue.end > next, cue.end > cue.start else { continue }
            let wanted = rounded(next.advanced(by: .nanoseconds(-gap)))
            cues[index].cue.end = wanted > cue.start ? wanted : next
            count += 1
        }
        result.note(.overlap, count)
    }

    /// Extends a short cue up to the start of the next one at any position, less the minimum gap.
    private mutating func extend(_ cues: inout [CheckedCue], _ result: inout Result) {
        let gap = gap
        var starts = NextStart()
        var count = 0
        for index in cues.indices.reversed() {
            let cue = cues[index]
            let next = starts.next(after: cue.cue.start)
            guard cue.milliseconds > 0,
                let entry = check.settings(for: check.script(of: cue))[.minDuration],
                let limit = check.milliseconds(entry), cue.milliseconds.rounded() < limit
            else { continue }
            var end = rounded(
                cue.cue.start.advanced(by: .nanoseconds(Int64(limit * 1e6) + unit - 1)))
            if let next { end = min(end, rounded(next.advanced(by: .nanoseconds(-gap)))) }
            guard end > cue.cue.end else { continue }
            cues[index].cue.end = end
            count += 1
        }
        result.note(.minDuration, count)
    }

    private mutating func needsTags(_ cue: CheckedCue) -> Bool {
        guard check.setting(.unbalancedTags) != nil, let source = cue.cue.source else {
            return false
        }
        // A brace that nothing closes is text in scripts.
        if case .ass = source { return false }
        return !source.unbalancedTags.isEmpty
    }

    /// The last time at or before a time that the output can state.
    private func rounded(_ time: Timestamp) -> Timestamp {
        let rest = time.nanoseconds % unit
        let (rounded, overflow) = time.nanoseconds.subtractingReportingOverflow(
            rest < 0 ? rest + unit : rest)
        return overflow ? time : Timestamp(nanoseconds: rounded)
    }
}

/// The starts that follow, as cues are visited from the last one on.
private struct NextStart {
    private var latest: Timestamp?
    private var later: Timestamp?

    /// Adds a start, and returns the next one after it.
    mutating func next(after start: Timestamp) -> Timestamp? {
        if let latest, start < latest { later = latest }
        latest = start
        return later
    }
}

extension CueFixer.Result {
    fileprivate mutating func note(_ rule: CheckRule, _ count: Int) {
        if count > 0 { counts[rule, default: 0] += count }
    }
}
