internal import UndertextCore

extension SubtitleFormat {
    /// Advanced SubStation Alpha.
    package static let ass = script("ass", title: "ASS", .ass, kind: .ass, recognition: .signature)

    /// SubStation Alpha v4; files without a claim are recognized as ``ass``.
    package static let ssa = script("ssa", title: "SSA", .ssa, kind: .ssa, recognition: .named)

    private static func script(
        _ name: String, title: String, _ codec: CodecID, kind: ASSWriter.Kind,
        recognition: TextFile.Recognition
    ) -> SubtitleFormat {
        SubtitleFormat(
            name, title: title, fileExtensions: [name], containerNames: ["ass"], codecs: [codec],
            hasTextPackets: true, inlineTimes: ASSInlineTimes(),
            textFile: TextFile(ASSFileReader.self, recognition: recognition),
            decoder: { stream, _, diagnostics in
                ASSDecoder(stream: stream, diagnostics: diagnostics)
            },
            output: .text { ASSWriter(kind, header: $0, streaming: $1.isStreaming) },
            copying: .always,
            packetWriter: { ASSPacketWriter(stream: $0, inputEnd: $1.inputEnd, diagnostics: $2) })
    }
}
