internal import UndertextCore

extension SubtitleFormat {
    /// SubViewer 1.
    package static let subViewer1 = SubtitleFormat(
        "subviewer1", title: "SubViewer 1", containerNames: ["subviewer1"], codecs: [.subViewer1],
        hasTextPackets: true,
        textFile: TextFile(SubViewer1FileReader.self, recognition: .firstLines, isCommon: false),
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(stream: stream, diagnostics: diagnostics) { bytes in
                // Bars separate lines.
                let text = bytes.map { $0 == UInt8(ascii: "|") ? 0x0A : $0 }
                return .init(text: StyledText(String(decoding: text, as: UTF8.self)))
            }
        })
}
