internal import SubtitleCodecs

/// A cue that is shown, or waits for an earlier one to end.
struct PendingCue {
    var draft: CueDraft
    /// Whether nothing that comes can change its end any more.
    var isFinal: Bool

    init(_ draft: CueDraft) {
        self.draft = draft
        // An equal picture that follows without a gap may prolong any other.
        isFinal = draft.end != nil && !draft.replacesEarlier
    }

    /// Ends that say "at the latest": page time-outs, and the container's length of a packet.
    ///
    /// A stop command of its own is final.
    var canBeCut: Bool {
        guard let end = draft.end else { return true }
        return end.source == .clamped
            || end.source == .containerDuration && draft.replacesEarlier
    }

    mutating func end(at time: Timestamp, _ source: EndSource) {
        draft.end = .init(time: time, source: source)
        isFinal = true
    }

    /// Ends a cue that goes on after `time` as far as is known.
    mutating func end(at time: Timestamp) {
        guard !isFinal else { return }
        guard canBeCut, draft.end.map({ $0.time > time }) ?? true else {
            isFinal = true
            return
        }
        guard draft.cue.start <= time else { return endBehindTime() }
        end(at: time, .nextEvent)
    }

    /// Ends a picture that began later than what follows it: the clock ran back.
    private mutating func endBehindTime() {
        let start = draft.cue.start
        let known = [draft.end, draft.fallbackEnd].compactMap { $0 }.first { $0.time > start }
        if let known { return end(at: known.time, known.source) }
        end(at: start.advanced(by: CueAssembler.longestOpenCue), .clamped)
    }
}
