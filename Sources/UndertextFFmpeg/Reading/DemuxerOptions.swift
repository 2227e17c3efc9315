public import UndertextCore

/// How an ``FFmpegDemuxer`` opens and reads its input; the defaults suit untrusted input.
public struct DemuxerOptions: Sendable {
    /// How much is looked at to describe the streams.
    public enum ProbeDepth: Hashable, Sendable {
        /// No video frame is decoded where the container's headers say everything: Matroska, MP4.
        case headers
        /// All that libavformat does by itself.
        case full
    }

    /// What the input may ask of us.
    public var limits = Limits()
    /// When opening and reading give up.
    public var deadline: ContinuousClock.Instant?
    /// Stops opening and reading from outside.
    public var cancellation: Cancellation?
    /// The name of the demuxer to use instead of guessing.
    ///
    /// FFmpeg: `-f`; it must be one that is allowed.
    public var format: String?
    /// Further options for libavformat, its demuxer and its protocol; they cannot lift a limit.
    public var options: [String: String] = [:]
    /// `true` if HLS, DASH and concat playlists are opened, and with them what they name.
    public var allowsPlaylists = false
    /// How much is looked at to describe the streams.
    public var probe = ProbeDepth.headers

    /// The defaults.
    public init() {}
}
