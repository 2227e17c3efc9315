/// The way in which a player switches to the segments of another track.
///
/// NexPlayer: `NexBandwidthSegmentOption`.
public enum BandwidthSegmentOption: String, Hashable, Sendable {
    /// The player decides; ``plan(at:bufferedUntil:segments:)`` takes it as ``lateMix``.
    case `default`
    /// As soon as possible; buffered segments of the old track are dropped.
    case quickMix
    /// After the buffered segments of the old track have been played.
    case lateMix

    /// The plan of a switch to another track.
    public struct Plan: Hashable, Sendable {
        /// The index of the segment of the new track that is fetched first; `nil` if the buffer reaches into the last one
        /// or beyond, so that nothing is left to switch.
        public var segment: Int?
        /// The time at which the new track takes over from the old one.
        public var time: Timestamp
        /// The part of the old track in the buffer that is dropped; empty if all of it is played.
        public var dropped: Range<Timestamp>
    }

    /// Returns the segment at which the new track begins, and the buffered part of the old one that is dropped.
    ///
    /// - Parameters:
    ///   - position: The time that is being played.
    ///   - buffered: The end of the buffer; a time before `position` counts as `position`.
    ///   - segments: The starts of the segments of the new track, in order.
    /// - Returns: The plan. If segments of both tracks begin at the same times, no segment is cut, and ``lateMix`` drops
    ///   nothing.
    public func plan(
        at position: Timestamp, bufferedUntil buffered: Timestamp, segments: [Timestamp]
    ) -> Plan {
        let buffered = max(position, buffered)
        let earliest = self == .quickMix ? position : buffered
        let segment = segments.firstIndex { $0 >= earliest }
        // A segment that begins after the end of the buffer leaves a gap, which the one before it fills.
        guard let segment, segments[segment] > buffered, segment > 0 else {
            let time = segment.map { min(segments[$0], buffered) } ?? buffered
            return Plan(segment: segment, time: time, dropped: time..<buffered)
        }
        let time = max(position, segments[segment - 1])
        return Plan(segment: segment - 1, time: time, dropped: time..<buffered)
    }
}

/// A rule that selects a track by its bandwidth.
///
/// NexPlayer: `NexBandwidthTargetOption`.
public enum BandwidthTargetOption: String, Hashable, Sendable {
    /// The same as ``below``.
    case `default`
    /// The highest bandwidth that is not above the target.
    case below
    /// The lowest bandwidth that is not below the target.
    case above
    /// Exactly the target.
    case match
}

extension ContentInfo {
    /// Selects the track of the current video stream, or of the audio stream if there is no video, by bandwidth.
    ///
    /// Only valid tracks with a known bandwidth and more than I-frames are considered.
    ///
    /// - Parameters:
    ///   - bandwidth: The target in bits per second.
    ///   - segmentOption: The way to switch; stored in ``segmentOption`` for a player.
    ///   - targetOption: The rule that selects the track.
    /// - Throws: ``UndertextError`` with code `no-such-track` if no track matches; the target, the segment
    ///   option and the track do not change in that case.
    public mutating func setTargetBandwidth(
        _ bandwidth: Int64, segmentOption: BandwidthSegmentOption = .default,
        targetOption: BandwidthTargetOption = .default
    ) throws(UndertextError) {
        let stream = currentVideoStream ?? currentAudioStream
        guard let stream, let track = stream.track(for: bandwidth, targetOption),
            let position = streams.firstIndex(where: { $0.id == stream.id })
        else {
            throw UndertextError(
                .noSuchTrack, "no track fits \(bandwidth) bit/s (\(targetOption.rawValue))")
        }
        streams[position].currentTrackID = track
        targetBandwidth = bandwidth
        self.segmentOption = segmentOption
    }
}

extension MediaStreamInfo {
    /// The ``TrackInfo/id`` of the track that fits; among equals the first.
    fileprivate func track(for target: Int64, _ option: BandwidthTargetOption) -> Int? {
        var best: (id: Int, bandwidth: Int64)?
        for track in tracks where track.isValid && !track.isIFrameOnly {
            guard let bandwidth = track.bandwidth else { continue }
            let isBetter =
                switch option {
                case .default, .below:
                    bandwidth <= target && best.map { bandwidth > $0.bandwidth } != false
                case .above:
                    bandwidth >= target && best.map { bandwidth < $0.bandwidth } != false
                case .match: bandwidth == target && best == nil
                }
            if isBetter { best = (track.id, bandwidth) }
        }
        return best?.id
    }
}
