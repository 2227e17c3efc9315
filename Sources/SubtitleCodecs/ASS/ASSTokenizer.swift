/// A piece of the text of an ASS event.
enum ASSToken: Hashable {
    /// Plain bytes.
    case text(Range<Int>)
    /// `\N`: a line break.
    case hardBreak
    /// `\n`: a space, or a line break under wrap style 2.
    case softBreak
    /// `\h`: a space that does not break.
    case hardSpace
    /// An override tag.
    case override(ASSOverride)
}

/// Cuts the text of an ASS event into pieces.
///
/// A `{` that is never closed is text; within braces everything that is not a tag is a comment.
struct ASSTokenizer {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// Where the block of tags ends that `position` is in.
    private var blockEnd: Int?
    private var hasUnclosedBrace = false

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The next piece; `nil` at the end.
    mutating func next() -> ASSToken? {
        while true {
            if let end = blockEnd {
                if let tag = nextOverride(before: end) { return .override(tag) }
                position = end + 1
                blockEnd = nil
            }
            guard position < bytes.endIndex else { return nil }
            if bytes[position] == 0x7B, !hasUnclosedBrace {
                if let end = bytes[position...].firstIndex(of: 0x7D) {
                    blockEnd = end
                    position += 1
                    continue
                }
                hasUnclosedBrace = true
            }
            return textToken()
        }
    }

    private mutating func textToken() -> ASSToken {
        let start = position
        if bytes[start] == 0x5C, start + 1 < bytes.endIndex, let token = escape(bytes[start + 1]) {
            position += 2
            return token
        }
        position += 1
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == 0x7B, !hasUnclosedBrace { break }
            if byte == 0x5C, position + 1 < bytes.endIndex, escape(bytes[position + 1]) != nil {
                break
            }
            position += 1
        }
        return .text(start..<position)
    }

    private func escape(_ byte: UInt8) -> ASSToken? {
        switch byte {
        case 0x4E: .hardBreak
        case 0x6E: .softBreak
        case 0x68: .hardSpace
        default: nil
        }
    }

    /// The next tag of the block that ends at `end`.
    private mutating func nextOverride(before end: Int) -> ASSOverride? {
        guard let start = bytes[position..<end].firstIndex(of: 0x5C) else { return nil }
        position = start + 1
        // The argument may hold tags itself, within parentheses: \t(0,500,\fs20).
        var depth = 0
        while position < end {
            let byte = bytes[position]
            if byte == 0x28 { depth += 1 }
            if byte == 0x29, depth > 0 {
                depth -= 1
                if depth == 0 {
                    position += 1
                    break
                }
            }
            if byte == 0x5C, depth == 0 { break }
            position += 1
        }
        return ASSOverride(bytes[(start + 1)..<position])
    }
}
