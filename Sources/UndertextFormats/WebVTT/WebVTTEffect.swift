internal import UndertextCore

/// A text effect, other than a color, that a class rule sets.
///
/// W3C WebVTT, section 8.2.1: the properties that apply to `::cue`. Lengths are in `em`, because a rule does
/// not know the size of the video.
enum WebVTTEffect: Hashable, Sendable {
    /// A text shadow, in thousandths of an em.
    struct Shadow: Hashable, Sendable {
        var x: Int
        var y: Int
        var blur: Int
        var color: RGBA
    }

    /// Text shadows; an outline is eight shadows.
    case shadows(outline: Shadow?, [Shadow])
    /// The distance of lines in thousandths of the em.
    case lineHeight(Int)
    /// No automatic line breaks.
    case unbroken

    /// The effects of a style.
    static func all(of style: TextStyle) -> [WebVTTEffect] {
        guard style.hasEffects else { return [] }
        let em = style.em
        func part(_ value: Int) -> Int { Int((Double(value) * 1000 / em).rounded()) }
        var effects: [WebVTTEffect] = []
        if style.outline != nil || !style.shadows.isEmpty {
            let outline = style.outline.map {
                Shadow(x: part($0.width), y: 0, blur: part($0.blur), color: $0.color)
            }
            let shadows = style.shadows.map {
                Shadow(x: part($0.x), y: part($0.y), blur: part($0.blur), color: $0.color)
            }
            effects.append(.shadows(outline: outline, shadows))
        }
        if style.statesLineHeight, let height = style.lineHeight {
            effects.append(.lineHeight(part(height)))
        }
        if style.isUnbroken { effects.append(.unbroken) }
        return effects
    }

    /// The name of the class, which says all of the effect, so that the same name always means the same.
    var className: String {
        switch self {
        case .shadows(let outline, let shadows):
            var words: [String] = []
            if let outline {
                words += ["outline", "\(outline.x)", "\(outline.blur)"]
                words.append(outline.color.hexadecimal.uppercased())
            }
            for shadow in shadows {
                words += ["shadow", "\(shadow.x)", "\(shadow.y)", "\(shadow.blur)"]
                words.append(shadow.color.hexadecimal.uppercased())
            }
            return words.joined(separator: "_")
        case .lineHeight(let part): return "lineheight_\(part)"
        case .unbroken: return "nowrap"
        }
    }

    /// The declaration of its rule.
    var declaration: String {
        switch self {
        case .shadows(let outline, let shadows):
            let lines = outline.map(Self.around) ?? []
            return "text-shadow:" + (lines + shadows).map(Self.css).joined(separator: ",")
        case .lineHeight(let part): return "line-height:\(decimalText(thousandths: part))"
        // Line feeds stay, as in cues without this rule.
        case .unbroken: return "white-space:pre"
        }
    }

    /// Eight shadows around the text, because no CSS property that players support outlines text.
    private static func around(_ outline: Shadow) -> [Shadow] {
        let (straight, slanted) = (outline.x, outline.x * 707 / 1000)
        let places = [
            (straight, 0), (-straight, 0), (0, straight), (0, -straight), (slanted, slanted),
            (-slanted, slanted), (slanted, -slanted), (-slanted, -slanted),
        ]
        return places.map { Shadow(x: $0.0, y: $0.1, blur: outline.blur, color: outline.color) }
    }

    private static func css(_ shadow: Shadow) -> String {
        let lengths = [shadow.x, shadow.y] + (shadow.blur > 0 ? [shadow.blur] : [])
        return lengths.map { $0 == 0 ? "0" : decimalText(thousandths: $0) + "em" }.joined(
            separator: " ")
            + " " + WebVTTColors.css(shadow.color)
    }
}
