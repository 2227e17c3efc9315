internal import UndertextFormats

/// A cue that is shown, or waits for an earlier one to end.
struct PendingCue {
    var draft: CueDraft
    /// `true` if nothing that comes can change its end any more.
    var isFinal: Bool

    init(_ draft: CueDraft) {
        self.draft = draft
        // An equal image that follows without a gap may prolong any other.
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
        guard draft.cue.start <= time else { return endAfterStep(backTo: time) }
        end(at: time, .nextEvent)
    }

    /// The longest step back that a muxer causes; a longer one is a discontinuity.
    private static let shortStep = Duration.seconds(1)

    /// Ends an image that begins later than what follows it.
    ///
    /// After a short step back, what follows replaces the image at once, as it does on a decoder's screen.
    /// After a longer one the clock began again, and nothing that follows says when the image ended.
    private mutating func endAfterStep(backTo time: Timestamp) {
        let start = draft.cue.start
        if draft.end?.source != .explicit, time.duration(to: start) <= Self.shortStep {
            return end(at: start, .nextEvent)
        }
        let known = [draft.end, draft.fallbackEnd].compactMap { $0 }.first { $0.time > start }
        if let known { return end(at: known.time, known.source) }
        end(at: start.advanced(by: CueAssembler.longestOpenCue), .clamped)
    }
}
