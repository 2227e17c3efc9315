internal import UndertextCore

/// Windows, boxes and edges as styles of a script say them.
struct ASSScreenEdges {
    /// Whether a window is drawn.
    let hasWindow: Bool
    /// Whether letters have a light edge beside the dark one.
    let hasLight: Bool
    /// Whether letters on a box have their edge, too: only if the viewer asks for one.
    let countsOnBoxes: Bool
    /// Whether what stands out of letters is a shadow.
    private let edge: SubtitleStyle.Edge
    private let color: RGBA
    private let window: RGBA
    /// Script pixels.
    private let width: Double
    /// The outline of letters that nobody asked otherwise for, and the offset of their shadow, script pixels.
    private let usual: (outline: Double, shadow: Double)

    /// The opacity of the shadow of letters that nobody asked otherwise for.
    static let shadowAlpha: UInt8 = 160

    /// The size of text without one, as the height of a line: two lines of 42 letters fit.
    static func size(on canvas: PixelSize) -> Int { max(1, canvas.height / 15) * 1000 }

    /// A style in the terms of a script: colors from the primary one on; border, outline, shadow.
    struct Look {
        var colors: String
        var border: String
    }

    init(_ style: SubtitleStyle, canvas: PixelSize) {
        edge = style.edge ?? .uniform
        countsOnBoxes = style.edge != nil
        color = style.edgeColor ?? .black
        window = style.window ?? .clear
        hasWindow = window.alpha > 0
        hasLight = edge == .raised || edge == .depressed
        width = max(0.1, Double(canvas.height) / 432)
        // Chosen by eye on white, black and busy frames beside mpv's defaults (a 240th and a 436th, no shadow).
        usual = (max(0.1, Double(canvas.height) / 300), max(0.1, Double(canvas.height) / 600))
    }

    /// Puts the shadow of the light part to the top left; styles know no shadows there.
    var lightTags: String {
        let offset = Self.number(-width)
        return "{\\xshad\(offset)\\yshad\(offset)}"
    }

    /// The style of a part.
    func look(of part: ASSScreenPart) -> Look {
        let outline = Self.number(width)
        let shadow = Self.number(width * (edge == .dropShadow ? 1.6 : 1))
        switch part {
        case .area: return Look(colors: Self.colors(.white, .clear, .clear), border: "1,0,0")
        case .window:
            // Border style 4 is libass's own: one box behind all lines; the shadow is its padding.
            return Look(
                colors: Self.colors(.clear, .clear, window), border: "4,\(outline),\(outline)")
        case .boxes:
            return Look(colors: Self.colors(.clear, .black, .clear), border: "3,\(outline),0")
        case .light:
            // No shadow is drawn of letters that are not there at all.
            let unseen = RGBA(rawValue: 0xFFFF_FF01)
            let other = edge == .raised ? RGBA.white : color
            return Look(colors: Self.colors(unseen, .clear, other), border: "1,0,0")
        case .letters:
            switch edge {
            case .none:
                return Look(colors: Self.colors(.white, .clear, .clear), border: "1,\(outline),0")
            case .uniform:
                let isUsual = !countsOnBoxes
                let below = RGBA(
                    red: color.red, green: color.green, blue: color.blue, alpha: Self.shadowAlpha)
                return Look(
                    colors: Self.colors(.white, color, isUsual ? below : .clear),
                    border: "1,\(Self.number(usual.outline)),"
                        + (isUsual ? Self.number(usual.shadow) : "0"))
            case .dropShadow, .raised:
                return Look(
                    colors: Self.colors(.white, .clear, color), border: "1,0,\(shadow)")
            case .depressed:
                return Look(
                    colors: Self.colors(.white, .clear, .white), border: "1,0,\(shadow)")
            }
        }
    }

    /// Primary, secondary, outline and back color.
    private static func colors(_ primary: RGBA, _ outline: RGBA, _ back: RGBA) -> String {
        [primary, primary, outline, back]
            .map { "&H\(ASSNumber.hex(255 - $0.alpha))\(ASSNumber.hex($0))" }
            .joined(separator: ",")
    }

    private static func number(_ value: Double) -> String {
        ASSNumber.text(thousandths: Int((value * 1000).rounded()))
    }
}
