public import UndertextCore

/// The positions of a media playlist's segments on the timeline of added subtitles.
///
/// Zero is the start of the first segment of the first version of the playlist, or a date. The segments of a
/// live playlist keep their positions in later versions, so that a cue is always in the same segments, and the
/// clock of each part is read once.
public struct InjectionTimeline: Hashable, Sendable {
    /// The latest version of the playlist; its segments begin when they do on this timeline.
    public private(set) var media: MediaPlaylist
    /// The number of times that sequence numbers have restarted.
    ///
    /// Caches must distinguish segments with equal numbers by it.
    public private(set) var generation = 0
    /// By the number of a stretch, its clock.
    private var clocks: [Int64: MediaClock] = [:]
    /// The offset from the playlist's discontinuity numbers to those of its first version, since many live
    /// playlists omit how many discontinuities have left the window.
    private var breaksBefore: Int64 = 0
    /// The segments that have recently left the window, which players may still request.
    private var past: [HLSSegment] = []
    private var dated: PlaylistUpdate.DatedTime?
    private var beginning: Beginning?
    private var jump: ClockJump?
    private var notes: [Diagnostic] = []

    /// The position of the first segment of the first version.
    private struct Beginning: Hashable {
        var stretch: Int64
        var start: Timestamp
    }

    /// The number of segments that remain available after they left the window.
    static let kept = 16

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - media: the playlist.
    ///   - start: the start of its first segment.
    ///   - zeroDate: The date of time zero in nanoseconds since 1970, for a playlist with dates; `nil` to use
    ///     `start`.
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

    /// Applies a later version of the playlist.
    ///
    /// If none of its segments is known, the gap is computed from dates, otherwise from the media clock if that
    /// may have continued, otherwise from the number of segments and the target duration, with a diagnostic.
    public mutating func update(_ later: MediaPlaylist) {
        let known = media.segments
        guard let last = known.last, let first = later.segments.first,
            let step = PlaylistUpdate(
                to: later, from: media, breaksBefore: breaksBefore, dated: dated)
        else {
            // A version without segments provides no information.
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

    /// Sets the media clock at the start of `segment`.
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

    /// Sets the media clock at the start of the first segment of the first version.
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

    /// A segment that is in the playlist or has recently left it.
    public func segment(numbered sequence: Int64) -> HLSSegment? {
        let index = media.segments.partitioningIndex { $0.sequence >= sequence }
        if index < media.segments.endIndex, media.segments[index].sequence == sequence {
            return media.segments[index]
        }
        var gone = past.last { $0.sequence == sequence }
        gone?.discontinuity &-= breaksBefore
        return gone
    }

    /// Returns and clears the diagnostics since the last call.
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

    /// Moves what was placed after an estimate.
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

    /// Places the segments of the new playlist on the timeline, and removes clocks that are no longer used.
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
