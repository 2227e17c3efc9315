internal import UndertextCore

extension SubtitleFormat {
    /// Advanced SubStation Alpha.
    public static let ass = script("ass", title: "ASS", .ass, kind: .ass, recognition: .signature)

    /// SubStation Alpha v4; files without a claim are recognized as ``ass``.
    public static let ssa = script("ssa", title: "SSA", .ssa, kind: .ssa, recognition: .named)

    private static func script(
        _ name: String, title: String, _ codec: CodecID, kind: ASSWriter.Kind,
        recognition: TextFile.Recognition
    ) -> SubtitleFormat {
        SubtitleFormat(
            name, title: title, fileExtensions: [name], containerNames: ["ass"], codecs: [codec],
            hasTextPackets: true, textFile: TextFile(ASSFileReader.self, recognition: recognition),
            decoder: { stream, _ in ASSDecoder(stream: stream) },
            output: .text { ASSWriter(kind, header: $0, streaming: $1) }, copying: .always,
            packetWriter: { stream, options in
                ASSPacketWriter(
                    codecPrivate: stream.codecPrivate,
                    isSSA: stream.codec == .ssa || isSSAScript(stream.codecPrivate),
                    streamIndex: stream.index, inputEnd: options.inputEnd)
            })
    }
}

/// A Boolean value that indicates whether a script's styles are those of SSA v4.
///
/// libavformat calls both `ass`.
private func isSSAScript(_ header: [UInt8]) -> Bool {
    unifiedLineEnds(header).split(separator: Byte.lineFeed).contains { line in
        line.drop { $0 <= Byte.space }.prefix(11).lazy.map {
            (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
        }.elementsEqual("[v4 styles]".utf8)
    }
}
