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

    /// A Boolean value that indicates whether what follows may end it before its own end.
    ///
    /// The tracks of bitmap formats show one composition at a time, so the next one ends the one
    /// before, whatever length that one states. Cues of text and of image folders may overlap.
    var canBeCut: Bool { draft.end == nil || draft.replacesEarlier }

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
