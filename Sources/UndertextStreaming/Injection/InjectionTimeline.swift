public import UndertextCore

/// Where the segments of a media playlist lie on the timeline of the subtitles beside it.
///
/// Zero is the beginning of the first segment of the first version of the playlist, or a date. A
/// live playlist is given again and again: its segments keep their places, so that a cue is always
/// in the same ones, and the clock of each stretch is read once.
public struct InjectionTimeline: Hashable, Sendable {
    /// The latest version of the playlist; its segments begin when they do on this timeline.
    public private(set) var media: MediaPlaylist
    /// How often the numbers began anew: the same number is another segment then, so that what is kept
    /// by addresses needs another one.
    public private(set) var generation = 0
    /// By the number of a stretch, its clock.
    private var clocks: [Int64: MediaClock] = [:]
    /// What numbers of breaks lack to be those of the first version: many a live playlist does not
    /// say how many breaks have left its window.
    private var breaksBefore: Int64 = 0
    /// What has left the window, with numbers of stretches: players ask for it a little longer.
    private var past: [HLSSegment] = []
    private var dated: PlaylistUpdate.DatedTime?
    private var beginning: Beginning?
    private var jump: ClockJump?
    private var notes: [Diagnostic] = []

    /// Where the first segment of the first version lies.
    private struct Beginning: Hashable {
        var stretch: Int64
        var start: Timestamp
    }

    /// So many segments that left the window can still be had.
    static let kept = 16

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - media: the playlist.
    ///   - start: when its first segment begins.
    ///   - zeroDate: the date that is zero, nanoseconds since 1970, for a playlist that tells dates;
    ///     `nil` = `start` says it.
    public init(
        _ media: MediaPlaylist, start: Timestamp = .zero, zeroDate: Timestamp? = nil
    ) {
        self.media = media
        var start = start
        if let zeroDate {
            if let segment = media.segments.first(where: { $0.programDateTime != nil }),
                let date = segment.programDateTime
            {
                let before = segment.start.duration(to: .zero)
                start = Timestamp.zero.advanced(by: zeroDate.duration(to: date) + before)
            } else {
                notes.append(
                    Diagnostic(
                        .warning, "no-date",
                        "the playlist has no dates; subtitles begin with its first segment"))
            }
        }
        place(from: start)
    }

    /// Takes a later version of the playlist.
    ///
    /// Where no segment of it was known before, what lies between is taken from dates, else from
    /// the clock of the media where that may have gone on, else from the number of segments and the
    /// target duration, with a diagnostic.
    public mutating func update(_ later: MediaPlaylist) {
        let known = media.segments
        guard let last = known.last, let first = later.segments.first,
            let step = PlaylistUpdate(
                to: later, from: media, breaksBefore: breaksBefore, dated: dated)
        else {
            // A version that shows nothing tells nothing.
            if known.isEmpty {
                media = later
                place(from: .zero)
            }
            return
        }
        guard step.relation != .overlaps else {
            keep(known.prefix { $0.sequence < first.sequence })
            media = later
            breaksBefore = step.breaksBefore
            return place(from: step.start)
        }
        let stretch = stretch(of: last)
        let mayGoOn = step.breaksBefore &+ first.discontinuity == stretch
        let clock = clocks[stretch] ?? (jump?.stretch == stretch ? jump?.clock : nil)
        keep(known[...])
        media = later
        // Breaks in between may not have been seen: it is another stretch.
        breaksBefore = stretch &+ 1 &- first.discontinuity
        jump = nil
        switch step.relation {
        case .overlaps, .adjoins: break
        case .jumps(let missing):
            guard step.isEstimated else { break }
            if mayGoOn, let clock {
                jump = ClockJump(
                    stretch: stretch &+ 1, clock: clock, end: last.end,
                    length: later.usualLength(of: missing, like: last))
            } else {
                noteEstimate()
            }
        case .restarts:
            // The numbers are those of another encoder.
            generation += 1
            notes.append(.restarted)
            past = []
        }
        place(from: step.start)
    }

