internal import UndertextCore
internal import UndertextIO
internal import UndertextStreaming

/// A version of the upstream's master, and what is made of it.
struct PreparedMaster: Sendable {
    let upstream: MasterPlaylist
    /// With the subtitles.
    let bytes: [UInt8]
    /// Diagnostics for the parts of the request that could not be satisfied.
    let diagnostics: [Diagnostic]

    init(_ upstream: MasterPlaylist, _ side: SubtitleInjection, uri: (Int) -> String) {
        self.upstream = upstream
        let (text, diagnostics) = side.master(upstream, uri: uri)
        bytes = text.bytes
        self.diagnostics = diagnostics
    }
}

/// A version of the timeline, and the playlists beside it, each made once for all who ask.
final class PreparedTimeline: Sendable {
    let timeline: InjectionTimeline
    /// `true` if all available clocks were read.
    let isComplete: Bool
    private let playlists: [Monitor<[UInt8]?>]
    private let mostKept: Int

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - timeline: the version.
    ///   - isComplete: `true` if all available clocks were read.
    ///   - count: the number of subtitles with playlists.
    ///   - mostKept: the maximum size of all kept playlists in bytes.
    init(_ timeline: InjectionTimeline, isComplete: Bool, count: Int, mostKept: Int = 64 << 20) {
        self.timeline = timeline
        self.isComplete = isComplete
        playlists = (0..<count).map { _ in Monitor(nil) }
        self.mostKept = mostKept / max(1, count)
    }

    /// The playlist of a subtitle.
    ///
    /// Concurrent callers wait for the playlist instead of creating it again.
    func playlist(of subtitle: Int, _ make: () -> [UInt8]) -> [UInt8] {
        playlists[subtitle].with { kept in
            if let kept { return kept }
            let made = make()
            if made.count <= mostKept { kept = made }
            return made
        }
    }
}
