package import UndertextCore

/// Decodes what a SAMI file shows at a time: paragraphs of one language, a packet for each.
///
/// The stream's private data is the file's style sheet.
package struct SAMIDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    private let sheet: SAMIStyleSheet
    private let reader: TextPacketReader

    /// The sink of diagnostics.
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
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let bytes = reader.text(of: packet)
        let found = SAMIText(bytes, sheet: sheet)
        guard !found.text.isEmpty else { return [] }
        var layout = CueLayout()
        if let alignment = found.alignment {
            let column = alignment == .left ? 1 : 3
            layout = (NumpadAlignment(numpad: column) ?? .bottomCenter).layout()
        }
        // The next cue ends it; the reader has determined that time.
        let end = timing.end.map { DecodedCue.KnownEnd(time: $0.time, source: .nextEvent) }
        let cue = DecodedCue(
            start: timing.start, end: end, layout: layout, content: .text(found.text))
        return [reader.event(cue)]
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}
}
