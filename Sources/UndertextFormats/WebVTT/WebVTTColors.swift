internal import UndertextCore

/// The classes that carry colors in WebVTT, and the rules that define them.
///
/// W3C WebVTT, section 5.1, defines sixteen classes, which not every browser knows: Chromium shows
/// them in white. So the ones in use get a rule, too.
struct WebVTTColors {
    /// `true` if colors without a default class may be used: they need a rule.
    private(set) var allowsRules: Bool
    private var foregrounds: [RGBA] = []
    private var backgrounds: [RGBA] = []
    private var knownForegrounds: Set<RGBA> = []
    private var knownBackgrounds: Set<RGBA> = []
    /// The default classes in use.
    private var usedDefaults: Set<String> = []
    /// The classes to which the track's own style sheets give their color.
    private var definedClasses: Set<String> = []
    private var effects = NumberedValues<WebVTTEffect>()

    /// Creates the state before the first cue.
    ///
    /// - Parameters:
    ///   - allowsRules: `false` where the rules precede the cues that need them: then ``rules``
    ///     has all default classes, and other colors have no class.
    ///   - styleSheets: the track's own style sheets; a default class that they color gets no rule.
    init(allowsRules: Bool, styleSheets: [String] = []) {
        self.allowsRules = allowsRules
        update(styleSheets: styleSheets)
    }

    /// Replaces the known style sheets with those of the track.
    mutating func update(styleSheets: [String]) {
        guard !styleSheets.isEmpty else {
            definedClasses = []
            return
        }
        let colors = WebVTTClassColors(styleSheets)
        definedClasses = Set(
            Self.defaults.map(\.name).filter { name in
                guard let found = colors[name] else { return false }
                return name.hasPrefix("bg_") ? found.background != nil : found.text != nil
            })
    }

    /// Allows no more rules: ``rules`` then has all default classes and what was used before.
    mutating func close() { allowsRules = false }

    /// The class of a text color; `nil` if it would need a rule and rules are not allowed.
    mutating func textClass(_ color: RGBA) -> String? {
        if let name = Self.standard[color] {
            usedDefaults.insert(name)
            return name
        }
        guard allowsRules || knownForegrounds.contains(color) else { return nil }
        if knownForegrounds.insert(color).inserted { foregrounds.append(color) }
        return "c\(color.hexadecimal.uppercased())"
    }

    /// The class of a background color; `nil` if it would need a rule and none is allowed.
    mutating func backgroundClass(_ color: RGBA) -> String? {
        if let name = Self.standard[color] {
            usedDefaults.insert("bg_" + name)
            return "bg_" + name
        }
        guard allowsRules || knownBackgrounds.contains(color) else { return nil }
        if knownBackgrounds.insert(color).inserted { backgrounds.append(color) }
        return "bg_\(color.hexadecimal.uppercased())"
    }

    /// Records a class that cue text contains.
    mutating func use(className name: String) {
        guard Self.defaultNames.contains(name) else { return }
        usedDefaults.insert(name)
    }

    /// Records the classes in the tags of stored cue text.
    mutating func use<Bytes: Collection>(classesIn text: Bytes) where Bytes.Element == UInt8 {
        var rest = text[...]
        while usedDefaults.count < Self.defaults.count, let open = rest.firstIndex(of: Byte.less) {
            let tag = rest[open...].prefix { $0 > Byte.space && $0 != Byte.greater }
            // No more classes of a tag are read, either.
            for name in tag.split(separator: Byte.period, maxSplits: 64).dropFirst()
            where name.count <= Self.longestDefault {
                use(className: String(decoding: name, as: UTF8.self))
            }
            rest = rest[tag.endIndex...]
        }
    }

    /// Records the classes that a cue needs, without writing it.
    mutating func use(_ cue: Cue) {
        if case .webVTT(let stored) = cue.source { return use(classesIn: stored.utf8) }
        guard case .text(let text) = cue.content, text.unstyled == nil else { return }
        for run in text.runs where !run.style.isBasic {
            for name in run.style.classes { use(className: name) }
            if let color = run.style.color { _ = textClass(color) }
            if let color = run.style.background { _ = backgroundClass(color) }
            for effect in WebVTTEffect.all(of: run.style) { _ = effectClass(effect) }
        }
    }

    /// The class of an effect; `nil` if rules are not allowed, which each needs.
    mutating func effectClass(_ effect: WebVTTEffect) -> String? {
        guard allowsRules else { return nil }
        _ = effects.number(of: effect)
        return effect.className
    }

    /// The rules for the classes in use: the default ones, then others by their first use.
    ///
    /// They precede the track's own style sheets, which override them.
    var rules: [String] {
        var rules = Self.defaults.filter {
            (usedDefaults.contains($0.name) || !allowsRules) && !definedClasses.contains($0.name)
        }.map(\.rule)
        rules += foregrounds.map {
            "::cue(.c\($0.hexadecimal.uppercased())){color:\(Self.css($0))}"
        }
        rules += backgrounds.map {
            "::cue(.bg_\($0.hexadecimal.uppercased())){background-color:\(Self.css($0))}"
        }
        rules += effects.values.map { "::cue(.\($0.className)){\($0.declaration)}" }
        return rules
    }

    /// The default classes with their rules: W3C WebVTT, section 5.1.
    private static let defaults: [(name: String, rule: String)] = {
        let colors = standard.sorted { $0.key.rawValue > $1.key.rawValue }
        return colors.map { ($0.value, "::cue(.\($0.value)){color:\(css($0.key))}") }
            + colors.map {
                ("bg_" + $0.value, "::cue(.bg_\($0.value)){background-color:\(css($0.key))}")
            }
    }()

    private static let defaultNames = Set(defaults.map(\.name))
    private static let longestDefault = "bg_magenta".utf8.count

    private static let standard: [RGBA: String] = [
        RGBA(rawValue: 0xFFFF_FFFF): "white", RGBA(rawValue: 0x00FF_00FF): "lime",
        RGBA(rawValue: 0x00FF_FFFF): "cyan", RGBA(rawValue: 0xFF00_00FF): "red",
        RGBA(rawValue: 0xFFFF_00FF): "yellow", RGBA(rawValue: 0xFF00_FFFF): "magenta",
        RGBA(rawValue: 0x0000_FFFF): "blue", RGBA(rawValue: 0x0000_00FF): "black",
    ]

    /// A color in CSS that engines of every age read.
    static func css(_ color: RGBA) -> String {
        guard color.alpha != 255 else { return "#\(color.hexadecimal.uppercased())" }
        let alpha = decimalText(Double(color.alpha) / 255)
        return "rgba(\(color.red),\(color.green),\(color.blue),\(alpha))"
    }
}
