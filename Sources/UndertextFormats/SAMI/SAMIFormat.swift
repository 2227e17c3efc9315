internal import UndertextCore

extension SubtitleFormat {
    /// Synchronized Accessible Media Interchange.
    package static let sami = SubtitleFormat(
        "sami", title: "SAMI", fileExtensions: ["smi", "sami"], containerNames: ["sami"],
        codecs: [.sami], hasTextPackets: true, holdsSeveralTracks: true,
        textFile: TextFile(SAMIFileReader.self),
        decoder: { stream, _, diagnostics in SAMIDecoder(stream: stream, diagnostics: diagnostics) }
    )
}
