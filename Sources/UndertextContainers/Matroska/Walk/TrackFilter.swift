/// Distinguishes selected tracks from others, without hashing for common track numbers.
struct TrackFilter: Sendable {
    private let large: Set<UInt64>
    private var small: UInt64 = 0

    init(_ tracks: Set<UInt64>) {
        for track in tracks where track < 64 { small |= 1 << track }
        large = tracks.filter { $0 >= 64 }
    }

    /// `true` if the track of that TrackNumber is chosen.
    func contains(_ track: UInt64) -> Bool {
        track < 64 ? small >> track & 1 != 0 : large.contains(track)
    }
}
