/// The cues of one subtitle stream as they are read: for players, which want the first ones at once.
///
/// A cue comes out when its end is known, and cues come in the order in which they begin; text whose
/// packets stand out of order comes as late as its packet. Not `Sendable`: one thread at a time.
public final class CueReader {
    /// The stream that is read.
    public let stream: StreamDescription
    /// The part of the timeline whose cues come.
    public let window: TimeWindow
    private var decoder: TrackDecoder
    private let reader: TrackPacketReader
    private var hasEnded = false

    init(
        stream: StreamDescription, window: TimeWindow, decoder: TrackDecoder,
        reader: TrackPacketReader
    ) {
        self.stream = stream
        self.window = window
        self.decoder = decoder
        self.reader = reader
    }

    /// What belongs to the whole track, as far as it is known by now.
    public var header: SubtitleHeader { decoder.header }

    /// How packets are found; a wrong index turns it into a walk on the way.
    public var path: ReadPath { reader.path }

    /// How the input has been read so far.
    public var summary: ReadSummary { reader.summary }

    /// The cues that the next packet finishes, often none; `nil` at the end.
    ///
    /// - Throws: `UndertextError`: reading failed.
    public func next() throws(UndertextError) -> [Cue]? {
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

extension Media {
    /// A reader of the cues of one subtitle stream.
    ///
    /// - Parameters:
    ///   - index: the stream's index, as probe prints it.
    ///   - window: only cues that are on screen in this part, on the clock of
    ///     ``Options/timeline``; what was shown before it began and still is comes too.
    /// - Returns: the reader.
    /// - Throws: `UndertextError`: reading failed, there is no such subtitle stream
    ///   (`UndertextError/Code/notFound`), or no decoder (`UndertextError/Code/unsupported`).
    public func cueReader(
        ofStream index: Int, in window: TimeWindow = .all
    ) throws(UndertextError) -> CueReader {
        guard let stream = subtitleStreams.first(where: { $0.index == index }) else {
            throw UndertextError(
                .notFound, "there is no such subtitle stream in it", path: input.argument,
                streamIndex: index)
        }
        let decoder = try TrackDecoder(
            stream: stream, mapping: timeline, container: description, forcedOnly: false,
            limits: options.limits, images: options.decoding, isTextFile: charset != nil)
        return CueReader(
            stream: stream, window: window, decoder: decoder,
            reader: try packets(of: [index], in: window))
    }

    /// Why the cues of a stream cannot be decoded, told from its codec alone; `nil` if they should be.
    public static func decodingRefusal(for stream: StreamDescription) -> String? {
        SubtitleFormat.decodingRefusal(of: stream.codec)
    }
}
