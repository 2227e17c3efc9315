internal import UndertextCore

/// The rules about times.
extension TrackCheck {
    /// Cues are in the order of their starts.
    mutating func checkOrder(_ cues: [CheckedCue]) {
        guard let entry = setting(.order) else { return }
        var latest: CheckedCue?
        for cue in cues {
            if let earlier = latest, cue.cue.start < earlier.cue.start {
                add(
                    entry, cue,
                    "begins \(secondsText(CheckedCue.milliseconds(from: cue.cue.start, to: earlier.cue.start))) "
                        + "before cue \(earlier.number), which precedes it in the file")
            } else {
                latest = cue
            }
        }
    }

    /// The minimum and maximum duration of one cue.
    mutating func checkDuration(_ cue: CheckedCue) {
        let duration = cue.milliseconds
        guard duration > 0 else {
            if let entry = setting(.duration) {
                add(
                    entry, cue, measured: duration / 1000,
                    duration < 0
                        ? "ends \(secondsText(-duration)) before it starts" : "ends when it starts")
            }
            return
        }
        let entries = settings(for: script(of: cue))
        let rounded = duration.rounded()
        if let entry = entries[.minDuration], let limit = milliseconds(entry), rounded < limit {
            add(
                entry, cue, measured: duration / 1000, limit: limit / 1000,
                "is on screen for \(secondsText(duration)), less than \(secondsText(limit))")
        }
        if let entry = entries[.maxDuration], let limit = milliseconds(entry, roundedUp: true),
            rounded > limit
        {
            add(
                entry, cue, measured: duration / 1000, limit: limit / 1000,
                "is on screen for \(secondsText(duration)), more than \(secondsText(limit))")
        }
    }

    /// Overlaps and gaps, of cues by start.
    mutating func checkNeighbors(_ cues: [CheckedCue]) {
        /// The cue with the latest end at each position.
        var latestAtPosition: [CueLayout: CheckedCue] = [:]
        var latest: CheckedCue?
        for cue in cues where cue.milliseconds > 0 {
            if let entry = setting(.overlap) {
                // Text that is shown at another position overlaps nothing.
                let position = cue.cue.layout
                if let earlier = latestAtPosition[position] {
                    let overlap = CheckedCue.milliseconds(
                        from: cue.cue.start, to: earlier.cue.end)
                    if overlap > 0 {
                        add(
                            entry, cue, measured: overlap / 1000,
                            "begins \(secondsText(overlap)) before cue \(earlier.number) ends")
                    }
                    if cue.cue.end > earlier.cue.end { latestAtPosition[position] = cue }
                } else {
                    latestAtPosition[position] = cue
                }
            }
            if let earlier = latest { checkGap(from: earlier, to: cue) }
            if latest.map({ cue.cue.end > $0.cue.end }) ?? true { latest = cue }
        }
    }

    private mutating func checkGap(from earlier: CheckedCue, to cue: CheckedCue) {
        let gap = CheckedCue.milliseconds(from: earlier.cue.end, to: cue.cue.start)
        guard gap >= 0 else { return }
        let rounded = gap.rounded()
        let least = setting(.minGap).flatMap { milliseconds($0) } ?? 0
        if let entry = setting(.minGap), rounded < least {
            add(
                entry, cue, measured: gap / 1000, limit: least / 1000,
                "begins \(secondsText(gap)) after cue \(earlier.number) ends, less than "
                    + secondsText(least))
        } else if let entry = setting(.shortGap), let limit = milliseconds(entry),
            rounded > least + gapTolerance, rounded < limit
        {
            add(
                entry, cue, measured: gap / 1000, limit: limit / 1000,
                "begins \(secondsText(gap)) after cue \(earlier.number) ends, less than "
                    + "\(secondsText(limit)); "
                    + (least > 0
                        ? "close the gap to \(secondsText(least)), or extend it"
                        : "close the gap, or extend it"))
        }
    }

    /// The part of a gap that may be rounding, in milliseconds: half a frame if the minimum is in frames, otherwise the
    /// hundredth of a second in which scripts count.
    private var gapTolerance: Double {
        mutating get {
            guard case .frames = setting(.minGap)?.limit,
                let rate = track.frameRate ?? profile.frameRate
            else { return 10 }
            return 500 * Double(rate.denominator) / Double(rate.numerator)
        }
    }
}
