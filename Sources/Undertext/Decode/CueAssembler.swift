internal import UndertextCore
internal import UndertextFormats

/// Converts a decoder's events to cues with definite end times on the requested timeline.
///
/// Images replace what their track showed; text does not. Cues come out in the order in which
/// they began.
struct CueAssembler {
    /// The duration of a cue whose end is unknown, even from the length of the file.
    static let longestOpenCue = Duration.seconds(10)

    /// Cues that wait for an earlier one to end; far more than any real track shows at once.
    private static let pendingAtMost = 1024
    /// Bytes of text that wait: an event may have megabytes, and open ones of one time end each other never.
    private static let pendingTextAtMost = 16 << 20

    private let mapping: TimelineMapping
    /// The change of stored times, for those within text.
    private let timeChange: TimeChange
    private let trackIsForced: Bool
    private let forcedOnly: Bool
    private let limits: Limits
    /// The cues that are shown, or wait for an earlier cue to end.
    private var pending: [DecodedCue] = []
    /// Bytes of text in ``pending``.
    private var pendingText = 0
    /// The images of the display set that is arriving: all begin at the same time.
    private var set: [DecodedCue] = []
    private var nextOrder = 0
    let diagnostics: DiagnosticSink
    private var reachedLimit = false

    /// The origin of packet durations: the container or the text file itself.
    private let lengthSource: EndSource

    init(
        mapping: TimelineMapping, trackIsForced: Bool, forcedOnly: Bool, limits: Limits,
        isTextFile: Bool = false, diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        lengthSource = isTextFile ? .explicit : .containerDuration
        self.mapping = mapping
        timeChange = mapping.change
        self.trackIsForced = trackIsForced
        self.forcedOnly = forcedOnly
        self.limits = limits
    }

    /// Processes an event and appends the cues that it completes.
    mutating func add(_ event: DecodedEvent, to cues: inout [Cue]) {
        // Nothing waits, and nothing that comes changes it: nearly every cue of text.
        if case .cue(let decoded) = event, let end = decoded.end, !decoded.replacesEarlier,
            pending.isEmpty, set.isEmpty
        {
            if let cue = place(decoded, end: end) { cues.append(cue) }
        } else {
            cues += add(event)
        }
    }

    /// Processes an event and returns the cues that it completes.
    mutating func add(_ event: DecodedEvent) -> [Cue] {
        switch event {
        case .clear(let time):
            // A cue that ends when it begins is never visible.
            if set.first?.start == time { set.removeAll { $0.end == nil } }
            var finished = settleSet()
            close(at: time) { _ in false }
            finished += takeFinished(at: time)
            return finished
        case .cue(let decoded) where decoded.replacesEarlier:
            if let first = set.first, first.start == decoded.start {
                if set.count >= limits.objects {
                    set.removeFirst()
                    diagnostics.report(
                        .error, "too-many-objects",
                        "more than \(limits.objects) images begin at one time; the first is left out",
                        time: decoded.start)
                }
                set.append(decoded)
                return []
            }
            let finished = settleSet()
            set = [decoded]
            return finished + takeFinished(at: decoded.start)
        case .cue(let decoded):
            closeOpenText(at: decoded.start)
            var finished: [Cue] = []
            append(decoded, at: decoded.start, &finished)
            return finished + takeFinished(at: decoded.start)
        }
    }

    /// Replaces the cues on screen by those of the collected display set.
    ///
    /// Forced and other images of one set become separate cues; an image that is already on screen continues,
    /// and images that the set lacks end.
    private mutating func settleSet() -> [Cue] {
        guard let start = set.first?.start else { return [] }
        var kept: Set<Int> = []
        for index in pending.indices {
            guard let same = set.firstIndex(where: { continues($0, pending[index]) }) else {
                continue
            }
            pending[index].end = set[same].end
            pending[index].fallbackEnd = set[same].fallbackEnd
            kept.insert(index)
            set.remove(at: same)
        }
        close(at: start, except: kept.contains)
        var finished = takeFinished(at: start)
        for decoded in set { append(decoded, at: start, &finished) }
        set = []
        return finished
    }

