internal import UndertextCore

extension SubtitleFormat {
    /// Universal Subtitle Format, as Matroska stores it.
    package static let usf = SubtitleFormat(
        "usf", title: "USF", codecs: [.usf], hasTextPackets: true,
        decoder: { stream, _, diagnostics in USFDecoder(stream: stream, diagnostics: diagnostics) })
}
