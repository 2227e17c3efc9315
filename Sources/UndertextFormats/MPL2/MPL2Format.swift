internal import UndertextCore

extension SubtitleFormat {
    /// MPL2.
    package static let mpl2 = SubtitleFormat(
        "mpl2", title: "MPL2", fileExtensions: ["mpl", "mpl2"], containerNames: ["mpl2"],
        codecs: [.mpl2], hasTextPackets: true,
        textFile: TextFile(MPL2FileReader.self, recognition: .firstLines, isCommon: false),
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(stream: stream, diagnostics: diagnostics, parse: MPL2Text.parse)
        })
}
