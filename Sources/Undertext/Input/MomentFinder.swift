package import UndertextCore

/// Finds the first cue that shows something and keeps what is on screen in its middle, while the cues of a
/// track are read.
///
/// Held is what may be on screen then: candidates that nothing earlier can precede any more are looked
/// at and forgotten.
package struct MomentFinder {
    /// Many files begin with empty cues and cues that are only comments.
    private static let candidatesAtMost = 100

    /// The middle of the first cue that shows something.
    package private(set) var time: Timestamp?
    /// The cues on screen at that time, sorted by start and order.
    package var cues: [Cue] { screen.cues.sorted(by: Self.precedes) }
    /// A Boolean value that indicates whether no cue that comes can change the result.
    package private(set) var isDone = false

    /// The maximum amount by which a cue may begin before its predecessors; `nil` if cues are unordered.
    private let patience: Duration?
    private var candidates: [Cue] = []
    private var looked = 0
    private var newest: Timestamp?
    private var screen: ScreenCues
    /// The number of cues held after the latest cleanup.
    private var kept = 0

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - patience: the maximum time by which a cue may begin before an earlier one; `nil` for any order, and
    ///     then ``cues`` is empty: the track must be read again at ``time``.
    ///   - limits: the limit for held pixels.
    ///   - diagnostics: the sink for cues that are dropped because too much is on screen at once.
    package init(patience: Duration?, limits: Limits, diagnostics: DiagnosticSink) {
        self.patience = patience
        screen = ScreenCues(limits: limits, diagnostics: diagnostics)
    }

    /// Adds a cue.
    ///
    /// - Parameters:
    ///   - cue: the next cue of the track.
    ///   - shows: returns `true` if a cue drawn alone is visible in its middle.
    /// - Throws: errors of `shows`.
    package mutating func add(
        _ cue: Cue, shows: (Cue) throws(UndertextError) -> Bool
    ) throws(UndertextError) {
        newest = max(newest ?? cue.start, cue.start)
        if let time {
            if cue.start <= time, cue.end > time { screen.add(cue) }
        } else {
            let place = candidates.firstIndex { Self.precedes(cue, $0) } ?? candidates.count
            candidates.insert(cue, at: place)
            // The images of what cannot be looked at any more would only take memory.
            if candidates.count > Self.candidatesAtMost - looked { candidates.removeLast() }
            guard let patience, let newest else { return }
            screen.add(cue)
            try look(until: newest.advanced(by: .zero - patience), shows)
        }
        if let patience, let time, let newest, newest > time.advanced(by: patience) {
            isDone = true
        }
    }

    /// Looks at the candidates that are left, at the end of the track.
    package mutating func finish(
        shows: (Cue) throws(UndertextError) -> Bool
    ) throws(UndertextError) {
        if time == nil { try look(until: .distantFuture, shows) }
        isDone = true
    }

    private mutating func look(
        until last: Timestamp, _ shows: (Cue) throws(UndertextError) -> Bool
    ) throws(UndertextError) {
        while let first = candidates.first, first.start <= last, time == nil {
            looked += 1
            candidates.removeFirst()
            if try shows(first) {
                let middle = first.start.advanced(by: first.start.duration(to: first.end) / 2)
                time = middle
                candidates = []
                screen.keep { $0.start <= middle && $0.end > middle }
            }
        }
        if time == nil, looked >= Self.candidatesAtMost { isDone = true }
        // All that is held is looked at again only when there is twice as much, so that work grows with the cues.
        if time == nil, screen.cues.count > 2 * kept,
            let next = candidates.first?.start ?? newest
        {
            // Use the earlier of both, since the middle of a cue is never before its start.
            let earliest = min(next, last)
            screen.keep { $0.end > earliest }
            kept = screen.cues.count
        }
    }

    private static func precedes(_ one: Cue, _ other: Cue) -> Bool {
        (one.start, one.order) < (other.start, other.order)
    }
}