    /// Adds a cue to the open ones, whose number is limited.
    private mutating func append(
        _ decoded: DecodedCue, at time: Timestamp, _ finished: inout [Cue]
    ) {
        while pending.count >= Self.pendingAtMost || pendingText > Self.pendingTextAtMost {
            endOldest(at: time)
            let ended = takeFinished(at: time)
            finished += ended
            if ended.isEmpty { break }
        }
        pending.append(decoded)
        // An equal image that follows without a gap may prolong any other.
        pending[pending.count - 1].isFinal = decoded.end != nil && !decoded.replacesEarlier
        pendingText += decoded.textByteCount
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

    /// Closes what is open, at the end of the input, which is asked for only if a cue needs it.
    mutating func finish(duration: @autoclosure () -> Timestamp?) -> [Cue] {
        var finished = settleSet()
        lazy var duration = duration()
        for index in pending.indices where pending[index].end == nil {
            let start = pending[index].start
            if let fallback = pending[index].fallbackEnd, fallback.time > start {
                pending[index].close(at: fallback.time, fallback.source)
            } else if let duration, duration > start {
                pending[index].close(at: duration, .endOfStream)
            } else {
                pending[index].close(at: start.advanced(by: Self.longestOpenCue), .clamped)
            }
        }
        for index in pending.indices { pending[index].isFinal = true }
        finished += takeFinished(at: .distantFuture)
        return finished
    }

    /// An image equal in everything to the one still shown only prolongs it.
    private func continues(_ new: DecodedCue, _ old: DecodedCue) -> Bool {
        guard new.replacesEarlier, old.replacesEarlier, !old.isFinal, new.start > old.start else {
            return false
        }
        if let end = old.end {
            guard end.time == new.start || end.time > new.start && old.canBeCut else {
                return false
            }
        }
        return new.content == old.content && new.isForced == old.isForced
            && new.layout == old.layout
    }

    /// Ends what a replacing event does not show any more.
    ///
    /// Cues that begin later precede a timestamp discontinuity, and nothing else would end them.
    private mutating func close(at time: Timestamp, except isKept: (Int) -> Bool) {
        for index in pending.indices where !isKept(index) { pending[index].close(at: time) }
    }

    /// Ends the oldest cue, so that what waits after it does not grow without bounds.
    private mutating func endOldest(at time: Timestamp) {
        guard let oldest = pending.firstIndex(where: { !$0.isFinal }) else { return }
        let start = pending[oldest].start
        if pending[oldest].canBeCut, pending[oldest].end.map({ $0.time > time }) ?? true {
            pending[oldest].close(at: max(time, start.advanced(by: .milliseconds(1))), .clamped)
        }
        pending[oldest].isFinal = true
    }

    /// Text without a length lasts until the next text begins.
    private mutating func closeOpenText(at time: Timestamp) {
        for index in pending.indices where pending[index].end == nil {
            guard pending[index].start < time else { continue }
            pending[index].close(at: time, .nextEvent)
        }
    }

    /// The cues at the front that nothing can change any more.
    private mutating func takeFinished(at now: Timestamp) -> [Cue] {
        var finished: [Cue] = []
        var taken = 0
        for decoded in pending {
            guard let end = decoded.end, decoded.isFinal || end.time < now else { break }
            taken += 1
            pendingText -= decoded.textByteCount
            if let cue = place(decoded, end: end) { finished.append(cue) }
        }
        pending.removeFirst(taken)
        return finished
    }

    /// Makes the cue on the timeline; `nil` if nothing of it is to be shown there.
    private mutating func place(_ decoded: DecodedCue, end: DecodedCue.KnownEnd) -> Cue? {
        guard !forcedOnly || decoded.isForced || trackIsForced else { return nil }
        guard nextOrder < limits.cues else {
            if !reachedLimit {
                diagnostics.report(
                    .error, "too-many-cues",
                    "more than \(limits.cues) cues; the rest is left out",
                    time: mapping.mapped(decoded.start))
            }
            reachedLimit = true
            return nil
        }
        var cue = Cue(decoded, order: nextOrder, end: end)
        cue.isForced = cue.isForced || trackIsForced
        cue.start = mapping.mapped(decoded.start)
        cue.end = mapping.mapped(end.time, inEventAt: decoded.start)
        if end.source == .containerDuration { cue.endSource = lengthSource }
        let isLost = mapping.isBeyond(cue.start)
        if !mapping.isIdentity, isLost || cue.end == .distantFuture {
            diagnostics.report(.timeOverflow("a cue", isLost: isLost, time: decoded.start))
            if isLost { return nil }
        }
        if mapping.view == .player {
            guard let shown = cue.fromZero else {
                diagnostics.report(.beforeZero(cue.start))
                return nil
            }
            cue = shown
        }
        if cue.end <= cue.start {
            cue.end = cue.start.advanced(by: .milliseconds(1))
            cue.endSource = .clamped
        }
        moveTimesWithinText(of: &cue, at: decoded.start)
        nextOrder += 1
        return cue
    }

    private func moveTimesWithinText(of cue: inout Cue, at start: Timestamp) {
        guard case .text(let text) = cue.content else { return }
        cue.content = .text(text.movingTimes { mapping.mapped($0, inEventAt: start) })
        guard !timeChange.isIdentity else { return }
        let change = mapping.dependsOnEvent ? mapping.change(ofEventAt: start) : timeChange
        if let moved = cue.source?.following(change) { cue.source = moved }
    }
}
