internal import UndertextCore

/// A piece of the text of an event; all pieces together are the text.
package enum ASSToken {
    /// Text that is drawn, escapes included.
    case text(Range<Int>)
    /// Bytes of an override block that belong to no tag, its braces among them.
    case comment(Range<Int>)
    /// A tag from its backslash to the end of its argument.
    case tag(ASSTagName, Range<Int>, argument: Range<Int>)
}

/// Splits the text of an event into text, comments and override tags.
///
/// A `{` that is never closed is text. As in libass, `\{` and `\}` are braces.
package struct ASSTokenizer {
    private let bytes: ArraySlice<UInt8>
    private let splitsArguments: Bool
    private var position: Int
    /// The end of the override block that `position` is in.
    private var blockEnd: Int?
    /// The number of open parentheses that contain tags.
    private var depth = 0
    /// `true` if nothing after `position` closes a brace: all that follows is text.
    private var hasOpenBrace = false

    /// Starts at the first byte.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - splitsArguments: `true` if the tags within `\t(…)` are separate tokens; otherwise they are part of
    ///     its argument.
    package init(_ bytes: ArraySlice<UInt8>, splitsArguments: Bool = false) {
        self.bytes = bytes
        self.splitsArguments = splitsArguments
        position = bytes.startIndex
    }

    /// The next piece; `nil` at the end.
    package mutating func next() -> ASSToken? {
        guard position < bytes.endIndex else { return nil }
        let start = position
        if let end = blockEnd { return tokenOfBlock(from: start, end: end) }
        if bytes[start] == 0x7B, !hasOpenBrace {
            if let end = bytes[start...].firstIndex(of: 0x7D) {
                blockEnd = end
                depth = 0
                position = bytes[start..<end].firstIndex(of: 0x5C) ?? end
                return .comment(start..<position)
            }
            hasOpenBrace = true
        }
        position += 1
        var isEscaped = bytes[start] == 0x5C
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == 0x7B, !isEscaped, !hasOpenBrace { break }
            isEscaped = byte == 0x5C
            position += 1
        }
        return .text(start..<position)
    }

    private mutating func tokenOfBlock(from start: Int, end: Int) -> ASSToken {
        guard start < end else {
            position = end + 1
            blockEnd = nil
            return .comment(start..<position)
        }
        guard bytes[start] == 0x5C else {
            position = bytes[start..<end].firstIndex(of: 0x5C) ?? end
            return .comment(start..<position)
        }
        position = start + 1
        while position < end, bytes[position].isSpace { position += 1 }
        let tag = ASSTagName(beginningOf: bytes[position..<end])
        position += tag?.length ?? 0
        let argument = position
        if tag == .t, splitsArguments {
            position = bytes[argument..<end].firstIndex(of: 0x5C) ?? end
            if bytes[argument..<position].contains(0x28) { depth += 1 }
        } else {
            skipArgument(before: end)
        }
        guard let tag else { return .comment(start..<position) }
        return .tag(tag, start..<position, argument: argument..<position)
    }

    /// Goes to the end of a tag's argument: its closing parenthesis or the next tag.
    private mutating func skipArgument(before end: Int) {
        var open = 0
        while position < end {
            switch bytes[position] {
            case 0x28: open += 1
            case 0x29 where open > 0:
                open -= 1
                if open == 0, !splitsArguments {
                    position += 1
                    return
                }
            case 0x29 where depth > 0:
                depth -= 1
                return
            case 0x5C where open == 0 || splitsArguments: return
            default: break
            }
            position += 1
        }
    }
}

/// The override tags of libass.
///
/// Nothing separates the name of a tag from its argument: the longest name that matches is used.
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

    /// The tag that bytes begin with, after the backslash.
    init?(beginningOf bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first, first < 0x80 else { return nil }
        for (name, letters) in Self.byFirstByte[Int(first)] where bytes.starts(with: letters) {
            self = name
            return
        }
        return nil
    }

    /// The number of bytes of the name.
    fileprivate var length: Int { rawValue.utf8.count }

    /// The names by their first byte, longer ones first.
    private static let byFirstByte: [[(name: ASSTagName, letters: [UInt8])]] = {
        var table = [[(name: ASSTagName, letters: [UInt8])]](repeating: [], count: 128)
        for name in allCases {
            let letters = Array(name.rawValue.utf8)
            // trap: names are ASCII.
            table[Int(letters[0])].append((name, letters))
        }
        return table
    }()
}
