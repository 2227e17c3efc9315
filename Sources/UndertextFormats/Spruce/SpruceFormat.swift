internal import UndertextCore

extension SubtitleFormat {
    /// Spruce STL, the text format of a DVD authoring program.
    package static let spruce = SubtitleFormat(
        "spruce", title: "Spruce STL", containerNames: ["stl"], codecs: [.spruce],
        hasTextPackets: true, countsFrames: true,
        textFile: TextFile(
            SpruceFileReader.self, recognition: .firstLines, isCommon: false,
            reader: { SpruceFileReader($0, limits: $1, frameRate: $2, diagnostics: $3) }),
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(stream: stream, diagnostics: diagnostics, parse: SpruceText.parse)
        })
}
