internal import UndertextCore

/// The range of segments of a period to list, in ticks of the media.
///
/// A segment is available as soon as it is complete (ISO/IEC 23009-1, section 5.3.9.5.3), or earlier by
/// `@availabilityTimeOffset`.
struct DASHListBounds {
    /// The time up to which segments are skipped; `nil` to skip none.
    let first: Int64?
    /// The end of the period; `nil` if unknown.
    let end: Int64?
    /// The end of the recorded part of a live stream; `nil` for a stream that is complete.
    private let recorded: Int64?
    /// The time by which a segment is available before it is complete.
    private let ahead: Int64

    init(
        _ addressing: DASHAddressing, _ period: DASHManifest.Period, from first: Timestamp?,
        until recorded: Timestamp?
    ) {
        let ticks = DASHTicks(addressing, period)
        self.first = first.map(ticks.before)
        end = period.duration.map { ticks.nearest(period.start.advanced(by: $0)) }
        self.recorded = recorded.map(ticks.before)
        ahead = DASHTicks.floor(
            Timestamp.zero.advanced(by: addressing.availabilityOffset), addressing.timeBase)
    }

    /// The number of segments of equal length from `time` on that end before the window.
    func passed(_ duration: Int64, from time: Int64) -> Int64 {
        guard let first, first > time else { return 0 }
        return Self.difference(first, time) / duration
    }

    /// The number of available segments of equal duration from `time` on.
    ///
    /// - Parameters:
    ///   - duration: the duration of a segment.
    ///   - time: the start of the first segment.
    ///   - stated: the number of segments that the manifest states; `nil` for as many as fit into the period.
    /// - Returns: The number; `nil` if the end is unknown.
    func complete(_ duration: Int64, from time: Int64, stated: Int64? = nil) -> Int64? {
        let all =
            stated
            ?? end.map { end in
                let length = Self.difference(end, time)
                return length / duration + (length % duration > 0 ? 1 : 0)
            }
        guard let there = there(duration) else { return all }
        // The last one may be shorter than the others.
        if let end, there >= end, let all { return all }
        return min(all ?? .max, Self.difference(there, time) / duration)
    }

    /// The number of segments of equal duration, of `count` from `time` on, that have begun.
    func begun(_ count: Int64, _ duration: Int64, from time: Int64) -> Int64 {
        guard let there = there(duration) else { return count }
        guard there >= time else { return 0 }
        let whole = Self.difference(there, time) / duration
        return whole == .max ? count : min(count, whole + 1)
    }

    /// The end of the available part if each segment is available when it is complete.
    private func there(_ duration: Int64) -> Int64? {
        recorded.map { recorded in
            // If the end is unknown, segments that have not begun are not available yet.
            let (sum, overflow) = recorded.addingReportingOverflow(
                end == nil ? min(ahead, duration) : ahead)
            return overflow ? .max : sum
        }
    }

    /// From `time` to `later`; zero where that is not later.
    private static func difference(_ later: Int64, _ time: Int64) -> Int64 {
        guard later > time else { return 0 }
        let (difference, overflow) = later.subtractingReportingOverflow(time)
        return overflow ? .max : difference
    }
}

/// Times of a presentation as ticks of the media; those that do not fit are the nearest that do.
struct DASHTicks {
    private let start: Timestamp
    private let offset: Int64
    private let timeBase: TimeBase

    init(_ addressing: DASHAddressing, _ period: DASHManifest.Period) {
        start = period.start
        offset = addressing.offset
        timeBase = addressing.timeBase
    }

    /// The last tick that is not later than `time`.
    func before(_ time: Timestamp) -> Int64 { moved(Self.floor(span(time), timeBase)) }

    /// The tick nearest to `time`.
    func nearest(_ time: Timestamp) -> Int64 { moved(Self.nearest(span(time), timeBase)) }

    private func span(_ time: Timestamp) -> Timestamp {
        Timestamp.zero.advanced(by: start.duration(to: time))
    }

    private func moved(_ ticks: Int64) -> Int64 {
        let (sum, overflow) = ticks.addingReportingOverflow(offset)
        return overflow ? .max : sum
    }

    private static func nearest(_ span: Timestamp, _ timeBase: TimeBase) -> Int64 {
        span.ticks(in: timeBase) ?? (span < .zero ? .min : .max)
    }

    /// The ticks that fit into `span`.
    static func floor(_ span: Timestamp, _ timeBase: TimeBase) -> Int64 {
        let ticks = nearest(span, timeBase)
        guard ticks > .min, let exact = Timestamp(ticks: ticks, timeBase: timeBase), exact > span
        else { return ticks }
        return ticks - 1
    }
}
