internal import SubtitleCodecs

/// Turns a decoder's events into finished cues: every one with an end, on the asked timeline.
///
/// Pictures replace what their track showed; text does not. Cues come out in the order in which
/// they began.
struct CueAssembler {
    /// How long a cue stays whose end nothing tells, not even the length of the file.
    static let longestOpenCue = Duration.seconds(10)

    private let mapping: TimelineMapping
    private let trackIsForced: Bool
    private let forcedOnly: Bool
    private let limits: Limits
    private var pending: [CueDraft] = []
    private var nextOrder = 0
    private var diagnostics: [Diagnostic] = []
    private var reachedLimit = false

    init(mapping: TimelineMapping, trackIsForced: Bool, forcedOnly: Bool, limits: Limits) {
        self.mapping = mapping
        self.trackIsForced = trackIsForced
        self.forcedOnly = forcedOnly
        self.limits = limits
    }

    /// Takes an event and returns the cues that are finished by it.
    mutating func add(_ event: DecodedEvent) -> [Cue] {
        let now: Timestamp
        switch event {
        case .clear(let time):
            now = time
            close(at: time)
        case .cue(let draft):
            now = draft.cue.start
            if let last = pending.indices.last, continues(draft, pending[last]) {
                pending[last].end = draft.end
                pending[last].fallbackEnd = draft.fallbackEnd
                return []
            }
            if draft.replacesEarlier {
                close(at: draft.cue.start)
            } else {
                closeOpenText(at: draft.cue.start)
            }
            pending.append(draft)
        }
        return takeFinished(at: now)
    }

    /// Closes what is open, at the end of the input.
    mutating func finish(duration: Timestamp?) -> [Cue] {
        for index in pending.indices where pending[index].end == nil {
            let start = pending[index].cue.start
            if let fallback = pending[index].fallbackEnd, fallback.time > start {
                pending[index].end = fallback
            } else if let duration, duration > start {
                pending[index].end = .init(time: duration, source: .endOfStream)
            } else {
                let end = start.advanced(by: Self.longestOpenCue)
                pending[index].end = .init(time: end, source: .clamped)
            }
        }
        return takeFinished(at: .distantFuture)
    }

    mutating func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    /// A picture equal in everything to the one still shown only prolongs it.
    private func continues(_ new: CueDraft, _ old: CueDraft) -> Bool {
        guard new.replacesEarlier, old.replacesEarlier, old.end == nil || canBeCut(old),
            new.cue.start > old.cue.start
        else { return false }
        if let end = old.end, end.time < new.cue.start { return false }
        return new.cue.content == old.cue.content && new.cue.isForced == old.cue.isForced
            && new.cue.layout == old.cue.layout
    }

    /// Ends that say "at the latest": page time-outs.
    ///
    /// A stop command of its own is final.
    private func canBeCut(_ draft: CueDraft) -> Bool {
        draft.end?.source == .clamped
    }

    private mutating func close(at time: Timestamp) {
        for index in pending.indices where pending[index].cue.start < time {
            let draft = pending[index]
            guard draft.end == nil || canBeCut(draft), draft.end.map({ $0.time > time }) ?? true
            else { continue }
            pending[index].end = .init(time: time, source: .nextEvent)
        }
    }

    /// Text without a length lasts until the next text begins.
    private mutating func closeOpenText(at time: Timestamp) {
        for index in pending.indices where pending[index].end == nil {
            guard pending[index].cue.start < time else { continue }
            pending[index].end = .init(time: time, source: .nextEvent)
        }
    }

    /// The cues at the front that nothing can change any more.
    private mutating func takeFinished(at now: Timestamp) -> [Cue] {
        var finished: [Cue] = []
        var taken = 0
        for draft in pending {
            guard let end = draft.end, !canBeCut(draft) || end.time <= now else { break }
            taken += 1
            if let cue = place(draft.cue, end: end) { finished.append(cue) }
        }
        pending.removeFirst(taken)
        return finished
    }

    /// Puts a cue on the timeline; `nil` if nothing of it is to be shown there.
    private mutating func place(_ draft: Cue, end: CueDraft.KnownEnd) -> Cue? {
        var cue = draft
        cue.isForced = cue.isForced || trackIsForced
        guard !forcedOnly || cue.isForced else { return nil }
        cue.start = mapping.mapped(draft.start)
        cue.end = mapping.mapped(end.time)
        if case .text(let text) = draft.content {
            cue.content = .text(text.movingTimes { mapping.mapped($0) })
        }
        cue.endSource = end.source
        guard nextOrder < limits.cues else {
            if !reachedLimit {
                diagnostics.append(
                    Diagnostic(
                        .error, "too-many-cues",
                        "more than \(limits.cues) cues; the rest is left out", time: cue.start))
            }
            reachedLimit = true
            return nil
        }
        if cue.end <= .zero, mapping.view == .player {
            diagnostics.append(
                Diagnostic(
                    .warning, "before-zero",
                    "a cue that ends before the timeline starts is left out",
                    time: cue.start))
            return nil
        }
        if cue.start < .zero, mapping.view == .player { cue.start = .zero }
        if cue.end <= cue.start { cue.end = cue.start.advanced(by: .milliseconds(1)) }
        cue.order = nextOrder
        nextOrder += 1
        return cue
    }
}