/// Cues that are on screen together, as many as a frame can hold.
package struct ScreenCues {
    /// The cues, in the order in which they were added.
    package private(set) var cues: [Cue] = []
    private var pixels = 0
    private let pixelsAtMost: Int
    private var hasLeftOut = false
    private let diagnostics: DiagnosticSink

    /// Creates a screen that holds the pixels of two of the largest canvases.
    package init(limits: Limits, diagnostics: DiagnosticSink) {
        self.diagnostics = diagnostics
        let (area, overflow) = limits.canvas.multipliedReportingOverflow(by: limits.canvas)
        pixelsAtMost = overflow || area > .max / 2 ? .max : area * 2
    }

    /// Adds a cue, unless its images exceed the limit for the screen.
    package mutating func add(_ cue: Cue) {
        let count = Self.pixels(of: cue)
        guard count <= pixelsAtMost - pixels else {
            if !hasLeftOut {
                diagnostics.report(
                    .error, "limit-exceeded",
                    "images of more than \(pixelsAtMost) pixels are on screen together; the rest "
                        + "is left out", time: cue.start)
            }
            hasLeftOut = true
            return
        }
        pixels += count
        cues.append(cue)
    }

    /// Forgets the cues that are not wanted.
    package mutating func keep(_ isWanted: (Cue) -> Bool) {
        cues.removeAll { !isWanted($0) }
        pixels = cues.reduce(0) { $0 + Self.pixels(of: $1) }
    }

    private static func pixels(of cue: Cue) -> Int {
        guard case .images(let content) = cue.content else { return 0 }
        return content.pixelCount
    }
}

extension SubtitleTrack {
    /// Reads the cues that are on screen at a time.
    ///
    /// - Parameters:
    ///   - time: The time on the clock of ``Media/Options/timeline``.
    ///   - handler: Gets the diagnostics.
    /// - Returns: The header and the cues that are on screen then.
    /// - Throws: `UndertextError` as ``cueReader(in:)``.
    package func document(
        at time: Timestamp, diagnostics handler: (Diagnostic) -> Void
    ) throws(UndertextError) -> SubtitleDocument {
        let window = TimeWindow(from: time, until: time.advanced(by: .milliseconds(1)))
        let reader = try cueReader(in: window)
        let left = DiagnosticSink()
        var screen = ScreenCues(limits: media.options.limits, diagnostics: left)
        while let cues = try reader.nextCues() {
            for cue in cues { screen.add(cue) }
            for diagnostic in reader.takeDiagnostics() { handler(diagnostic) }
        }
        for diagnostic in left.take() { handler(diagnostic) }
        let cues = screen.cues.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
        return SubtitleDocument(header: reader.header, cues: cues)
    }

    /// The middle of the first cue that shows something, and the cues on screen at that time.
    ///
    /// Text files are read completely, twice, because their cues may be in any order. Other inputs are read
    /// from the beginning up to that time.
    ///
    /// - Parameters:
    ///   - handler: Gets the diagnostics.
    ///   - shows: Whether a cue drawn alone, with what is known of the header of the track, shows something in its
    ///     middle.
    /// - Returns: The time, `nil` if no cue shows anything, and the document.
    /// - Throws: `UndertextError` as ``cueReader(in:)``, and the errors of `shows`.
    package func firstMoment(
        diagnostics handler: (Diagnostic) -> Void,
        shows: (SubtitleHeader, Cue) throws(UndertextError) -> Bool
    ) throws(UndertextError) -> (time: Timestamp?, document: SubtitleDocument) {
        let reader = try cueReader()
        let patience: Duration? =
            media.isTextFile ? nil : kind == .bitmap ? .zero : .seconds(10)
        let left = DiagnosticSink()
        var finder = MomentFinder(
            patience: patience, limits: media.options.limits, diagnostics: left)
        let test = { (cue: Cue) throws(UndertextError) in try shows(reader.header, cue) }
        while !finder.isDone, let cues = try reader.nextCues() {
            for cue in cues where !finder.isDone { try finder.add(cue, shows: test) }
            for diagnostic in reader.takeDiagnostics() { handler(diagnostic) }
        }
        try finder.finish(shows: test)
        for diagnostic in left.take() { handler(diagnostic) }
        if patience == nil, let time = finder.time {
            // Diagnostics were already reported by the first pass.
            return (time, try document(at: time) { _ in })
        }
        return (finder.time, SubtitleDocument(header: reader.header, cues: finder.cues))
    }
}
