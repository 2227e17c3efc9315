public import MediaCore

/// Where the segments of a media playlist lie on the timeline of the subtitles beside it.
///
/// Zero is the beginning of the first segment of the first version of the playlist, or a date. A
/// live playlist is given again and again: its segments keep their places, so that a cue is always
/// in the same ones, and the clock of each stretch is read once.
public struct SideTimeline: Hashable, Sendable {
    /// The latest version of the playlist; its segments begin when they do on this timeline.
    public private(set) var media: MediaPlaylist
    /// By the number of a stretch, its clock.
    private var clocks: [Int64: MediaClock] = [:]
    /// What numbers of breaks lack to be those of the first version: many a live playlist does not
    /// say how many breaks have left its window.
    private var breaksBefore: Int64 = 0
    /// What has left the window, with numbers of stretches: players ask for it a little longer.
    private var past: [HLSSegment] = []
    /// A segment whose date is known.
    private var dated: (start: Timestamp, date: Timestamp)? {
        get { datedStart.flatMap { start in datedDate.map { (start, $0) } } }
        set { (datedStart, datedDate) = (newValue?.start, newValue?.date) }
    }
    private var datedStart: Timestamp?
    private var datedDate: Timestamp?
    private var notes: [Diagnostic] = []

    /// So many segments that left the window can still be had.
    static let kept = 16

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - media: the playlist.
    ///   - zeroDate: the date that is zero, nanoseconds since 1970, for a playlist that tells dates;
    ///     `nil` = its first segment is zero.
    public init(_ media: MediaPlaylist, zeroDate: Timestamp? = nil) {
        self.media = media
        var start = Timestamp.zero
        if let zeroDate {
            if let segment = media.segments.first(where: { $0.programDateTime != nil }),
                let date = segment.programDateTime
            {
                let before = segment.start.duration(to: .zero)
                start = start.advanced(by: zeroDate.duration(to: date) + before)
            } else {
                notes.append(
                    Diagnostic(
                        .warning, "no-date",
                        "the playlist tells no dates: its first segment is where the subtitles "
                            + "begin"))
            }
        }
        place(from: start)
    }

    /// Takes a later version of the playlist.
    ///
    /// Where no segment of it was known before, what lies between is taken from dates, else from
    /// the number of segments and the target duration, with a diagnostic.
    public mutating func update(_ later: MediaPlaylist) {
        let known = media.segments
        guard let first = later.segments.first, let end = later.segments.last,
            let old = known.first, let last = known.last
        else {
            // A version that shows nothing tells nothing.
            if known.isEmpty {
                media = later
                place(from: .zero)
            }
            return
        }
        media = later
        // Servers behind one name may be a version apart, so it may also be an older one.
        let common = max(first.sequence, old.sequence)
        if common <= min(end.sequence, last.sequence),
            let before = known.first(where: { $0.sequence == common }),
            let now = later.segments.first(where: { $0.sequence == common })
        {
            keep(known.prefix { $0.sequence < first.sequence })
            breaksBefore &+= before.discontinuity &- now.discontinuity
            return place(from: before.start.advanced(by: now.start.duration(to: first.start)))
        }
        // Breaks in between may not have been seen: it is another stretch.
        keep(known[...])
        breaksBefore = stretch(of: last) &+ 1 &- first.discontinuity
        if first.sequence == last.sequence &+ 1 {
            return place(from: last.end)
        }
        if first.sequence > last.sequence {
            return place(from: startByDate(first) ?? estimatedStart(first, last))
        }
        // Numbers that run back are those of another encoder.
        notes.append(
            Diagnostic(
                .warning, "sequence-restarted",
                "the numbers of the segments begin anew: they go on where the last one ended"))
        past = []
        place(from: startByDate(first) ?? last.end)
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
        clocks[stretch(of: segment)] = MediaClock(start: segment.start, firstPTS: firstPTS)
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
        defer { notes = [] }
        return notes
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
        let shift = (media.segments.first?.start ?? .zero).duration(to: start)
        if shift != .zero { media.moveSegments(by: shift) }
        if let last = media.segments.last(where: { $0.programDateTime != nil }) {
            dated = last.programDateTime.map { (last.start, $0) }
        }
        let needed = Set(past.map(\.discontinuity) + media.segments.map(stretch))
        clocks = clocks.filter { needed.contains($0.key) }
    }

    private func startByDate(_ first: HLSSegment) -> Timestamp? {
        guard let dated, let next = media.segments.first(where: { $0.programDateTime != nil }),
            let date = next.programDateTime
        else { return nil }
        let before = next.start.duration(to: first.start)
        return dated.start.advanced(by: dated.date.duration(to: date) + before)
    }

    private mutating func estimatedStart(_ first: HLSSegment, _ last: HLSSegment) -> Timestamp {
        let missing = max(0, first.sequence &- last.sequence &- 1)
        notes.append(
            Diagnostic(
                .warning, "window-jumped",
                "the live playlist went on by more than it shows: the times behind are estimated"))
        let length = media.targetDuration ?? last.duration
        let (nanoseconds, overflow) = Int64(clamping: length.nanoseconds128)
            .multipliedReportingOverflow(by: missing)
        return last.end.advanced(by: .nanoseconds(overflow ? 0 : nanoseconds))
    }
}

extension MediaPlaylist {
    /// Lets all segments begin later.
    mutating func moveSegments(by span: Duration) {
        for index in segments.indices {
            segments[index].start = segments[index].start.advanced(by: span)
        }
    }
}
