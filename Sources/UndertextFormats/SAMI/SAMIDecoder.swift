public import UndertextCore

/// Decodes what a SAMI file shows at a time: paragraphs of one language, a packet for each.
///
/// The stream's private data is the file's style sheet.
public struct SAMIDecoder: SubtitleDecoder {
    /// What belongs to the whole track.
    public let header: SubtitleHeader
    private let sheet: SAMIStyleSheet
    private var reader: TextPacketReader

    /// Where damage is reported.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        sheet = SAMIStyleSheet(stream.codecPrivate[...])
        header = SubtitleHeader(
            codec: .sami, language: stream.language, title: stream.title,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet; none if it has no text.
    public mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let bytes = reader.text(of: packet)
        let found = SAMIText(bytes, sheet: sheet)
        guard !found.text.isEmpty else { return [] }
        var layout = CueLayout()
        if let alignment = found.alignment {
            let column = alignment == .left ? 1 : 3
            layout = (NumpadAlignment(numpad: column) ?? .bottomCenter).layout()
        }
        let cue = Cue(
            start: timing.start, end: timing.start, layout: layout, content: .text(found.text))
        // What follows ends it; the reader has looked that up.
        let end = timing.end.map { CueDraft.KnownEnd(time: $0.time, source: .nextEvent) }
        return [reader.event(cue, end: end)]
    }

    /// Nothing is held back.
    public mutating func finish() -> [DecodedEvent] { [] }

    /// Starts anew after a seek.
    public mutating func reset() { reader.reset() }
}
