internal import MediaCore

/// A media playlist that is loaded again and again: its segments on one timeline, each once.
///
/// RFC 8216, section 6.3.4.
final class FollowedPlaylist {
    /// The latest version.
    private(set) var media: MediaPlaylist
    /// How often in a row it could not be loaded.
    var failures = 0
    /// The number of the segment behind the last one, and when it begins.
    private var next: (sequence: Int64, start: Timestamp)

    private static let mostFailures = 3
    /// Where the playlist does not say how long its segments are.
    private static let usualTarget = Duration.seconds(5)
    /// No server is asked more often.
    private static let leastPause = Duration.milliseconds(500)

    init(_ media: MediaPlaylist) {
        self.media = media
        let last = media.segments.last
        next = (last.map { $0.sequence &+ 1 } ?? media.mediaSequence, last?.end ?? .zero)
    }

    /// Whether it is worth while to load it again.
    var mayChange: Bool { media.isLive && failures < Self.mostFailures }

    /// How long to wait before that: the target duration, half of it if nothing has changed.
    func pause(hasChanged: Bool) -> Duration {
        let target = media.targetDuration ?? Self.usualTarget
        return max(hasChanged ? target : target / 2, Self.leastPause)
    }

    /// Takes a later version.
    ///
    /// - Returns: the segments that it adds, their beginning on the timeline of the first version, and how
    ///   many went before they were seen.
    func update(_ newer: MediaPlaylist) -> (segments: ArraySlice<HLSSegment>, lost: Int64) {
        media = newer
        let added = newer.segments(from: next.sequence)
        guard let first = added.first else { return ([], 0) }
        let (missing, overflow) = first.sequence.subtractingReportingOverflow(next.sequence)
        let lost = overflow ? 0 : max(0, missing)
        // What is missing is taken to be as long as segments usually are.
        let target = Int64(
            clamping: (newer.targetDuration ?? Self.usualTarget).nanoseconds128)
        let (gap, isTooLong) = target.multipliedReportingOverflow(by: min(lost, 1 << 20))
        let start = next.start.advanced(by: .nanoseconds(isTooLong ? 0 : gap))
        let shift = first.start.duration(to: start)
        var segments = Array(added)
        for index in segments.indices {
            segments[index].start = segments[index].start.advanced(by: shift)
        }
        if let last = segments.last { next = (last.sequence &+ 1, last.end) }
        return (segments[...], lost)
    }
}
