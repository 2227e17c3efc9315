/// A color of two bits per component, and its opacity.
struct CEA708Color: Hashable, Sendable {
    /// The opacity of a color.
    enum Opacity: UInt8, Hashable, Sendable {
        case solid, flash, translucent, transparent
    }

    /// Red, green and blue, two bits each.
    var rgb: UInt8
    var opacity: Opacity

    static let black = CEA708Color(rgb: 0, opacity: .solid)
    static let white = CEA708Color(rgb: 0x3F, opacity: .solid)

    init(rgb: UInt8, opacity: Opacity) {
        self.rgb = rgb
        self.opacity = opacity
    }

    /// The color of a parameter: its opacity in the two high bits, then its components.
    init(_ parameter: UInt8) {
        rgb = parameter & 0x3F
        opacity = Opacity(rawValue: parameter >> 6) ?? .solid
    }
}

/// The style of the characters that are written next.
///
/// CTA-708-E, section 8.
struct CEA708Pen: Hashable, Sendable {
    enum Size: UInt8, Hashable, Sendable {
        case small, standard, large
    }

    /// The edges of characters.
    enum Edge: UInt8, Hashable, Sendable {
        case none, raised, depressed, uniform, leftDropShadow, rightDropShadow
    }

    /// Fonts by their numbers in codes.
    enum Font: UInt8, Hashable, Sendable {
        case standard, monospaceSerif, proportionalSerif, monospaceSansSerif
        case proportionalSansSerif, casual, cursive, smallCapitals
    }

    var size = Size.standard
    var font = Font.standard
    var edge = Edge.none
    var isItalic = false
    var isUnderlined = false
    /// `true` if the text is not to be displayed.
    var isHidden = false
    var foreground = CEA708Color.white
    var background = CEA708Color.black
    /// The color of the edge without its opacity.
    var edgeColor: UInt8 = 0

    /// Takes over the parameters of SetPenAttributes.
    mutating func setAttributes(_ parameters: [UInt8]) {
        let (first, second) = (parameters[0], parameters[1])
        isHidden = first >> 4 == 15
        size = Size(rawValue: first & 3) ?? .standard
        isItalic = second & 0x80 != 0
        isUnderlined = second & 0x40 != 0
        edge = Edge(rawValue: second >> 3 & 7) ?? .none
        font = Font(rawValue: second & 7) ?? .standard
    }

    /// Takes over the parameters of SetPenColor.
    mutating func setColor(_ parameters: [UInt8]) {
        foreground = CEA708Color(parameters[0])
        background = CEA708Color(parameters[1])
        edgeColor = parameters[2] & 0x3F
    }

    /// The predefined style of a number from 1 to 7 (CTA-708-E, predefined pen style IDs).
    static func preset(_ number: UInt8) -> CEA708Pen {
        let fonts: [Font] = [
            .standard, .monospaceSerif, .proportionalSerif, .monospaceSansSerif,
            .proportionalSansSerif, .monospaceSansSerif, .proportionalSansSerif,
        ]
        var pen = CEA708Pen()
        guard 1...7 ~= number else { return pen }
        pen.font = fonts[Int(number) - 1]
        if number >= 6 {
            pen.edge = .uniform
            pen.background.opacity = .transparent
        }
        return pen
    }
}
