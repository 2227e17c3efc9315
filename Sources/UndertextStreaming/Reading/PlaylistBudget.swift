internal import UndertextCore

/// What the media playlists of one presentation hold together, and may hold.
struct PlaylistBudget {
    private let limits: StreamingLimits
    /// What the latest version of each playlist holds; `nil` is that of the media.
    private var taken: [Int?: (bytes: Int, segments: Int)] = [:]
    private var bytes = 0
    private var segments = 0

    init(_ limits: StreamingLimits) { self.limits = limits }

    /// `true` if a playlist had no room: no further one is asked for then.
    private(set) var isSpent = false

    /// Why a playlist is not kept.
    var refusal: UndertextError {
        UndertextError(.limit, "the playlist is not read: \(bounds)")
    }

    /// What all playlists may hold, for a message.
    var bounds: String {
        "the playlists of the presentation may have \(limits.playlistsSize) bytes and \(limits.allSegments) "
            + "segments together"
    }

    /// Takes a playlist in the place of its earlier version.
    ///
    /// - Parameters:
    ///   - stream: whose it is; `nil` for the media.
    ///   - size: its bytes.
    ///   - count: its segments.
    /// - Throws: ``refusal`` where there is no room for it; the earlier version counts on then.
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
