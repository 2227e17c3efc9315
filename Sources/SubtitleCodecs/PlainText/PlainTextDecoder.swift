public import CueModel
public import MediaCore

/// Decodes packets of plain text: no tags, no positions.
public struct PlainTextDecoder: SubtitleDecoder, Sendable {
    /// What belongs to the whole track.
    public let header: SubtitleHeader
    private var reader = TextPacketReader()

    /// A decoder for `stream`.
    public init(stream: StreamDescription) {
        header = SubtitleHeader(
            codec: .text, language: stream.language, title: stream.title,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet; none if it has no text.
    public mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let bytes = reader.text(of: packet)
        guard !bytes.isEmpty else { return [] }
        let text = StyledText(String(decoding: bytes, as: UTF8.self))
        let cue = Cue(start: timing.start, end: timing.start, content: .text(text))
        return [reader.event(cue, end: timing.end)]
    }

    /// Nothing is held back.
    public mutating func finish() -> [DecodedEvent] { [] }

    /// Starts anew after a seek.
    public mutating func reset() { reader.reset() }

    /// What went wrong since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] { reader.takeDiagnostics() }
}
