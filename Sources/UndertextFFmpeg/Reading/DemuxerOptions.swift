package import UndertextCore

/// Options of an ``FFmpegDemuxer``; the defaults suit untrusted input.
package struct DemuxerOptions: Sendable {
    /// The amount of data to examine for the description of streams.
    package enum ProbeDepth: Hashable, Sendable {
        /// No video frame is decoded where the container's headers say everything: Matroska, MP4.
        case headers
        /// All that libavformat does by itself.
        case full
    }

    /// The limits on the resources that the input may use.
    package var limits = Limits()
    /// The time at which opening and reading fail with `timeout`.
    package var deadline: ContinuousClock.Instant?
    /// Stops opening and reading from outside.
    package var cancellation: Cancellation?
    /// The name of the demuxer to use instead of guessing.
    ///
    /// FFmpeg: `-f`; it must be one that is allowed.
    package var format: String?
    /// Further options for libavformat, its demuxer and its protocol; they cannot lift a limit.
    package var options: [String: String] = [:]
    /// `true` if HLS, DASH and concat playlists are opened, and with them what they name.
    package var allowsPlaylists = false
    /// The amount of data to examine for the description of streams.
    package var probe = ProbeDepth.headers

    /// The defaults.
    package init() {}
}
