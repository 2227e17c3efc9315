internal import UndertextCore

/// The relation of a later version of a live playlist to an earlier one.
///
/// RFC 8216, section 6.3.4.
struct PlaylistUpdate {
    /// The gap between the two versions.
    enum Relation: Hashable {
        /// Nothing: some segments are in both.
        case overlaps
        /// Nothing: the first segment follows the last one that was known.
        case adjoins
        /// The later version is newer, and `missing` segments between the two were not seen.
        case jumps(missing: Int64)
        /// The numbers run back, or stand for other segments, as those of another encoder do.
        case restarts
    }

    /// A segment whose date is known.
    struct DatedTime: Hashable {
        /// The start on the timeline.
        var start: Timestamp
        /// The same in nanoseconds since 1970.
        var date: Timestamp
    }

    let relation: Relation
    /// The start of the first segment of the later version, on the timeline of the earlier one.
    let start: Timestamp
    /// `true` if ``start`` is only taken to be so, by the target duration.
    let isEstimated: Bool
    /// The offset from the later version's discontinuity numbers to those of the first one, since many live
    /// playlists omit how many discontinuities have left the window.
    let breaksBefore: Int64

    /// The number of segments by which one server may lag behind another of the same name.
    ///
    /// A playlist that lags more comes from a restarted encoder, even if segment names repeat.
    private static let mostBehind: Int64 = 3

    /// Compares two versions; `nil` if either has no segments.
    ///
    /// - Parameters:
    ///   - later: the later version, as read.
    ///   - known: the earlier version, on the timeline.
    ///   - breaksBefore: the difference of the discontinuity numbers of `known`.
    ///   - dated: The latest date in the playlist.
    ///   - isOtherRendition: `true` if the later version is of another variant or rendition, with equal numbers
    ///     but other segment addresses.
    init?(
        to later: MediaPlaylist, from known: MediaPlaylist, breaksBefore: Int64, dated: DatedTime?,
        isOtherRendition: Bool = false
    ) {
        guard let first = later.segments.first, let end = later.segments.last,
            let old = known.segments.first, let last = known.segments.last
        else { return nil }
        // Servers of one name may be a version apart, so it may also be an older one.
        let common = max(first.sequence, old.sequence)
        let isCommon = common <= min(end.sequence, last.sequence)
        if isCommon, last.sequence - end.sequence <= Self.mostBehind,
            isOtherRendition || later.repeats(known, from: common),
            let before = known.segments.first(where: { $0.sequence == common }),
            let now = later.segments.first(where: { $0.sequence == common })
        {
            relation = .overlaps
            start = before.start.advanced(by: now.start.duration(to: first.start))
            isEstimated = false
            self.breaksBefore = breaksBefore &+ before.discontinuity &- now.discontinuity
            return
        }
        let byDate = dated.flatMap { later.start(by: $0) }
        guard !isCommon, first.sequence > last.sequence else {
            relation = .restarts
            start = byDate ?? last.end
            isEstimated = byDate == nil
            self.breaksBefore =
                last.discontinuity &+ breaksBefore &+ 1 &- first.discontinuity
            return
        }
        // Numbers of breaks that run back do not count those that left the window: what it shows is added.
        let isCounted = first.discontinuity >= last.discontinuity
        self.breaksBefore =
            isCounted
            ? breaksBefore : breaksBefore &+ last.discontinuity &- later.discontinuitySequence
        let (distance, isTooFar) = first.sequence.subtractingReportingOverflow(last.sequence)
        let missing = (isTooFar ? .max : distance) - 1
        if missing == 0 {
            relation = .adjoins
            start = last.end
            isEstimated = false
            return
        }
        relation = .jumps(missing: missing)
        start = byDate ?? last.end.advanced(by: later.usualLength(of: missing, like: last))
        isEstimated = byDate == nil
    }
}

extension MediaPlaylist {
    /// Returns `true` if a segment with the same number is equal in both versions; a restarted encoder may have
    /// reached the same numbers.
    fileprivate func repeats(_ known: MediaPlaylist, from sequence: Int64) -> Bool {
        zip(known.segments(from: sequence), segments(from: sequence)).contains { $0.isSame(as: $1) }
    }

    /// The start of the first segment by its date, or by that of a later segment; `nil` without dates.
    fileprivate func start(by dated: PlaylistUpdate.DatedTime) -> Timestamp? {
        guard let first = segments.first,
            let next = segments.first(where: { $0.programDateTime != nil }),
            let date = next.programDateTime
        else { return nil }
        let before = next.start.duration(to: first.start)
        return dated.start.advanced(by: dated.date.duration(to: date) + before)
    }

    /// The assumed length of unseen segments, based on the target duration.
    func usualLength(of count: Int64, like segment: HLSSegment) -> Duration {
        let length = plausibleTargetDuration ?? segment.duration
        let (nanoseconds, overflow) = Int64(clamping: length.nanoseconds128)
            .multipliedReportingOverflow(by: count)
        return .nanoseconds(overflow ? 0 : nanoseconds)
    }

    /// Its last date; `nil` without one.
    var lastDate: PlaylistUpdate.DatedTime? {
        guard let last = segments.last(where: { $0.programDateTime != nil }),
            let date = last.programDateTime
        else { return nil }
        return .init(start: last.start, date: date)
    }

    /// Moves all segments by a duration.
    mutating func moveSegments(by span: Duration) {
        for index in segments.indices {
            segments[index].start = segments[index].start.advanced(by: span)
        }
    }

    /// Moves the first segment to `start`, and the others after it.
    mutating func placeSegments(from start: Timestamp) {
        let shift = (segments.first?.start ?? .zero).duration(to: start)
        if shift != .zero { moveSegments(by: shift) }
    }
}

extension HLSSegment {
    /// `true` if it may be the same segment in another version of a playlist.
    ///
    /// Dates decide if both segments have one; otherwise the path, range and duration do, because hosts and
    /// queries may change between versions.
    fileprivate func isSame(as other: HLSSegment) -> Bool {
        if let programDateTime, let date = other.programDateTime {
            // Servers of one name need not have the very same clock.
            return Self.isNear(
                programDateTime.duration(to: date), within: max(.seconds(1), duration / 2))
        }
        return range == other.range
            && Self.isNear(duration - other.duration, within: .milliseconds(100))
            && URI(uri).path == URI(other.uri).path
    }

    private static func isNear(_ distance: Duration, within tolerance: Duration) -> Bool {
        distance <= tolerance && distance >= .zero - tolerance
    }
}
