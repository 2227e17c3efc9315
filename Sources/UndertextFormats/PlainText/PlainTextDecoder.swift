package import UndertextCore

/// Decodes packets that are one cue each: plain text, and formats that add little to it.
package struct PlainTextDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    private let reader: TextPacketReader
    private let parse: @Sendable ([UInt8]) -> Parsed
    private var hasReportedCode = false

    /// The text of a packet.
    struct Parsed {
        var text: StyledText
        var layout = CueLayout()
        /// The first code that cues cannot represent.
        var ignoredCode: String?
    }

    /// The sink of diagnostics.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`, whose packets are text without tags and positions.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        self.init(stream: stream, diagnostics: diagnostics) { bytes in
            Parsed(text: StyledText(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// A decoder that reads the bytes of a packet, valid UTF-8, with `parse`.
    init(
        stream: StreamDescription, diagnostics: DiagnosticSink,
        parse: @escaping @Sendable ([UInt8]) -> Parsed
    ) {
        reader = TextPacketReader(diagnostics)
        self.parse = parse
        header = SubtitleHeader(
            codec: stream.codec, language: stream.language, title: stream.title,
            codecPrivate: stream.codecPrivate)
    }

    /// The cue of one packet; none if it has no text.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let bytes = reader.text(of: packet)
        guard !bytes.isEmpty else { return [] }
        let parsed = parse(bytes)
        if let code = parsed.ignoredCode, !hasReportedCode {
            hasReportedCode = true
            diagnostics.report(
                .info, "ignored-code",
                "the code \(code) and similar codes are ignored", for: packet)
        }
        guard !parsed.text.isEmpty else { return [] }
        let cue = DecodedCue(
            start: timing.start, end: timing.end, layout: parsed.layout,
            content: .text(parsed.text))
        return [reader.event(cue)]
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}
}
