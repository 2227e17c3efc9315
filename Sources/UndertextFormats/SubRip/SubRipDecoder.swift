package import UndertextCore

/// Decodes SubRip packets: the text of a cue without number and times.
package struct SubRipDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    private let reader: TextPacketReader

    /// The sink of diagnostics.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        header = SubtitleHeader(
            codec: .subRip, language: stream.language, title: stream.title,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet; none if it has no text.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        var events: [DecodedEvent] = []
        decode(packet, into: &events)
        return events
    }

    /// Appends the cue of one packet; none if it has no text.
    package mutating func decode(_ packet: Packet, into events: inout [DecodedEvent]) {
        guard let timing = reader.timing(of: packet) else { return }
        let bytes = reader.text(of: packet)
        let parsed = SubRipText(bytes)
        guard !parsed.text.isEmpty else { return }
        var layout = parsed.layout
        if parsed.position == nil, parsed.alignment == nil,
            let coordinates = packet.sideData(.subtitlePosition),
            let placed = SubRipCoordinates(coordinates)?.layout
        {
            layout = placed
        }
        let cue = DecodedCue(
            start: timing.start, end: timing.end, layout: layout, content: .text(parsed.text),
            source: parsed.isPlain ? nil : .subRip(String(decoding: bytes, as: UTF8.self)))
        events.append(reader.event(cue))
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}
}
