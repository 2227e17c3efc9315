internal import UndertextCore

extension SubtitleFormat {
    /// SubRip.
    public static let subRip = SubtitleFormat(
        "srt", title: "SubRip", fileExtensions: ["srt"], containerNames: ["srt"],
        codecs: [.subRip], hasTextPackets: true,
        textFile: TextFile(SubRipFileReader.self, recognition: .firstLines),
        decoder: { stream, _ in SubRipDecoder(stream: stream) },
        output: .text { header, _ in SubRipWriter(header: header) }, copying: .onRequest,
        packetWriter: { _, options in SubRipPacketWriter(inputEnd: options.inputEnd) })
}
