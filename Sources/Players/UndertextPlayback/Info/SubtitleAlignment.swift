public import UndertextCore

/// A change of the times of subtitles that makes them fit others, or the speech of a video.
public struct SubtitleAlignment: Hashable, Sendable {
    /// The times with which the subtitles were compared.
    public enum Reference: Hashable, Sendable {
        /// Those of other subtitles.
        case subtitles
        /// Those of the speech of a video.
        case speech
    }

    /// A part of the subtitles that moves as one.
    public struct Segment: Hashable, Sendable {
        /// The first of its original times; the first segment counts for everything before, too.
        public let start: Timestamp
        /// The offset that is added after the change of speed; negative means earlier.
        public let offset: Duration
    }

    /// The factor for times, such as 25/24 if the subtitles were made for 25 frames a second and the video has 24.
    public let speed: Double
    /// The segments in order, at least one.
    public let segments: [Segment]
    /// The times with which the subtitles were compared.
    public let reference: Reference
    /// The estimated probability that the times are right, from 0 to 1.
    public let confidence: Double
    /// The change of times.
    let retiming: Retiming
}
