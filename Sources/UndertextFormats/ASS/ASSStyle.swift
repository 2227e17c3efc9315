internal import UndertextCore

/// A style of an ASS or SSA script: the values that neutral cues need.
package struct ASSStyle: Hashable, Sendable {
    /// The name events refer to.
    package var name = "Default"
    /// The font's family.
    package var font: String?
    /// The font's size in script pixels.
    package var fontSize = 18.0
    /// The text color, `0xAABBGGRR` with AA = transparency.
    package var primaryColor: UInt32 = 0x00FF_FFFF
    /// The outline, or the box of border style 3, `0xAABBGGRR`.
    package var outlineColor: UInt32 = 0
    /// The shadow, or the box of border style 4, `0xAABBGGRR`.
    package var backColor: UInt32 = 0
    /// Heavy.
    package var isBold = false
    /// The stored value of `Bold`: 0, 1 or −1, or a weight.
    package var weight = 0
    /// Slanted.
    package var isItalic = false
    /// The stored value of `Italic`: 0, 1 or −1, or a slant for libass.
    package var slant = 0
    /// Underlined.
    package var isUnderlined = false
    /// Struck through.
    package var isStruckThrough = false
    /// The width of characters in percent of the font's.
    package var scaleX = 100.0
    /// The height of characters in percent of the font's.
    package var scaleY = 100.0
    /// The space added between characters, in script pixels.
    package var spacing = 0.0
    /// Degrees by which the text is turned.
    package var angle = 0.0
    /// The width of outlines in script pixels.
    package var outline = 2.0
    /// 1 outline and shadow, 3 and 4 an opaque box.
    package var borderStyle = 1
    /// The position of the text.
    package var alignment = NumpadAlignment.bottomCenter
    /// The distance from the left edge in script pixels.
    package var marginLeft = 0
    /// The distance from the right edge in script pixels.
    package var marginRight = 0
    /// The distance from the top or bottom edge in script pixels.
    package var marginVertical = 0
    /// V4++ has margins for the top and the bottom instead.
    private var marginTop: Int?
    private var marginBottom: Int?

    /// The style of a script that has none.
    package init() {}
}

extension ASSStyle {
    /// The style of a line.
    init(_ line: ASSStyleLine, isLegacy: Bool) {
        for (field, value) in zip(line.columns, line.values) {
            if let field { set(field, to: value, isLegacy: isLegacy) }
        }
        // The vertical margin that applies to the alignment.
        let margin = alignment.row == 2 ? marginTop ?? marginBottom : marginBottom ?? marginTop
        if let margin { marginVertical = margin }
    }

    private mutating func set(
        _ field: ASSStyleColumns.Field, to value: ArraySlice<UInt8>, isLegacy: Bool
    ) {
        switch field {
        case .name: name = Self.cleanName(value.text)
        case .font: font = value.isEmpty ? nil : value.text.ifName
        case .fontSize:
            if let size = value.leadingNumber, size > 0 { fontSize = size }
        case .primaryColor: primaryColor = Self.color(value) ?? primaryColor
        case .outlineColor: outlineColor = Self.color(value) ?? outlineColor
        case .backColor:
            backColor = Self.color(value) ?? backColor
            // SSA has no outline color that is drawn: outline and box take this one.
            if isLegacy { outlineColor = backColor }
        case .bold:
            isBold = Self.isBold(value)
            weight = value.leadingInteger ?? 0
        case .italic:
            isItalic = Self.isSet(value)
            slant = value.leadingInteger ?? 0
        case .underline: isUnderlined = Self.isSet(value)
        case .strikeOut: isStruckThrough = Self.isSet(value)
        case .scaleX: scaleX = value.leadingNumber ?? 100
        case .scaleY: scaleY = value.leadingNumber ?? 100
        case .spacing: spacing = value.leadingNumber ?? 0
        case .angle: angle = value.leadingNumber ?? 0
        case .outline: outline = value.leadingNumber ?? 2
        case .borderStyle: borderStyle = value.leadingInteger ?? 1
        case .alignment:
            let number = value.leadingInteger ?? 2
            alignment =
                (isLegacy ? NumpadAlignment(ssa: number) : NumpadAlignment(numpad: number))
                ?? alignment
        case .marginLeft: marginLeft = Self.margin(value)
        case .marginRight: marginRight = Self.margin(value)
        case .marginVertical: marginVertical = Self.margin(value)
        case .marginTop: marginTop = Self.margin(value)
        case .marginBottom: marginBottom = Self.margin(value)
        case .secondaryColor, .tertiaryColor, .shadow, .alphaLevel, .encoding: break
        }
    }

    /// The features of the style that a neutral cue cannot express.
    ///
    /// Outlines and shadows of usual colors are not among it: players draw some by themselves.
    package var features: ASSFeatures {
        var features: ASSFeatures = []
        if angle != 0 { features.insert(.rotation) }
        if scaleX != 100 || scaleY != 100 { features.insert(.scaling) }
        if spacing != 0 { features.insert(.decoration) }
        return features
    }

    /// A style's name as events and `\r` write it: an asterisk in front means nothing.
    static func cleanName(_ name: String) -> String {
        String(name.drop { $0 == "*" })
    }

    static func margin(_ value: ArraySlice<UInt8>) -> Int {
        min(max(value.leadingInteger ?? 0, -100_000), 100_000)
    }

    private static func isSet(_ value: ArraySlice<UInt8>) -> Bool {
        (value.leadingInteger ?? 0) != 0
    }

    private static func isBold(_ value: ArraySlice<UInt8>) -> Bool {
        let weight = value.leadingInteger ?? 0
        return weight == -1 || weight == 1 || weight >= 600
    }

    /// A color as `&HAABBGGRR` or, in old scripts, as a decimal number.
    private static func color(_ value: ArraySlice<UInt8>) -> UInt32? {
        if value.first == 0x26 || value.first == 0x48 || value.first == 0x68 {
            return ASSOverride.color(value)
        }
        return value.leadingInteger.map { UInt32(truncatingIfNeeded: $0) }
    }
}
