/// Finds what SubRip text shows between its tags, as `SubRipParser` does.
enum SubRipShownText {
    static func pieces(of bytes: [UInt8], showing _: [UInt8]) -> [ShownPiece] {
        var pieces: [ShownPiece] = []
        var index = 0
        var hasUnclosedBrace = false
        var isDrawing = false
        while index < bytes.count {
            if bytes[index] == 0x3C, let tag = SubRipTag(bytes, at: index) {
                if tag.name == .lineBreak {
                    pieces.append(index..<tag.end, meaning: [Byte.lineFeed])
                }
                index = tag.end
                continue
            }
            if bytes[index] == 0x7B, !hasUnclosedBrace, index + 1 < bytes.count,
                bytes[index + 1] == 0x5C
            {
                if let end = bytes[index...].firstIndex(of: 0x7D) {
                    isDrawing = ASSShownText.isDrawing(after: bytes[index...end], before: isDrawing)
                    index = end + 1
                    continue
                }
                hasUnclosedBrace = true
            }
            if !isDrawing { pieces.append(literal: index..<index + 1) }
            index += 1
        }
        return pieces
    }
}
