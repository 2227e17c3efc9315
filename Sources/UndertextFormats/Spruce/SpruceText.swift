internal import UndertextCore

/// A setting of Spruce STL, which holds for the cues after it: `$Italic = TRUE`.
struct SpruceSetting {
    /// The byte with which settings begin.
    static let mark = UInt8(ascii: "$")

    /// The name in lower case.
    let name: String
    /// The value in lower case.
    let value: String

    /// Reads a line; `nil` if it is no setting.
    init?(_ line: ArraySlice<UInt8>) {
        guard line.first == Self.mark, line.count <= 256,
            let equals = line.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        name = line[(line.startIndex + 1)..<equals].trimmed.text.lowercased()
        value = line[(equals + 1)...].trimmed.text.lowercased()
    }

    /// `true` for a setting that affects decoded cues.
    var isUsed: Bool {
        switch name {
        case "bold", "italic", "underlined": value == "true"
        case "horzalign", "vertalign": true
        default: false
        }
    }

    /// The line.
    var bytes: [UInt8] { Array("$\(name)=\(value)\n".utf8) }
}

/// The text of a Spruce STL cue: lines between `|`; `^B`, `^I` and `^U` switch bold, italics and underline.
enum SpruceText {
    static func parse(_ bytes: [UInt8]) -> PlainTextDecoder.Parsed {
        var style = TextStyle()
        var column = 1
        var row = 0
        var rest = bytes[...]
        while rest.first == SpruceSetting.mark,
            let end = rest.firstIndex(of: Byte.lineFeed), let setting = SpruceSetting(rest[..<end])
        {
            rest = rest[(end + 1)...]
            switch (setting.name, setting.value) {
            case ("bold", _): style.isBold = true
            case ("italic", _): style.isItalic = true
            case ("underlined", _): style.isUnderlined = true
            case ("horzalign", "left"): column = 0
            case ("horzalign", "right"): column = 2
            case ("vertalign", "top"): row = 2
            case ("vertalign", "center"): row = 1
            default: break
            }
        }
        var builder = StyledTextBuilder(style: style)
        let lines = rest.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            if number > 0 { builder.append(0x0A) }
            append(line.trimmed, &style, to: &builder)
        }
        let layout = NumpadAlignment(numpad: row * 3 + column + 1)?.layout()
        let isUsual = row == 0 && column == 1
        return .init(text: builder.finish(), layout: isUsual ? CueLayout() : layout ?? CueLayout())
    }

    private static func append(
        _ line: ArraySlice<UInt8>, _ style: inout TextStyle, to builder: inout StyledTextBuilder
    ) {
        var index = line.startIndex
        while index < line.endIndex {
            let next = index + 1
            if line[index] == UInt8(ascii: "^"), next < line.endIndex,
                toggle(line[next].lowercased, &style)
            {
                index = next + 1
                continue
            }
            builder.setStyle(style)
            builder.append(line[index])
            index = next
        }
    }

    private static func toggle(_ letter: UInt8, _ style: inout TextStyle) -> Bool {
        switch letter {
        case UInt8(ascii: "b"): style.isBold.toggle()
        case UInt8(ascii: "i"): style.isItalic.toggle()
        case UInt8(ascii: "u"): style.isUnderlined.toggle()
        default: return false
        }
        return true
    }
}
