public import UndertextCore
internal import UndertextFormats

/// Reads the cues of one or several tracks in one pass, and returns the first ones immediately, for players.
///
/// A cue is returned when its end is known, and cues are ordered by start; text whose packets are out of order
/// arrives with its packet. Not `Sendable`: use it on one thread at a time.
public final class CueReader {
    /// The part of the timeline whose cues come.
    package let window: TimeWindow
    private let media: Media
    private let reader: TrackPacketReader
    /// The decoders, one for each decoded track.
    private var decoders: [TrackDecoder]
    /// The streams of ``decoders``, and the position of the latest lookup, which usually repeats.
    private let streams: [Int]
    private var latest = 0
    private let diagnostics: DiagnosticSink
    /// `true` if plain cues of the only track may come instead of packets.
    private let takesPlainCues: Bool
    /// Pending cues that were completed together; the next one is last.
    private var waiting: [Cue] = []
    private var hasEnded = false

    /// Opens the packets of some tracks.
    ///
    /// - Parameters:
    ///   - tracks: The tracks.
    ///   - media: The input that they belong to.
    ///   - decoders: The decoders of those whose cues are wanted.
    ///   - window: The part of the timeline that is wanted.
    ///   - takesPlainCues: `true` if ``Step/plainCues(_:firstOrder:)`` may come instead of packets.
    ///   - diagnostics: The sink of the decoders, if ``takeDiagnostics()`` is to return what they report.
    /// - Throws: `UndertextError` as ``Media/packetReader(of:in:)``.
    init(
        _ tracks: [SubtitleTrack], of media: Media, decoders: [TrackDecoder], in window: TimeWindow,
        takesPlainCues: Bool = false, diagnostics: DiagnosticSink = DiagnosticSink()
    ) throws(UndertextError) {
        self.diagnostics = diagnostics
        self.window = window
        self.media = media
        reader = try media.packetReader(of: tracks, in: window)
        self.decoders = decoders
        streams = decoders.map(\.stream.index)
        self.takesPlainCues =
            takesPlainCues && tracks.count == 1 && window.isAll
            && decoders.first?.takesPlainCues == true
        if let end = window.end {
            reader.needsMore = { [weak self] in
                self?.decoders.contains { $0.shows(before: end) } ?? false
            }
        }
    }

    /// The path by which packets are found; a wrong index turns it into a walk on the way.
    package var path: ReadPath { reader.path }

    /// The bytes, the requests and the paths of the reading so far.
    package var summary: ReadSummary { reader.summary }

    // MARK: One track

    /// The part of the track's header that is known by now.
    public var header: SubtitleHeader { decoders.first?.header ?? SubtitleHeader() }

    /// Returns the next cue, or `nil` at the end.
    ///
    /// - Throws: `UndertextError`: reading failed.
    public func next() throws(UndertextError) -> Cue? {
        while waiting.isEmpty {
            let cues = try media.exclusively { () throws(UndertextError) in try nextCues() }
            guard let cues else { return nil }
            waiting = cues.reversed()
        }
        return waiting.popLast()
    }

    /// Returns the cues that the next packet finishes, often none; `nil` at the end.
    ///
    /// A caller uses either this or ``next()``.
    package func nextCues() throws(UndertextError) -> [Cue]? {
        guard !hasEnded else { return nil }
        var cues: [Cue] = []
        if try step(finishing: &cues) != nil { return cues }
        hasEnded = true
        return streams.flatMap { finish($0) }
    }

    /// The diagnostics since the last call, without having ended the reading.
    public func takeDiagnostics() -> [Diagnostic] {
        diagnostics.take() + reader.takeDiagnostics()
    }

    // MARK: Several tracks in one pass

    /// A step of the reading.
    enum Step {
        /// A packet, which finishes cues if its track is decoded.
        case packet(Packet)
        /// Cues of the only track, stream 0 of a text file, that need no decoding; and the position of the first one.
        case plainCues(PlainCues, firstOrder: Int)

        /// The stream of its track.
        var streamIndex: Int {
            if case .packet(let packet) = self { packet.streamIndex } else { 0 }
        }
    }

    /// Reads and decodes the next packet.
    ///
    /// - Parameter cues: Gets the cues that are finished by it, which come before plain cues.
    /// - Returns: The step, or `nil` at the end of the input.
    /// - Throws: `UndertextError`: reading failed.
    func step(finishing cues: inout [Cue]) throws(UndertextError) -> Step? {
        if takesPlainCues, let plain = reader.nextPlainCues(), let first = plain.entries.first {
            cues += decoders[0].settle(before: .milliseconds(first.start))
            let order = decoders[0].countPlainCues(plain.entries.count)
            return .plainCues(plain, firstOrder: order)
        }
        guard let packet = try reader.nextPacket() else { return nil }
        if let position = position(of: packet.streamIndex) {
            decoders[position].decode(packet, into: &cues)
        }
        if !window.isAll { cues.removeAll { !isInWindow($0) } }
        return .packet(packet)
    }

    /// Returns the cues of a track that wait for their ends when the input has ended.
    func finish(_ stream: Int) -> [Cue] {
        guard let position = position(of: stream) else { return [] }
        return decoders[position].finish().filter(isInWindow)
    }

    /// The part of a decoded track's header that is known by now.
    func header(of stream: Int) -> SubtitleHeader? {
        position(of: stream).map { decoders[$0].header }
    }

    /// Reports once that the images of a track cost more than they may.
    func reportBudget(of stream: Int) {
        guard let position = position(of: stream) else { return }
        decoders[position].reportBudget()
    }

    private func position(of stream: Int) -> Int? {
        if streams.indices.contains(latest), streams[latest] == stream { return latest }
        guard let position = streams.firstIndex(of: stream) else { return nil }
        latest = position
        return position
    }

    private func isInWindow(_ cue: Cue) -> Bool {
        window.isAll || window.overlaps(from: cue.start, until: cue.end)
    }
}
