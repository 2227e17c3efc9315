internal import UndertextCore

/// The rules about shot changes.
extension TrackCheck {
    /// Cues begin on a shot change or far from it, and end the minimum gap before one or far from it.
    mutating func checkShotChanges(_ cues: [CheckedCue]) {
        guard let changes = track.shotChanges, !changes.isEmpty else { return }
        for cue in cues where cue.milliseconds > 0 {
            if let entry = setting(.shotChangeStart) { checkStart(of: cue, entry, changes) }
            if let entry = setting(.shotChangeEnd) { checkEnd(of: cue, entry, changes) }
        }
    }

    private mutating func checkStart(
        of cue: CheckedCue, _ entry: CheckProfile.Entry, _ changes: [Timestamp]
    ) {
        guard let limit = milliseconds(entry),
            let distance = Self.distance(from: cue.cue.start, to: changes)
        else { return }
        let magnitude = abs(distance)
        guard magnitude > frameTolerance, magnitude.rounded() < limit else { return }
        add(
            entry, cue, measured: magnitude / 1000, limit: limit / 1000,
            "begins \(secondsText(magnitude)) \(distance > 0 ? "before" : "after") a shot change, less than "
                + "\(secondsText(limit)); begin on it, or farther from it")
    }

    private mutating func checkEnd(
        of cue: CheckedCue, _ entry: CheckProfile.Entry, _ changes: [Timestamp]
    ) {
        guard let limit = milliseconds(entry),
            let distance = Self.distance(from: cue.cue.end, to: changes)
        else { return }
        let gap = setting(.minGap).flatMap { milliseconds($0) } ?? 0
        let magnitude = abs(distance)
        guard abs(distance - gap) > frameTolerance, magnitude.rounded() < limit else { return }
        let wanted = gap > 0 ? "\(secondsText(gap)) before it" : "on it"
        add(
            entry, cue, measured: magnitude / 1000, limit: limit / 1000,
            "ends \(magnitude.rounded() == 0 ? "on" : "\(secondsText(magnitude)) \(distance > 0 ? "before" : "after")") "
                + "a shot change, less than \(secondsText(limit)); end \(wanted), or farther from it"
        )
    }

    /// The time from a boundary of a cue to the nearest change in milliseconds; negative if that is earlier.
    private static func distance(from time: Timestamp, to changes: [Timestamp]) -> Double? {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] < time { low = middle + 1 } else { high = middle }
        }
        return [low - 1, low].filter(changes.indices.contains)
            .map { CheckedCue.milliseconds(from: time, to: changes[$0]) }
            .min { abs($0) < abs($1) }
    }

    /// Three quarters of a frame in milliseconds, as times of text files and of frames are rounded.
    private var frameTolerance: Double {
        guard let rate = track.frameRate ?? profile.frameRate, rate.numerator > 0 else { return 25 }
        return 750 * Double(rate.denominator) / Double(rate.numerator)
    }
}
