internal import UndertextFormats

/// Turns a decoder's events into finished cues: every one with an end, on the asked timeline.
///
/// Images replace what their track showed; text does not. Cues come out in the order in which
/// they began.
struct CueAssembler {
    /// How long a cue stays whose end nothing tells, not even the length of the file.
    static let longestOpenCue = Duration.seconds(10)

    /// Cues that wait for an earlier one to end; far more than any real track shows at once.
    private static let pendingAtMost = 1024
    /// Bytes of text that wait: an event may have megabytes, and open ones of one time end each other never.
    private static let pendingTextAtMost = 16 << 20

    private let mapping: TimelineMapping
    private let trackIsForced: Bool
    private let forcedOnly: Bool
    private let limits: Limits
    /// What is shown or waits for an earlier cue to end.
    private var pending: [PendingCue] = []
    /// Bytes of text in ``pending``.
    private var pendingText = 0
    /// The images of the display set that is arriving: all begin at the same time.
    private var set: [CueDraft] = []
    private var nextOrder = 0
    let diagnostics: DiagnosticSink
    private var reachedLimit = false

    /// What a packet's length is: the word of a container, or of the text file itself.
    private let lengthSource: EndSource

    init(
        mapping: TimelineMapping, trackIsForced: Bool, forcedOnly: Bool, limits: Limits,
        isTextFile: Bool = false, diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        lengthSource = isTextFile ? .explicit : .containerDuration
        self.mapping = mapping
        self.trackIsForced = trackIsForced
        self.forcedOnly = forcedOnly
        self.limits = limits
    }

    /// Takes an event and appends the cues that are finished by it.
    mutating func add(_ event: DecodedEvent, to cues: inout [Cue]) {
        // Nothing waits, and nothing that comes changes it: nearly every cue of text.
        if case .cue(let draft) = event, let end = draft.end, !draft.replacesEarlier,
            pending.isEmpty, set.isEmpty
        {
            if let cue = place(draft.cue, end: end) { cues.append(cue) }
        } else {
            cues += add(event)
        }
    }

    /// Takes an event and returns the cues that are finished by it.
    mutating func add(_ event: DecodedEvent) -> [Cue] {
        switch event {
        case .clear(let time):
            // Nobody sees what goes at the time at which it comes.
            if set.first?.cue.start == time { set.removeAll { $0.end == nil } }
            var finished = settleSet()
            close(at: time) { _ in false }
            finished += takeFinished(at: time)
            return finished
        case .cue(let draft) where draft.replacesEarlier:
            if let first = set.first, first.cue.start == draft.cue.start {
                if set.count >= limits.objects {
                    set.removeFirst()
                    diagnostics.report(
                        .error, "too-many-objects",
                        "more than \(limits.objects) images begin at one time; the first is left out",
                        time: draft.cue.start)
                }
                set.append(draft)
                return []
            }
            let finished = settleSet()
            set = [draft]
            return finished + takeFinished(at: draft.cue.start)
        case .cue(let draft):
            closeOpenText(at: draft.cue.start)
            var finished: [Cue] = []
            append(draft, at: draft.cue.start, &finished)
            return finished + takeFinished(at: draft.cue.start)
        }
    }

    /// Lets the gathered display set replace what was shown.
    ///
    /// Forced and other images of one set come as cues of their own; an image that was shown
    /// already goes on, and what the set lacks ends.
    private mutating func settleSet() -> [Cue] {
        guard let start = set.first?.cue.start else { return [] }
        var kept: Set<Int> = []
        for index in pending.indices {
            guard let same = set.firstIndex(where: { continues($0, pending[index]) }) else {
                continue
            }
            pending[index].draft.end = set[same].end
            pending[index].draft.fallbackEnd = set[same].fallbackEnd
            kept.insert(index)
            set.remove(at: same)
        }
        close(at: start, except: kept.contains)
        var finished = takeFinished(at: start)
        for draft in set { append(draft, at: start, &finished) }
        set = []
        return finished
    }

    /// Lets a cue wait, and no more of them than are allowed.
    private mutating func append(_ draft: CueDraft, at time: Timestamp, _ finished: inout [Cue]) {
        while pending.count >= Self.pendingAtMost || pendingText > Self.pendingTextAtMost {
            endOldest(at: time)
            let ended = takeFinished(at: time)
            finished += ended
            if ended.isEmpty { break }
        }
        pending.append(PendingCue(draft))
        pendingText += draft.cue.textByteCount
    }

    /// Finishes all text, where everything that comes begins at `start`, which is later than all of it.
    mutating func settleText(before start: Timestamp) -> [Cue] {
        guard !pending.isEmpty else { return [] }
        closeOpenText(at: start)
        for index in pending.indices { pending[index].isFinal = true }
        return takeFinished(at: start)
    }

