internal import UndertextCore

/// A media playlist that is loaded again and again: its segments on one timeline, each once.
///
/// RFC 8216, section 6.3.4.
final class FollowedPlaylist {
    /// The segments that a later version adds.
    struct Growth {
        /// The new segments, on the timeline of the first version, with its numbers of breaks.
        var segments: ArraySlice<HLSSegment> = []
        /// The number of segments that left the playlist before they were seen.
        var lost: Int64 = 0
        /// `true` if the numbers start again.
        var hasRestarted = false
    }

    /// The latest version, placed.
    private(set) var media: MediaPlaylist
    /// The number of consecutive failures to load the playlist.
    var failures = 0
    /// `true` if the last loading brought something.
    var hasChanged = true
    /// The offset from the playlist's discontinuity numbers to those of its first version.
    private var breaksBefore: Int64 = 0
    private var dated: PlaylistUpdate.DatedTime?

    private static let mostFailures = 3
    /// The target duration of a playlist that states none.
    private static let usualTarget = Duration.seconds(5)
    /// The minimum interval between requests.
    private static let leastPause = Duration.milliseconds(500)

    init(_ media: MediaPlaylist) {
        self.media = media
        dated = media.lastDate
    }

    /// Creates one on the timeline of `known`, the same part of the presentation in another variant or rendition.
    convenience init(_ media: MediaPlaylist, on known: FollowedPlaylist?) {
        self.init(media)
        guard let known, known.media.isLive,
            let step = PlaylistUpdate(
                to: media, from: known.media, breaksBefore: known.breaksBefore, dated: known.dated,
                isOtherRendition: true)
        else { return }
        breaksBefore = step.breaksBefore
        take(media, from: step.start)
    }

    /// `true` if it is worth while to load it again.
    var mayChange: Bool { media.isLive && failures < Self.mostFailures }

    /// The segments of the latest version, with the numbers of breaks of the first one.
    var segments: ArraySlice<HLSSegment> { numbered(media.segments[...]) }

    /// The wait before the next reload: the target duration, or half of it if nothing has changed; `nil` if
    /// there is no reload.
    var pause: Duration? {
        guard mayChange else { return nil }
        let target = media.plausibleTargetDuration ?? Self.usualTarget
        return max(hasChanged ? target : target / 2, Self.leastPause)
    }

    /// Applies a later version.
    func update(_ newer: MediaPlaylist) -> Growth {
        guard
            let step = PlaylistUpdate(
                to: newer, from: media, breaksBefore: breaksBefore, dated: dated)
        else {
            guard media.segments.isEmpty else {
                end(by: newer)
                return Growth()
            }
            take(newer, from: .zero)
            return Growth(segments: segments)
        }
        let last = media.segments.last?.sequence ?? -1
        // Servers of one name may be a version apart: what is older adds nothing.
        if step.relation == .overlaps, newer.segments.last.map({ $0.sequence <= last }) ?? true {
            end(by: newer)
            return Growth()
        }
        breaksBefore = step.breaksBefore
        take(newer, from: step.start)
        switch step.relation {
        case .overlaps, .adjoins:
            return Growth(segments: numbered(media.segments(from: last &+ 1)))
        case .jumps(let missing): return Growth(segments: segments, lost: missing)
        case .restarts: return Growth(segments: segments, hasRestarted: true)
        }
    }

    private func take(_ newer: MediaPlaylist, from start: Timestamp) {
        media = newer
        media.placeSegments(from: start)
        dated = media.lastDate ?? dated
    }

    private func end(by newer: MediaPlaylist) {
        media.isEnded = media.isEnded || newer.isEnded
    }

    private func numbered(_ segments: ArraySlice<HLSSegment>) -> ArraySlice<HLSSegment> {
        guard breaksBefore != 0 else { return segments }
        return segments.map { segment in
            var segment = segment
            segment.discontinuity &+= breaksBefore
            return segment
        }[...]
    }
}
