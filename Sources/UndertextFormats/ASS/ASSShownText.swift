/// Finds what the text of an event shows between its override blocks, as `ASSTextParser` does.
enum ASSShownText {
    /// The shown pieces of an event in Matroska's form.
    ///
    /// - Parameters:
    ///   - event: The fields of the event.
    ///   - shown: The expected text: whether `\n` breaks the line depends on the script.
    /// - Returns: The pieces in their order; none for a line that is no event.
    static func pieces(of event: [UInt8], showing shown: [UInt8]) -> [ShownPiece] {
        let fields = ASSEvent.fields(of: event[...])
        guard fields.count == 9 else { return [] }
        var pieces: [ShownPiece] = []
        var position = 0
        var isDrawing = false
        var tokens = ASSTokenizer(fields[8])
        while let token = tokens.next() {
            switch token {
            case .comment: break
            case .tag(let name, _, let argument):
                if case .drawing(let scale) = ASSOverride(name, event[argument]) {
                    isDrawing = scale > 0
                }
            case .text(let range):
                if !isDrawing { append(event[range], showing: shown, at: &position, to: &pieces) }
            }
        }
        return pieces
    }

    private static func append(
        _ text: ArraySlice<UInt8>, showing shown: [UInt8], at position: inout Int,
        to pieces: inout [ShownPiece]
    ) {
        var index = text.startIndex
        while index < text.endIndex {
            let next = index + 1 < text.endIndex ? text[index + 1] : 0
            var (count, meaning): (Int, [UInt8]?) = (1, nil)
            if text[index] == 0x5C {
                switch next {
                case 0x4E: (count, meaning) = (2, [Byte.lineFeed])
                case 0x6E:
                    let breaks = position < shown.count && shown[position] == Byte.lineFeed
                    (count, meaning) = (2, [breaks ? Byte.lineFeed : Byte.space])
                case 0x68: (count, meaning) = (2, [0xC2, 0xA0])
                case 0x7B, 0x7D: (count, meaning) = (2, [next])
                case 0xE2 where text[(index + 2)...].starts(with: [0x81, 0xA0]):
                    (count, meaning) = (4, [0x5C])
                default: break
                }
            }
            if let meaning {
                pieces.append(index..<index + count, meaning: meaning)
                position += meaning.count
            } else {
                pieces.append(literal: index..<index + 1)
                position += 1
            }
            index += count
        }
    }

    /// Returns `true` if what follows an override block is a drawing.
    static func isDrawing(after block: ArraySlice<UInt8>, before: Bool) -> Bool {
        var isDrawing = before
        var tokens = ASSTokenizer(block)
        while let token = tokens.next() {
            if case .tag(let name, _, let argument) = token,
                case .drawing(let scale) = ASSOverride(name, block[argument])
            {
                isDrawing = scale > 0
            }
        }
        return isDrawing
    }

    /// Text as events write it, whatever follows.
    static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        ASSTextEscaping.append(text, isLast: false, to: &bytes)
        return bytes
    }
}