    /// Counts cues that do not pass through it; returns the position of the first one.
    mutating func count(_ cues: Int) -> Int {
        defer { nextOrder += cues }
        return nextOrder
    }

    /// Closes what is open, at the end of the input.
    mutating func finish(duration: Timestamp?) -> [Cue] {
        var finished = settleSet()
        for index in pending.indices where pending[index].draft.end == nil {
            let start = pending[index].draft.cue.start
            if let fallback = pending[index].draft.fallbackEnd, fallback.time > start {
                pending[index].end(at: fallback.time, fallback.source)
            } else if let duration, duration > start {
                pending[index].end(at: duration, .endOfStream)
            } else {
                pending[index].end(at: start.advanced(by: Self.longestOpenCue), .clamped)
            }
        }
        for index in pending.indices { pending[index].isFinal = true }
        finished += takeFinished(at: .distantFuture)
        return finished
    }

    /// An image equal in everything to the one still shown only prolongs it.
    private func continues(_ new: CueDraft, _ old: PendingCue) -> Bool {
        guard new.replacesEarlier, old.draft.replacesEarlier, !old.isFinal,
            new.cue.start > old.draft.cue.start
        else { return false }
        if let end = old.draft.end {
            guard end.time == new.cue.start || end.time > new.cue.start && old.canBeCut else {
                return false
            }
        }
        let (one, other) = (new.cue, old.draft.cue)
        return one.content == other.content && one.isForced == other.isForced
            && one.layout == other.layout
    }

    /// Ends what a replacing event does not show any more.
    ///
    /// What begins behind it is from before a jump of the clock, and nothing else would end it.
    private mutating func close(at time: Timestamp, except isKept: (Int) -> Bool) {
        for index in pending.indices where !isKept(index) { pending[index].end(at: time) }
    }

    /// Ends the oldest cue, so that what waits behind it does not grow without bounds.
    private mutating func endOldest(at time: Timestamp) {
        guard let oldest = pending.firstIndex(where: { !$0.isFinal }) else { return }
        let start = pending[oldest].draft.cue.start
        if pending[oldest].canBeCut, pending[oldest].draft.end.map({ $0.time > time }) ?? true {
            pending[oldest].end(at: max(time, start.advanced(by: .milliseconds(1))), .clamped)
        }
        pending[oldest].isFinal = true
    }

    /// Text without a length lasts until the next text begins.
    private mutating func closeOpenText(at time: Timestamp) {
        for index in pending.indices where pending[index].draft.end == nil {
            guard pending[index].draft.cue.start < time else { continue }
            pending[index].end(at: time, .nextEvent)
        }
    }

    /// The cues at the front that nothing can change any more.
    private mutating func takeFinished(at now: Timestamp) -> [Cue] {
        var finished: [Cue] = []
        var taken = 0
        for entry in pending {
            guard let end = entry.draft.end, entry.isFinal || end.time < now else { break }
            taken += 1
            pendingText -= entry.draft.cue.textByteCount
            if let cue = place(entry.draft.cue, end: end) { finished.append(cue) }
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
            if !mapping.isIdentity, case .webVTT(let stored) = draft.source {
                let moved = WebVTTInlineTimestamps.moved(Array(stored.utf8), by: mapping.mapped)
                cue.source = .webVTT(String(decoding: moved, as: UTF8.self))
            }
            if mapping.retiming.isStretching, case .ass(let event) = draft.source {
                let stretched = ASSOverrideTimes.stretched(
                    event: Array(event.utf8), by: mapping.retiming.speed)
                cue.source = .ass(String(decoding: stretched, as: UTF8.self))
            }
        }
        cue.endSource = end.source == .containerDuration ? lengthSource : end.source
        guard nextOrder < limits.cues else {
            if !reachedLimit {
                diagnostics.report(
                    .error, "too-many-cues",
                    "more than \(limits.cues) cues; the rest is left out", time: cue.start)
            }
            reachedLimit = true
            return nil
        }
        let isLost = mapping.isBeyond(cue.start)
        if !mapping.isIdentity, isLost || cue.end == .distantFuture {
            diagnostics.report(.timeOverflow("a cue", isLost: isLost, time: draft.start))
            if isLost { return nil }
        }
        if cue.end <= .zero, mapping.view == .player {
            diagnostics.report(
                .warning, "before-zero",
                "a cue that ends before the timeline starts is left out",
                time: cue.start)
            return nil
        }
        if cue.start < .zero, mapping.view == .player { cue.start = .zero }
        if cue.end <= cue.start {
            cue.end = cue.start.advanced(by: .milliseconds(1))
            cue.endSource = .clamped
        }
        cue.order = nextOrder
        nextOrder += 1
        return cue
    }
}
