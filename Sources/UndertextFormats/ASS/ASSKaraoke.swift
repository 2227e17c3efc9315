internal import UndertextCore

/// What stands before each run so that it appears in its time.
struct ASSKaraoke {
    /// `\k` and the length of what comes until the next time, for each run; empty where none begins.
    private(set) var tags: [String]
    /// Whether a time does not lie in the cue, or before an earlier one.
    private(set) var losesTimes = false
    /// Whether any run has a time of its own.
    let hasTimes: Bool

    /// The syllables of a cue whose times are those of `span`.
    init(_ runs: [TextRun], span: CentisecondSpan) {
        tags = [String](repeating: "", count: runs.count)
        hasTimes = runs.contains { $0.appearsAt != nil }
        guard hasTimes else { return }
        var onsets: [Int64] = []
        for run in runs {
            let last = onsets.last ?? 0
            let time = run.appearsAt.map { CentisecondSpan.rounded($0) - span.start } ?? 0
            if time < last || time > span.end - span.start {
                losesTimes = true
                onsets.append(last)
            } else {
                onsets.append(time)
            }
        }
        if onsets[0] > 0 { tags[0] = "\\k\(onsets[0])" }
        var index = 0
        while index < onsets.count {
            let next = onsets[index...].firstIndex { $0 != onsets[index] } ?? onsets.count
            let end = next < onsets.count ? onsets[next] : span.end - span.start
            tags[index] += "\\k\(end - onsets[index])"
            index = next
        }
    }
}
