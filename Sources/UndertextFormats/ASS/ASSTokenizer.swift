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
/// A `{` that is never closed is text; within braces everything that is not a tag is a comment. As in
/// libass `\{` and `\}` are braces. A word joiner (U+2060) behind a backslash keeps it from beginning
/// anything and is no part of the text: there is no other way to write a backslash before `N`.
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
        if let (token, length) = escape(at: start) {
            position += length
            return token
        }
        position += 1
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == 0x7B, !hasUnclosedBrace { break }
            if byte == 0x5C, escape(at: position) != nil { break }
            position += 1
        }
        return .text(start..<position)
    }

    /// What a backslash at `index` means, and how many bytes that takes; `nil` if it is a backslash.
    private func escape(at index: Int) -> (ASSToken, Int)? {
        guard bytes[index] == 0x5C, index + 1 < bytes.endIndex else { return nil }
        switch bytes[index + 1] {
        case 0x4E: return (.hardBreak, 2)
        case 0x6E: return (.softBreak, 2)
        case 0x68: return (.hardSpace, 2)
        case 0x7B, 0x7D: return (.text((index + 1)..<(index + 2)), 2)
        case 0xE2:
            guard index + 3 < bytes.endIndex, bytes[index + 2] == 0x81, bytes[index + 3] == 0xA0
            else { return nil }
            return (.text(index..<(index + 1)), 4)
        default: return nil
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
