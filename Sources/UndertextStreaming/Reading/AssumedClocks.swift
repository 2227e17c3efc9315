internal import UndertextCore

/// Media clocks assumed from the first subtitles after each discontinuity, for media without a time.
struct AssumedClocks {
    /// The relation of cue times to the playlist position of their segments.
    enum Fit: Hashable {
        /// They agree.
        case good
        /// They do not, and there was no stretch before it that would have to agree with it: all times
        /// together are later or earlier.
        case shifted
        /// They do not agree.
        case none
    }

    private var known: [Int64: MediaClock] = [:]
    /// The offset of all cue times from the playlist.
    private var offset = Duration.zero
    private static let mostKnown = 10_000
    /// Playlists round the lengths of their segments.
    private static let tolerance = Duration.seconds(10)

    /// `true` if something is assumed for a stretch.
    func knows(_ stretch: Int64) -> Bool { known[stretch] != nil }

    /// The clock of a part between discontinuities.
    ///
    /// Either subtitle times are those of the presentation, or the segment's time map states its start; the
    /// interpretation that puts cues nearer to their segment is used.
    ///
    /// - Parameters:
    ///   - stretch: the number of discontinuities before the part.
    ///   - map: the time map of a segment.
    ///   - cues: the times of its cues as written; empty if it has none.
    ///   - place: the start of the segment in its playlist.
    /// - Returns: the clock, `nil` as long as there are no cues to judge by; and whether it puts cues near
    ///   their segment.
    mutating func clock(
        of stretch: Int64, _ map: TimestampMap, cues: [Range<Timestamp>], in place: Range<Timestamp>
    ) -> (clock: MediaClock?, fit: Fit) {
        if let clock = known[stretch] { return (clock, .good) }
        guard let first = cues.first else { return (nil, .good) }
        let begin = place.lowerBound.advanced(by: offset)
        let end = place.upperBound.advanced(by: offset)
        let written = MediaClock(
            start: .zero, firstPTS: map.mpegTS &- (map.local.ticks(in: .mpeg) ?? 0))
        let behind = MediaClock(start: begin, firstPTS: map.mpegTS)
        /// The total distance of the cues from their segments.
        func distance(_ clock: MediaClock) -> Duration {
            let shown = clock.time(of: first.lowerBound, map: map, near: begin)
            let shift = first.lowerBound.duration(to: shown)
            return cues.reduce(Duration.zero) { sum, cue in
                let early = cue.upperBound.advanced(by: shift).duration(to: begin)
                let late = end.duration(to: cue.lowerBound.advanced(by: shift))
                return sum + max(.zero, early, late)
            }
        }
        let (one, other) = (distance(written), distance(behind))
        let fits = min(one, other) / cues.count <= Self.tolerance
        let clock = one <= other || !fits ? written : behind
        let isFirst = known.isEmpty
        if known.count < Self.mostKnown { known[stretch] = clock }
        if fits { return (clock, .good) }
        if isFirst {
            offset = place.lowerBound.duration(
                to: clock.time(of: first.lowerBound, map: map, near: begin))
        }
        return (clock, isFirst ? .shifted : .none)
    }
}
