internal import CueModel
internal import SubtitleCodecs

/// The colours that style sheets of WebVTT give to classes by rules such as `::cue(.c){color:red}`.
///
/// Only rules for one class are understood; the classes of the standard are known without a rule.
struct WebVTTClassColors {
    struct Colors {
        var text: RGBA?
        var background: RGBA?
    }

    private var colors: [String: Colors] = [:]
    /// Whether there are rules that say something else than the colours of a class.
    private(set) var hasOtherRules = false

    /// Reads style sheets.
    init(_ styleSheets: [String]) {
        for name in ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"] {
            // Their colours are part of the styled text already.
            colors[name] = Colors()
            colors["bg_" + name] = Colors()
        }
        for sheet in styleSheets {
            for rule in sheet.utf8.split(separator: 0x7D) {
                let halves = Array(rule).split(separator: 0x7B, maxSplits: 1)
                guard halves.count == 2, let name = Self.className(halves[0].trimmed) else {
                    if rule.contains(0x7B) { hasOtherRules = true }
                    continue
                }
                add(halves[1], to: name)
            }
        }
    }

    /// What a class stands for; `nil` if nothing is known of it.
    subscript(name: String) -> Colors? { colors[name] }

    private mutating func add(_ declarations: ArraySlice<UInt8>, to name: String) {
        for declaration in declarations.split(separator: 0x3B) {
            let sides = declaration.split(separator: Byte.colon, maxSplits: 1)
            guard sides.count == 2, let color = Self.color(sides[1].trimmed) else {
                if !declaration.trimmed.isEmpty { hasOtherRules = true }
                continue
            }
            let property = sides[0].trimmed
            if property.equalsIgnoringCase("color") {
                colors[name, default: Colors()].text = color
            } else if property.equalsIgnoringCase("background-color")
                || property.equalsIgnoringCase("background")
            {
                colors[name, default: Colors()].background = color
            } else {
                hasOtherRules = true
            }
        }
    }

    /// The class of `::cue(.name)`; `nil` for any other selector.
    private static func className(_ selector: ArraySlice<UInt8>) -> String? {
        guard selector.hasPrefix("::cue("), selector.last == 0x29 else { return nil }
        let argument = selector.dropFirst(6).dropLast().trimmed
        let name = argument.dropFirst()
        guard argument.first == Byte.period, !name.isEmpty,
            name.allSatisfy({ $0.isAlphanumeric || $0 == Byte.hyphen || $0 == 0x5F || $0 >= 0x80 })
        else { return nil }
        return name.text
    }

    /// A colour by name, in hexadecimal or as `rgb()` and `rgba()`.
    private static func color(_ value: ArraySlice<UInt8>) -> RGBA? {
        guard let open = value.firstIndex(of: 0x28), value.last == 0x29 else {
            return CSSColor.parse(value)
        }
        let function = value[..<open]
        guard function.equalsIgnoringCase("rgba") || function.equalsIgnoringCase("rgb") else {
            return nil
        }
        let numbers = value[(open + 1)...].dropLast().split(separator: Byte.comma).map {
            $0.leadingNumber.map { min(max($0, 0), 255) }
        }
        guard (3...4).contains(numbers.count), let red = numbers[0], let green = numbers[1],
            let blue = numbers[2]
        else { return nil }
        let alpha = numbers.count == 4 ? (numbers[3] ?? 1) * 255 : 255
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
        return RGBA(red: byte(red), green: byte(green), blue: byte(blue), alpha: byte(alpha))
    }
}
