internal import UndertextCore

extension SubtitleFormat {
    /// JACOsub, scripts of an Amiga program.
    package static let jacoSub = SubtitleFormat(
        "jacosub", title: "JACOsub", fileExtensions: ["jss"], containerNames: ["jacosub"],
        codecs: [.jacoSub], hasTextPackets: true, countsFrames: true,
        textFile: TextFile(
            JACOsubFileReader.self, recognition: .firstLines, isCommon: false,
            reader: { JACOsubFileReader($0, limits: $1, frameRate: $2, diagnostics: $3) }),
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(
                stream: stream, diagnostics: diagnostics, parse: JACOsubText.parse)
        })
}
