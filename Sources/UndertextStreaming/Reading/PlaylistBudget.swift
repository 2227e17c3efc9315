internal import UndertextCore

/// The total size and limits of a presentation's media playlists.
struct PlaylistBudget {
    private let limits: StreamingLimits
    /// The size of the latest version of each playlist; the key `nil` is the media playlist of audio and video.
    private var taken: [Int?: (bytes: Int, segments: Int)] = [:]
    private var bytes = 0
    private var segments = 0

    init(_ limits: StreamingLimits) { self.limits = limits }

    /// `true` if a playlist exceeded the limits; no further playlists are requested.
    private(set) var isSpent = false

    /// The reason why a playlist is not kept.
    var refusal: UndertextError {
        UndertextError(.limit, "the playlist is not read: \(bounds)")
    }

    /// The limits for all playlists, for a message.
    var bounds: String {
        "the playlists of the presentation may have \(limits.playlistsSize) bytes and \(limits.allSegments) "
            + "segments together"
    }

    /// Replaces the earlier version of a playlist.
    ///
    /// - Parameters:
    ///   - stream: its stream; `nil` for the media.
    ///   - size: its size in bytes.
    ///   - count: its number of segments.
    /// - Throws: ``refusal`` if there is no room for it; the earlier version is still counted then.
    mutating func take(_ stream: Int?, bytes size: Int, segments count: Int) throws(UndertextError)
    {
        let old = taken[stream] ?? (0, 0)
        guard bytes - old.bytes + size <= limits.playlistsSize,
            segments - old.segments + count <= limits.allSegments
        else {
            isSpent = true
            throw refusal
        }
        taken[stream] = (size, count)
        bytes += size - old.bytes
        segments += count - old.segments
    }
}
