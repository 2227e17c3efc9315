internal import UndertextCore

/// The text of a JACOsub cue, after its directives.
///
/// `\n` breaks a line, `\B` `\I` `\U` begin and `\b` `\i` `\u` end bold, italics and underline, `\N` ends all of them, `~` is
/// a space that does not break, and braces hold comments.
enum JACOsubText {
    static func parse(_ bytes: [UInt8]) -> PlainTextDecoder.Parsed {
        var rest = bytes[...].trimmed
        var layout = CueLayout()
        if let first = rest.first, first.isLetter || first == UInt8(ascii: "[") {
            let directives = rest.prefix { !$0.isSpace && $0 != UInt8(ascii: "{") }
            layout = self.layout(directives.text.uppercased())
            rest = rest.dropFirst(directives.count).trimmed
        }
        var parser = Parser(withoutComments(rest)[...].trimmed)
        parser.parse()
        return .init(
            text: parser.builder.finish(), layout: layout, ignoredCode: parser.ignored)
    }

    /// `VT`, `VM` and `VB` align text at the top, in the middle and at the bottom; `JL`, `JC` and `JR`
    /// horizontally.
    private static func layout(_ directives: String) -> CueLayout {
        let row = directives.contains("VT") ? 2 : directives.contains("VM") ? 1 : 0
        let column = directives.contains("JL") ? 0 : directives.contains("JR") ? 2 : 1
        guard (row, column) != (0, 1) else { return CueLayout() }
        return NumpadAlignment(numpad: row * 3 + column + 1)?.layout() ?? CueLayout()
    }

    /// The text without comments in braces; a comment without an end is text.
    private static func withoutComments(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "{"),
                let end = bytes[index...].prefix(4096).firstIndex(of: UInt8(ascii: "}"))
            {
                index = end + 1
                continue
            }
            // A code takes the byte after its backslash.
            let count = bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            result += bytes[index...].prefix(count)
            index += count
        }
        return result
    }

    private struct Parser {
        var builder = StyledTextBuilder()
        var ignored: String?
        private var style = TextStyle()
        private let bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        mutating func parse() {
            var index = bytes.startIndex
            while index < bytes.endIndex {
                switch bytes[index] {
                case UInt8(ascii: "~"): append("\u{A0}")
                case UInt8(ascii: "\\"):
                    index = code(after: index)
                    continue
                default:
                    builder.setStyle(style)
                    builder.append(bytes[index])
                }
                index += 1
            }
        }

        private mutating func append(_ text: String) {
            builder.setStyle(style)
            builder.append(text)
        }

        /// Applies the code at a backslash; returns the offset after it.
        private mutating func code(after backslash: Int) -> Int {
            let index = backslash + 1
            guard index < bytes.endIndex else { return index }
            switch bytes[index] {
            case UInt8(ascii: "n"): append("\n")
            case UInt8(ascii: "B"): style.isBold = true
            case UInt8(ascii: "b"): style.isBold = false
            case UInt8(ascii: "I"): style.isItalic = true
            case UInt8(ascii: "i"): style.isItalic = false
            case UInt8(ascii: "U"): style.isUnderlined = true
            case UInt8(ascii: "u"): style.isUnderlined = false
            case UInt8(ascii: "N"): style = TextStyle()
            case UInt8(ascii: "~"): append("~")
            case UInt8(ascii: "{"): append("{")
            case UInt8(ascii: "\\"): append("\\")
            case Byte.lineFeed, Byte.carriageReturn, Byte.space:
                // The line continues after it.
                return bytes[index...].firstIndex { !$0.isSpace } ?? bytes.endIndex
            case UInt8(ascii: "C"), UInt8(ascii: "F"):
                // A color or a font by its number in the script's own tables.
                ignored = ignored ?? bytes[backslash...index].text
                let digits = bytes[(index + 1)...].prefix(2).prefix { $0.isDigit }
                return index + 1 + digits.count
            case UInt8(ascii: "D"), UInt8(ascii: "T"):
                ignored = ignored ?? bytes[backslash...index].text
            default:
                append("\\")
                return index
            }
            return index + 1
        }
    }
}
