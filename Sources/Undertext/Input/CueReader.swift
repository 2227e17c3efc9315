/// Reads the cues of one subtitle track, the first ones at once, as players need them.
///
/// A cue comes out when its end is known, and cues come in the order in which they begin; text whose
/// packets stand out of order comes as late as its packet. Not `Sendable`: one thread at a time.
public final class CueReader {
    /// The track that is read.
    public let track: SubtitleTrack
    /// The part of the timeline whose cues come.
    public let window: TimeWindow
    private var decoder: TrackDecoder
    private let reader: TrackPacketReader
    /// Cues that came together and wait, the next one last.
    private var waiting: [Cue] = []
    private var hasEnded = false

    init(
        track: SubtitleTrack, window: TimeWindow, decoder: TrackDecoder, reader: TrackPacketReader
    ) {
        self.track = track
        self.window = window
        self.decoder = decoder
        self.reader = reader
    }

    /// The header of the track, as far as it is known by now.
    public var header: SubtitleHeader { decoder.header }

    /// The path by which packets are found; a wrong index turns it into a walk on the way.
    public var path: ReadPath { reader.path }

    /// The bytes, the requests and the paths of the reading so far.
    public var summary: ReadSummary { reader.summary }

    /// Returns the next cue, or `nil` at the end.
    ///
    /// - Throws: `UndertextError`: reading failed.
    public func next() throws(UndertextError) -> Cue? {
        while waiting.isEmpty {
            guard let cues = try nextCues() else { return nil }
            waiting = cues.reversed()
        }
        return waiting.popLast()
    }

    /// Returns the cues that the next packet finishes, often none; `nil` at the end.
    ///
    /// A caller uses either this or ``next()``.
    package func nextCues() throws(UndertextError) -> [Cue]? {
        guard !hasEnded else { return nil }
        if let packet = try reader.nextPacket() { return inWindow(decoder.decode(packet)) }
        hasEnded = true
        return inWindow(decoder.finish())
    }

    /// The diagnostics since the last call, without having ended the reading.
    public func takeDiagnostics() -> [Diagnostic] {
        decoder.takeDiagnostics() + reader.takeDiagnostics()
    }

    private func inWindow(_ cues: [Cue]) -> [Cue] {
        window.isAll ? cues : cues.filter { window.overlaps(from: $0.start, until: $0.end) }
    }
}
