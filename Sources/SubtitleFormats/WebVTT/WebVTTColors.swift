internal import CueModel

/// The classes that carry colours in WebVTT, and the rules that define them.
///
/// Eight colours have class names that players know without a rule: W3C WebVTT, section 5.1.
struct WebVTTColors {
    /// Whether colours without a class of the standard may be used: they need a rule.
    let allowsRules: Bool
    private var foregrounds: [RGBA] = []
    private var backgrounds: [RGBA] = []
    private var knownForegrounds: Set<RGBA> = []
    private var knownBackgrounds: Set<RGBA> = []

    /// Starts without any rule.
    init(allowsRules: Bool) {
        self.allowsRules = allowsRules
    }

    /// The class of a text colour; `nil` if it would need a rule and rules are not allowed.
    mutating func textClass(_ color: RGBA) -> String? {
        if let name = Self.standard[color] { return name }
        guard allowsRules else { return nil }
        if knownForegrounds.insert(color).inserted { foregrounds.append(color) }
        return "c\(Self.hex(color))"
    }

    /// The class of a colour behind text; `nil` if it would need a rule and none is allowed.
    mutating func backgroundClass(_ color: RGBA) -> String? {
        if let name = Self.standard[color] { return "bg_\(name)" }
        guard allowsRules else { return nil }
        if knownBackgrounds.insert(color).inserted { backgrounds.append(color) }
        return "bg_\(Self.hex(color))"
    }

    /// The rules for the classes handed out, in the order of their first use.
    var rules: [String] {
        foregrounds.map { "::cue(.c\(Self.hex($0))){color:\(Self.css($0))}" }
            + backgrounds.map {
                "::cue(.bg_\(Self.hex($0))){background-color:\(Self.css($0))}"
            }
    }

    private static let standard: [RGBA: String] = [
        RGBA(rawValue: 0xFFFF_FFFF): "white", RGBA(rawValue: 0x00FF_00FF): "lime",
        RGBA(rawValue: 0x00FF_FFFF): "cyan", RGBA(rawValue: 0xFF00_00FF): "red",
        RGBA(rawValue: 0xFFFF_00FF): "yellow", RGBA(rawValue: 0xFF00_FFFF): "magenta",
        RGBA(rawValue: 0x0000_FFFF): "blue", RGBA(rawValue: 0x0000_00FF): "black",
    ]

    /// `RRGGBB`, or `RRGGBBAA` where the colour is not opaque.
    static func hex(_ color: RGBA) -> String {
        let opaque = color.alpha == 255
        let text = String(
            opaque ? color.rawValue >> 8 : color.rawValue, radix: 16, uppercase: true)
        return String(repeating: "0", count: (opaque ? 6 : 8) - text.utf8.count) + text
    }

    /// A colour in CSS that engines of every age read.
    private static func css(_ color: RGBA) -> String {
        guard color.alpha != 255 else { return "#\(hex(color))" }
        let alpha = WebVTTSettingsText.number(Double(color.alpha) / 255)
        return "rgba(\(color.red),\(color.green),\(color.blue),\(alpha))"
    }
}
