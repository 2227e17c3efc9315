package import UndertextCore

/// Reads a TTML file as one packet: the whole document.
///
/// TTML, IMSC, EBU-TT-D, SMPTE-TT and DFXP are one format here. A document that shows images and no text is a
/// stream of images.
package final class TTMLFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream: StreamDescription
    /// The files beside the document that it shows, plain names only.
    package let linkedFiles: [String]
    private let document: [UInt8]
    private let limits: Limits
    private var isAtEnd = false

    /// Creates a reader for a document: valid UTF-8 without a byte order mark; its XML declaration is ignored.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        self.limits = limits
        self.diagnostics = diagnostics
        document = XMLProlog.statingUTF8(text)
        let facts =
            document.count <= limits.packetSize ? TTMLSummary(document, limits: limits) : nil
        linkedFiles = facts?.imageFiles ?? []
        let isImages = facts.map { $0.hasImages && !$0.hasText } ?? false
        stream = StreamDescription(
            index: 0, kind: isImages ? .bitmap : .text, codec: .ttml,
            language: facts?.language, title: facts?.title.isEmpty ?? true ? nil : facts?.title,
            size: isImages ? facts?.size : nil)
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { isAtEnd ? document.count : 0 }

    /// The reason why `text` is not TTML; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        guard let name = XMLProlog.rootElement(of: text) else { return "it is not XML" }
        guard let local = name.split(separator: Byte.colon, maxSplits: 1).last,
            local.elementsEqual("tt".utf8)
        else {
            let shown = String(decoding: name.prefix(40), as: UTF8.self)
            return "its root element is <\(shown)>, not <tt>"
        }
        return nil
    }

    /// The document; then `nil`.
    package func nextPacket() throws(UndertextError) -> Packet? {
        guard !isAtEnd else { return nil }
        isAtEnd = true
        guard document.count <= limits.packetSize else {
            diagnostics.report(
                .error, "too-large",
                "the document has \(document.count) bytes, more than the \(limits.packetSize) allowed",
                streamIndex: 0)
            return nil
        }
        return Packet(streamIndex: 0, pts: 0, timeBase: stream.timeBase, data: document)
    }
}
