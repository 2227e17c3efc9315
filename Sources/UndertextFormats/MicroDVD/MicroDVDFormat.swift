internal import UndertextCore

extension SubtitleFormat {
    /// MicroDVD, whose times are numbers of frames.
    public static let microDVD = SubtitleFormat(
        "microdvd", title: "MicroDVD", containerNames: ["microdvd"], codecs: [.microDVD],
        hasTextPackets: true, countsFrames: true,
        textFile: TextFile(
            MicroDVDFileReader.self, recognition: .firstLines, isCommon: false,
            reader: { MicroDVDFileReader($0, limits: $1, frameRate: $2) }),
        decoder: { stream, _ in
            PlainTextDecoder(
                stream: stream, parse: MicroDVDText(defaultCodes: stream.codecPrivate).parse)
        })
}
