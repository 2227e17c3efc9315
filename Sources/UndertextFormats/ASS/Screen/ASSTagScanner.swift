/// A piece of the text of an event, for those who change or measure it rather than understand it.
package enum ASSTagPiece {
    /// What is drawn, escapes included.
    case letters(Range<Int>)
    /// What stands within braces and is no tag, the braces included.
    case other(Range<Int>)
    /// A tag from its backslash to the end of its argument.
    case tag(ASSTagName, Range<Int>, argument: Range<Int>)
}

/// The tags that libass knows.
///
/// A tag's name ends where its argument begins, which nothing marks: the first name fits with which the text goes on.
package enum ASSTagName: String, CaseIterable {
    case xbord, ybord, xshad, yshad, iclip, alpha
    case blur, bord, shad, fade, move, clip, fscx, fscy
    case fsp, frx, fry, frz, fax, fay, fad, pos, org, pbo, fsc
    case an, be, fs, fn, fe, fr, kf, ko, kt
    case color1 = "1c"
    case color2 = "2c"
    case color3 = "3c"
    case color4 = "4c"
    case alpha1 = "1a"
    case alpha2 = "2a"
    case alpha3 = "3a"
    case alpha4 = "4a"
    case a, b, c, i, k, p, q, r, s, t, u
    case upperK = "K"

    /// The tag that bytes begin with, behind the backslash.
    init?(beginningOf bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first, let names = Self.byFirstByte[first],
            let found = names.first(where: { bytes.starts(with: $0.bytes) })
        else { return nil }
        self = found.name
    }

    /// Longer names stand first.
    private static let byFirstByte: [UInt8: [(name: ASSTagName, bytes: [UInt8])]] = Dictionary(
        grouping: allCases.map { ($0, Array($0.rawValue.utf8)) }, by: { $0.1[0] })
}

/// Cuts the text of an event into letters and tags, those within `\t(…)` included.
package struct ASSTagScanner {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// Where the block ends that `position` is in.
    private var blockEnd: Int?
    /// How many parentheses of tags are open that hold tags.
    private var depth = 0
    /// Whether nothing after `position` closes a brace: all that follows is letters.
    private var hasOpenBrace = false

    /// Starts at the first byte.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The next piece; together they are all of the text.
    package mutating func next() -> ASSTagPiece? {
        guard position < bytes.endIndex else { return nil }
        let start = position
        if let end = blockEnd { return pieceOfBlock(from: start, end: end) }
        if bytes[start] == 0x7B, !hasOpenBrace {
            if let end = bytes[start...].firstIndex(of: 0x7D) {
                blockEnd = end
                depth = 0
                position = bytes[start..<end].firstIndex(of: 0x5C) ?? end
                return .other(start..<position)
            }
            hasOpenBrace = true
        }
        position += 1
        var isEscaped = bytes[start] == 0x5C
        while position < bytes.endIndex, bytes[position] != 0x7B || isEscaped || hasOpenBrace {
            isEscaped = bytes[position] == 0x5C
            position += 1
        }
        return .letters(start..<position)
    }

    private mutating func pieceOfBlock(from start: Int, end: Int) -> ASSTagPiece {
        guard start < end else {
            position = end + 1
            blockEnd = nil
            return .other(start..<position)
        }
        var name = start + 1
        while bytes[start] == 0x5C, name < end, bytes[name] == 0x20 || bytes[name] == 0x09 {
            name += 1
        }
        guard bytes[start] == 0x5C, let tag = ASSTagName(beginningOf: bytes[name..<end]) else {
            position = bytes[(start + 1)..<end].firstIndex(of: 0x5C) ?? end
            return .other(start..<position)
        }
        let argument = name + tag.rawValue.utf8.count
        position = argument
        if tag == .t {
            // What stands before the first tag within are times.
            position = bytes[argument..<end].firstIndex(of: 0x5C) ?? end
            if bytes[argument..<position].contains(0x28) { depth += 1 }
            return .tag(tag, start..<position, argument: argument..<position)
        }
        var open = 0
        while position < end, bytes[position] != 0x5C {
            if bytes[position] == 0x28 { open += 1 }
            if bytes[position] == 0x29 {
                if open == 0, depth > 0 {
                    // The end of `\t(`, up to the next tag.
                    depth -= 1
                    break
                }
                open = max(0, open - 1)
            }
            position += 1
        }
        return .tag(tag, start..<position, argument: argument..<position)
    }
}
