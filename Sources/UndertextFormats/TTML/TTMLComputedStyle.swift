internal import UndertextCore

/// The computed style of an element at one time.
struct TTMLComputedStyle: Hashable {
    var color = RGBA.white
    var isItalic = false
    var isBold = false
    var isUnderlined = false
    var isStruckThrough = false
    var font = ""
    /// Percent of the root's height.
    var fontSize: Double
    var textAlign: TTMLTextAlign?
    var isRightToLeft = false
    var isVisible = true
    var isForced = false
    var keepsSpace = false
    var language: String?
    var voice = ""
    /// The nearest visible color behind the text.
    var background: RGBA?
    /// All the opacities around it, multiplied.
    var opacity = 1.0
    var effects = TTMLEffects()

    // Properties that are not inherited.
    var isDisplayed = true
    var ruby = TTMLRuby.none
    var image: String?

    private let root: TTMLRoot

    /// The computed style of a root without styles.
    init(root: TTMLRoot, initial: TTMLStyle) {
        self.root = root
        fontSize = 100 / Double(root.rows)
        apply(initial, base: fontSize, isSpan: false)
    }

    /// The computed style of a child element.
    func entering(_ element: TTMLElement, at time: TTMLTime) -> TTMLComputedStyle {
        var look = self
        look.ruby = .none
        look.image = nil
        let style = element.sets.isEmpty ? element.style : element.settings(at: time)
        look.apply(style, base: fontSize, isSpan: element.kind == .span)
        if let keepsSpace = element.keepsSpace { look.keepsSpace = keepsSpace }
        if let language = element.language?.ifName { look.language = language }
        if let voice = element.voice.ifName, !voice.isEmpty { look.voice = voice }
        return look
    }

    private mutating func apply(_ style: TTMLStyle, base: Double, isSpan: Bool) {
        for setting in style.settings { apply(setting, base: base) }
        // They count in the size of the font, wherever that is stated.
        for setting in style.settings where TTMLEffects.contains(setting) {
            effects.apply(setting, isSpan: isSpan, fontSize: fontSize, root: root)
        }
    }

    private mutating func apply(_ setting: TTMLStyleProperty, base: Double) {
        switch setting {
        case .color(let value): color = value
        case .background(let value): if value.alpha > 0 { background = value }
        case .italic(let value): isItalic = value
        case .bold(let value): isBold = value
        case .decoration(let underline, let lineThrough):
            if let underline { isUnderlined = underline }
            if let lineThrough { isStruckThrough = lineThrough }
        case .font(let value): font = value
        case .fontSize(let value):
            let size: Double =
                switch value.unit {
                case .percent: base * value.value / 100
                case .em: base * value.value
                default: root.vertical(value)
                }
            fontSize = min(max(size, 0.01), 1000)
        case .textAlign(let value): textAlign = value
        case .rightToLeft(let value): isRightToLeft = value
        case .display(let value): if !value { isDisplayed = false }
        case .visible(let value): isVisible = value
        case .opacity(let value): opacity *= value
        case .ruby(let value): ruby = value
        case .forced(let value): isForced = value
        case .image(let value): image = value
        case .displayAlign, .writingMode, .origin, .extent, .position, .padding, .textOutline,
            .textShadow, .lineHeight, .wraps, .showsBackgroundAlways:
            break
        }
    }

    /// The style in terms of the cue model; properties with a player's default value are omitted, except for
    /// the size.
    func style(documentLanguage: String?) -> TextStyle {
        var style = TextStyle()
        style.isItalic = isItalic
        style.isBold = isBold
        style.isUnderlined = isUnderlined
        style.isStruckThrough = isStruckThrough
        let letters = color.faded(opacity)
        if letters != .white { style.color = letters }
        style.background = background?.faded(opacity)
        style.font = TTMLFont.name(font)
        // The em is stated, the height of a line is what cues have.
        let line = fontSize * 1000 * Double(FontSize.lineEighths) / 8
        style.fontSize = .ofHeight(Int(line.rounded()))
        if let language, !language.isEmpty, language != documentLanguage {
            style.language = language
        }
        if !voice.isEmpty { style.voice = voice }
        effects.apply(to: &style, color: color, opacity: opacity)
        return style
    }
}

extension RGBA {
    /// The color seen through an opacity from 0 to 1.
    func faded(_ opacity: Double) -> RGBA {
        guard opacity < 1 else { return self }
        let alpha = UInt8(min(max((Double(alpha) * opacity).rounded(), 0), 255))
        return RGBA(red: red, green: green, blue: blue, alpha: alpha)
    }
}

/// Font families: TTML2, section 10.2.20.
package enum TTMLFont {
    /// The first family of a list; `nil` if it is the default of players.
    package static func name(_ list: String) -> String? {
        let bytes = Array(list.utf8)
        var first = bytes[...].prefix { $0 != 0x2C }.trimmed
        if let quote = first.first, first.count > 1, quote == 0x22 || quote == 0x27,
            first.last == quote
        {
            first = first.dropFirst().dropLast()
        }
        switch first.text {
        case "", "default", "sansSerif", "proportionalSansSerif": return nil
        case "monospace", "monospaceSerif", "monospaceSansSerif": return "monospace"
        case "serif", "proportionalSerif": return "serif"
        case let name: return name.ifName
        }
    }
}
