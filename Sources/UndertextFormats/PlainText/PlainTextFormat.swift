internal import UndertextCore

extension SubtitleFormat {
    /// Text without any markup, as Matroska stores it; a copy becomes SubRip.
    package static let plainText = SubtitleFormat(
        "text", title: "Plain text", codecs: [.text], hasTextPackets: true,
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(stream: stream, diagnostics: diagnostics)
        }, nativeName: "srt")
}
