package import UndertextCore
internal import UndertextXML

/// Decodes packets of the Universal Subtitle Format: the content of a `subtitle` of its XML.
///
/// Matroska codec specification, `S_TEXT/USF`: the private data is the file without its subtitles.
package struct USFDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    private let styles: USFStyles
    private let reader: TextPacketReader
    private var hasReportedImages = false

    /// The sink of diagnostics.
    package var diagnostics: DiagnosticSink { reader.diagnostics }

    /// A decoder for `stream`.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        reader = TextPacketReader(diagnostics)
        styles = USFStyles(stream.codecPrivate)
        header = SubtitleHeader(
            codec: .usf, language: stream.language, title: stream.title,
            codecPrivate: stream.codecPrivate)
    }

    /// The cues of one packet: one for each of its texts.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let timing = reader.timing(of: packet) else { return [] }
        let bytes = reader.text(of: packet)
        guard !bytes.isEmpty else { return [] }
        let texts = USFText(styles: styles, start: timing.start)
        do throws(XMLError) {
            let document = Array("<subtitle>".utf8) + bytes + Array("</subtitle>".utf8)
            try XMLReader.read(document, handler: texts)
        } catch {
            diagnostics.report(
                .error, error.code.rawValue,
                "\(error.message); the rest of the packet is left out", for: packet)
        }
        texts.finish()
        if texts.surplus > 0 {
            diagnostics.report(
                .error, "too-many-texts",
                "a subtitle has more than \(texts.parts.count) texts: \(texts.surplus) are left out",
                for: packet)
        }
        if texts.hasImages, !hasReportedImages {
            hasReportedImages = true
            diagnostics.report(
                .warning, "ignored-image", "images in USF are not supported and are ignored",
                for: packet)
        }
        return texts.parts.map { part in
            let cue = DecodedCue(
                start: timing.start, end: timing.end, layout: part.layout,
                content: .text(part.text))
            return reader.event(cue)
        }
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}
}
