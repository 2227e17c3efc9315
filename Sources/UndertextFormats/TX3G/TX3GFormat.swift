internal import UndertextCore

extension SubtitleFormat {
    /// 3GPP timed text; a copy becomes SubRip, because the format has no files.
    package static let tx3g = SubtitleFormat(
        "tx3g", title: "3GPP timed text", codecs: [.movText], packetText: TX3GPacketText(),
        forcesSingleCues: true,
        decoder: { stream, _, diagnostics in TX3GDecoder(stream: stream, diagnostics: diagnostics)
        },
        nativeName: "srt")
}
