internal import UndertextCore

/// The colors that WebVTT style sheets assign to classes by rules such as `::cue(.c){color:red}`.
///
/// Formats without style sheets use them. The default classes of the standard need no rule.
struct WebVTTClassColors {
    struct Colors {
        var text: RGBA?
        var background: RGBA?
    }

    private var colors: [String: Colors] = [:]
    /// `true` if there are rules other than colors of classes.
    private(set) var hasOtherRules = false

    /// Reads style sheets.
    init(_ styleSheets: [String]) {
        for name in ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"] {
            // Their colors are part of the styled text already.
            colors[name] = Colors()
            colors["bg_" + name] = Colors()
        }
        let sheet = WebVTTStyleSheet(styleSheets)
        hasOtherRules = !sheet.leftOut.isEmpty
        for rule in sheet.rules {
            let declarations = rule.declarations
            guard let name = rule.selector.className else {
                hasOtherRules = true
                continue
            }
            if !declarations.hasOnlyColors { hasOtherRules = true }
            if let color = declarations.color { colors[name, default: Colors()].text = color }
            if let color = declarations.background {
                colors[name, default: Colors()].background = color
            }
        }
    }

    /// The color of a class; `nil` if the class has no known color.
    subscript(name: String) -> Colors? { colors[name] }
}
