internal import UndertextCore

extension SubtitleFormat {
    /// SubRip.
    package static let subRip = SubtitleFormat(
        "srt", title: "SubRip", fileExtensions: ["srt"], containerNames: ["srt"],
        codecs: [.subRip], hasTextPackets: true,
        textFile: TextFile(SubRipFileReader.self, recognition: .firstLines),
        decoder: { stream, _, diagnostics in
            SubRipDecoder(stream: stream, diagnostics: diagnostics)
        },
        output: .text { header, _ in SubRipWriter(header: header) }, copying: .onRequest,
        packetWriter: { _, options, diagnostics in
            SubRipPacketWriter(inputEnd: options.inputEnd, diagnostics: diagnostics)
        })
}
