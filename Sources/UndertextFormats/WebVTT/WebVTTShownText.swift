/// Finds what WebVTT cue text shows between its tags, ruby text included.
enum WebVTTShownText {
    static func pieces(of bytes: [UInt8], showing _: [UInt8]) -> [ShownPiece] {
        var pieces: [ShownPiece] = []
        var tokens = WebVTTTokenizer(bytes)
        var start = 0
        while let token = tokens.next() {
            if case .text = token { append(bytes, start..<tokens.position, to: &pieces) }
            start = tokens.position
        }
        return pieces
    }

    private static func append(
        _ bytes: [UInt8], _ range: Range<Int>, to pieces: inout [ShownPiece]
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == 0x26, let reference = WebVTTCharacterReference(bytes, at: index) {
                pieces.append(index..<reference.end, meaning: Array(reference.text.utf8))
                index = reference.end
            } else {
                pieces.append(literal: index..<index + 1)
                index += 1
            }
        }
    }

    /// Text with references for the letters that begin tags and references.
    static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 { WebVTTCueEncoder.appendEscaped(byte, to: &bytes) }
        return bytes
    }
}
