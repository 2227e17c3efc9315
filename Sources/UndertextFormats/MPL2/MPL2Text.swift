internal import UndertextCore

/// The text of an MPL2 cue: lines between `|`; `/`, `\` and `_` before a line make it italic, bold and
/// underlined.
enum MPL2Text {
    static func parse(_ bytes: [UInt8]) -> PlainTextDecoder.Parsed {
        var builder = StyledTextBuilder()
        let lines = bytes.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if number > 0 { builder.append(0x0A) }
            var style = TextStyle()
            var rest = line
            marks: while let mark = rest.first {
                switch mark {
                case UInt8(ascii: "/"): style.isItalic = true
                case UInt8(ascii: "\\"): style.isBold = true
                case UInt8(ascii: "_"): style.isUnderlined = true
                default: break marks
                }
                rest = rest.dropFirst()
            }
            builder.setStyle(style)
            builder.append(rest)
        }
        return .init(text: builder.finish())
    }
}
