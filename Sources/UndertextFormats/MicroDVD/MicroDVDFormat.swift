internal import UndertextCore

extension SubtitleFormat {
    /// MicroDVD, whose times are numbers of frames.
    package static let microDVD = SubtitleFormat(
        "microdvd", title: "MicroDVD", containerNames: ["microdvd"], codecs: [.microDVD],
        hasTextPackets: true, countsFrames: true,
        textFile: TextFile(
            MicroDVDFileReader.self, recognition: .firstLines, isCommon: false,
            reader: { MicroDVDFileReader($0, limits: $1, frameRate: $2, diagnostics: $3) }),
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(
                stream: stream, diagnostics: diagnostics,
                parse: MicroDVDText(defaultCodes: stream.codecPrivate).parse)
        })
}
