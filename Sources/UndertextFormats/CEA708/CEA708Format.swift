internal import UndertextCore

extension SubtitleFormat {
    /// CEA-708, captions of digital television (DTVCC); files are MCC.
    package static let cea708 = SubtitleFormat(
        "cea708", title: "CEA-708", codecs: [.cea708],
        decoder: { CEA708Decoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { _ in CaptionRandomAccess() }, sampleUnpacker: CDPUnpacker.self,
        nativeName: "vtt")
}
