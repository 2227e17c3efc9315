internal import UndertextCore

/// The first lines of a WebVTT file.
///
/// W3C WebVTT, section 4.1, allows the signature with a title; RFC 8216, section 3.5, the time map of a
/// segment. Other lines that some programs put there (`Kind:`, `Language:`) no reader uses.
struct WebVTTSignature {
    /// The lines without the end of the last one.
    private(set) var bytes = Array("WEBVTT".utf8)
    /// `true` if the header of the source has lines that are not written.
    private(set) var losesLines = false

    /// The lines for cues of a track with that header.
    init(_ header: SubtitleHeader) {
        guard header.codec == .webVTT, WebVTTFileHeader.hasSignature(header.codecPrivate) else {
            return
        }
        let text = unifiedLineEnds(header.codecPrivate.prefix { $0 != 0 }.withoutByteOrderMark)
        let lines = text.split(separator: Byte.lineFeed, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            // An empty line ends the header, and so does an arrow.
            let bytes = Array(line)
            if bytes.isEmpty || bytes != replacing("-->", with: "", in: bytes) { return }
            if number == 0 {
                self.bytes = bytes
            } else if bytes.starts(with: "X-TIMESTAMP-MAP=".utf8) {
                self.bytes += [Byte.lineFeed] + bytes
            } else {
                losesLines = true
            }
        }
    }
}
