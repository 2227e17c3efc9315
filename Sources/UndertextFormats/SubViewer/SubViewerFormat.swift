internal import UndertextCore

extension SubtitleFormat {
    /// SubViewer, version 1 or 2, and YouTube's `.sbv`; libavformat reads version 1.
    package static let subViewer = SubtitleFormat(
        "subviewer", title: "SubViewer", fileExtensions: ["sbv"],
        containerNames: ["subviewer", "subviewer1"], codecs: [.subViewer], hasTextPackets: true,
        textFile: TextFile(SubViewerFileReader.self, recognition: .firstLines, isCommon: false),
        decoder: { stream, _, diagnostics in
            PlainTextDecoder(
                stream: stream, diagnostics: diagnostics, parse: SubViewerText.parse)
        })
}
