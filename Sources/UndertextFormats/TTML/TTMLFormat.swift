internal import UndertextCore

extension SubtitleFormat {
    /// Timed Text Markup Language; written as IMSC 1.1.
    package static let ttml = SubtitleFormat(
        "ttml", title: "TTML", fileExtensions: ["ttml", "dfxp"], containerNames: ["ttml"],
        codecs: [.ttml], packetText: TTMLPacketText(), forcesSingleCues: true,
        textFile: TextFile(
            TTMLFileReader.self, statedCharset: { XMLProlog.encoding(of: $0) }),
        decoder: { TTMLDecoder(stream: $0, options: $1, diagnostics: $2) },
        randomAccess: { _ in TTMLRandomAccess() }, sampleUnpacker: STPPUnpacker.self,
        output: .text { header, _ in TTMLWriter(header: header) }, copying: .withSameTimes,
        packetWriter: { stream, _, diagnostics in
            TTMLPacketWriter(stream: stream, diagnostics: diagnostics)
        })
}

/// The rule of TTML: the content of one document may continue in the next one.
struct TTMLRandomAccess: RandomAccessRule {
    var mayContinue: Bool { true }

    func role(of data: [UInt8]) -> PacketRole {
        PacketRole(
            isRandomAccessPoint: true,
            shows: TTMLSummary(data).map { $0.hasText || $0.hasImages } ?? true)
    }
}
