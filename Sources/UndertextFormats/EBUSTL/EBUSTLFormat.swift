internal import UndertextCore

extension SubtitleFormat {
    /// EBU STL, the binary exchange format of broadcasters.
    package static let ebuSTL = SubtitleFormat(
        "stl", title: "EBU STL", fileExtensions: ["stl"], containerNames: ["ebu_stl"],
        codecs: [.ebuSTL], countsFrames: true, writtenFrameRates: EBUSTLWriter.frameRates,
        textFile: TextFile(
            EBUSTLFileReader.self, isCommon: false, isBinary: true,
            reader: { EBUSTLFileReader($0, limits: $1, frameRate: $2, diagnostics: $3) }),
        decoder: { stream, _, diagnostics in
            EBUSTLDecoder(stream: stream, diagnostics: diagnostics)
        },
        output: .text { EBUSTLWriter(header: $0, frameRate: $1.frameRate) },
        copying: .alwaysWithSameTimes,
        packetWriter: { stream, _, diagnostics in
            EBUSTLPacketWriter(stream: stream, diagnostics: diagnostics)
        })
}