    /// The first segments of stretches whose clock is not known.
    public var segmentsWithoutClock: [HLSSegment] {
        var seen = Set(clocks.keys)
        return media.segments.filter { !$0.isGap && seen.insert(stretch(of: $0)).inserted }
    }

    /// Tells what the clock shows when `segment` begins.
    ///
    /// - Parameters:
    ///   - firstPTS: ticks of 90 kHz, see ``FirstTime``.
    ///   - segment: one of ``media``.
    public mutating func setClock(_ firstPTS: Int64, of segment: HLSSegment) {
        let stretch = stretch(of: segment)
        var start = segment.start
        if let jump, jump.stretch == stretch {
            self.jump = nil
            if let found = jump.start(firstPTS, expected: start) {
                move(by: start.duration(to: found), from: stretch)
                start = found
            } else if !jump.isTold {
                noteEstimate()
            }
        }
        clocks[stretch] = MediaClock(start: start, firstPTS: firstPTS)
    }

    /// `true` if a segment is of the stretch that the first version begins with.
    public func isBeginning(_ segment: HLSSegment) -> Bool {
        beginning?.stretch == stretch(of: segment)
    }

    /// Tells what the clock shows when the first segment of the first version begins.
    ///
    /// - Parameter firstPTS: ticks of 90 kHz, see ``FirstTime``.
    public mutating func setClockOfBeginning(_ firstPTS: Int64) {
        guard let beginning else { return }
        clocks[beginning.stretch] = MediaClock(start: beginning.start, firstPTS: firstPTS)
    }

    /// The clock of the stretch that a segment is part of; `nil` if it is not known.
    public func clock(of segment: HLSSegment) -> MediaClock? { clocks[stretch(of: segment)] }

    private func stretch(of segment: HLSSegment) -> Int64 {
        segment.discontinuity &+ breaksBefore
    }

    /// A segment that is in the playlist, or was until a moment ago.
    public func segment(numbered sequence: Int64) -> HLSSegment? {
        let index = media.segments.partitioningIndex { $0.sequence >= sequence }
        if index < media.segments.endIndex, media.segments[index].sequence == sequence {
            return media.segments[index]
        }
        var gone = past.last { $0.sequence == sequence }
        gone?.discontinuity &-= breaksBefore
        return gone
    }

    /// What was doubtful since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] {
        if jump?.isTold == false {
            jump?.isTold = true
            noteEstimate()
        }
        defer { notes = [] }
        return notes
    }

    private mutating func noteEstimate() {
        notes.append(
            Diagnostic(
                .warning, "window-jumped",
                "the live playlist skipped more than its window; times after the gap are estimated")
        )
    }

    /// Moves what was placed behind an estimate.
    private mutating func move(by span: Duration, from stretch: Int64) {
        guard span != .zero else { return }
        media.moveSegments(by: span)
        for index in past.indices where past[index].discontinuity >= stretch {
            past[index].start = past[index].start.advanced(by: span)
        }
        for (key, clock) in clocks where key >= stretch {
            clocks[key]?.start = clock.start.advanced(by: span)
        }
        dated = media.lastDate ?? dated
    }

    private mutating func keep(_ gone: ArraySlice<HLSSegment>) {
        let numbered = gone.suffix(Self.kept).map { segment in
            var segment = segment
            segment.discontinuity = stretch(of: segment)
            return segment
        }
        past = Array((past + numbered).suffix(Self.kept))
    }

    /// Moves the segments of the new playlist, and forgets clocks that nobody needs.
    private mutating func place(from start: Timestamp) {
        media.placeSegments(from: start)
        dated = media.lastDate ?? dated
        if beginning == nil, let first = media.segments.first {
            beginning = Beginning(stretch: stretch(of: first), start: first.start)
        }
        let needed = Set(past.map(\.discontinuity) + media.segments.map(stretch))
        clocks = clocks.filter { needed.contains($0.key) }
    }
}

extension Diagnostic {
    /// The numbers of a live playlist's segments run back.
    static var restarted: Diagnostic {
        Diagnostic(
            .warning, "sequence-restarted",
            "the sequence numbers restarted; segments continue after the last one")
    }
}
