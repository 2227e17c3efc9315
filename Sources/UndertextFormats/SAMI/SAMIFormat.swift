internal import UndertextCore

extension SubtitleFormat {
    /// Synchronized Accessible Media Interchange.
    public static let sami = SubtitleFormat(
        "sami", title: "SAMI", fileExtensions: ["sami", "smi"], containerNames: ["sami"],
        codecs: [.sami], hasTextPackets: true, textFile: TextFile(SAMIFileReader.self),
        decoder: { stream, _ in SAMIDecoder(stream: stream) })
}
