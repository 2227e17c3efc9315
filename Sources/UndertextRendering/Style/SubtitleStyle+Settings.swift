public import UndertextCore
internal import UndertextFormats

extension SubtitleStyle {
    /// The names of all settings.
    public static let keys = [
        "foreground", "background", "window", "edge", "edge-color", "font", "scale", "bold",
        "italic", "opacity", "position", "align", "margin-left", "margin-right",
        "margin-vertical", "content-first",
    ]

    /// Bytes of a setting; those of a font's name are fewer.
    private static let longestSetting = 512
    private static let longestFont = 256

    /// Sets a property from `KEY=VALUE`, the syntax of settings files and command lines.
    ///
    /// The value `content` restores the style of the content. Colors are written as in CSS
    /// (`yellow`, `#ff0`, `#ffff0080`, `rgb(255, 255, 0)`), sizes and opacities as `1.5` or `150%`,
    /// positions as `top`, `middle`, `bottom` or percent from the top, margins as percent of the video.
    /// `content-first` takes `all`, `none` or keys separated by commas; `margin` means all margins.
    public mutating func set(_ setting: some StringProtocol) throws(UndertextError) {
        guard setting.utf8.count <= Self.longestSetting else {
            throw UndertextError(
                .invalidValue, "a setting has at most \(Self.longestSetting) bytes")
        }
        guard let equals = setting.firstIndex(of: "=") else {
            throw UndertextError(.invalidValue, "'\(setting)' is not KEY=VALUE, such as scale=1.5")
        }
        let key = Self.trimmed(setting[..<equals]).lowercased()
        try set(key, to: Self.trimmed(setting[setting.index(after: equals)...]))
    }

    /// Creates a style from settings, one per line; invalid settings are ignored and reported.
    ///
    /// Empty lines and lines that begin with `#` are ignored.
    public init(settings: String, diagnostics: (Diagnostic) -> Void = { _ in }) {
        self.init()
        for (index, line) in settings.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let text = Self.trimmed(line)
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            do {
                try set(text)
            } catch {
                diagnostics(
                    Diagnostic(
                        .warning, "invalid-setting", "line \(index + 1): \(error.description)"))
            }
        }
    }

    /// Returns the path of the viewer's settings: `undertext/style.conf` in the configuration folder.
    ///
    /// - Parameter variable: A function that returns the value of an environment variable.
    /// - Returns: The path, or `nil` if neither `XDG_CONFIG_HOME` nor `HOME` is an absolute path.
    public static func settingsPath(_ variable: (String) -> String?) -> String? {
        if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return "\(folder)/undertext/style.conf"
        }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.config/undertext/style.conf"
    }

    private mutating func set(_ key: String, to value: String) throws(UndertextError) {
        let isContent = value == "content"
        switch key {
        case "foreground": foreground = isContent ? nil : try Self.color(key, value)
        case "background": background = isContent ? nil : try Self.color(key, value)
        case "window": window = isContent ? nil : try Self.color(key, value)
        case "edge": edge = isContent ? nil : try Self.edge(value)
        case "edge-color": edgeColor = isContent ? nil : try Self.color(key, value)
        case "font": typeface = isContent ? nil : try Self.font(value)
        case "scale": scale = isContent ? nil : try Self.number(key, value, 0.1...10)
        case "bold": isBold = isContent ? nil : try Self.flag(key, value)
        case "italic": isItalic = isContent ? nil : try Self.flag(key, value)
        case "opacity": opacity = isContent ? nil : try Self.number(key, value, 0...1)
        case "position": position = isContent ? nil : try Self.position(value)
        case "align": alignment = isContent ? nil : try Self.alignment(value)
        case "margin-left": leftMargin = isContent ? nil : try Self.margin(key, value)
        case "margin-right": rightMargin = isContent ? nil : try Self.margin(key, value)
        case "margin-vertical": verticalMargin = isContent ? nil : try Self.margin(key, value)
        case "content-first": contentFirst = isContent ? [] : try Self.properties(value)
        default:
            throw UndertextError(
                .invalidValue,
                "unknown setting '\(key)'; settings are \(Self.keys.joined(separator: ", "))")
        }
    }

    private static func color(_ key: String, _ value: String) throws(UndertextError) -> RGBA {
        if value == "none" { return .clear }
        guard let color = CSSColor.parse(Array(value.utf8)[...]) else {
            throw UndertextError(
                .invalidValue,
                "\(key): '\(value)' is not a color; use yellow, #ffff00, #ffff0080 or none")
        }
        return color
    }

    private static func edge(_ value: String) throws(UndertextError) -> Edge {
        guard let edge = Edge(rawValue: value) else {
            throw UndertextError(
                .invalidValue,
                "edge: '\(value)' is not one of "
                    + Edge.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return edge
    }

    private static func alignment(_ value: String) throws(UndertextError) -> Alignment {
        guard let alignment = Alignment(rawValue: value) else {
            throw UndertextError(
                .invalidValue, "align: '\(value)' is neither left, center nor right")
        }
        return alignment
    }

    private static func margin(_ key: String, _ value: String) throws(UndertextError) -> Double {
        let digits = value.hasSuffix("%") ? String(value.dropLast()) : value
        guard let number = decimal(digits), (0...45).contains(number) else {
            throw UndertextError(
                .invalidValue, "\(key): '\(value)' is not 0 to 45 percent of the video")
        }
        return number
    }

    private static func properties(_ value: String) throws(UndertextError) -> Properties {
        let names: [String: Properties] = [
            "foreground": .foreground, "background": .background, "window": .window,
            "edge": .edge, "edge-color": .edgeColor, "font": .typeface, "scale": .scale,
            "bold": .bold, "italic": .italic, "opacity": .opacity, "position": .position,
            "align": .alignment, "margin": .margins, "all": .all, "none": [],
        ]
        var result: Properties = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let property = names[trimmed(part)] else {
                throw UndertextError(
                    .invalidValue,
                    "content-first: '\(part)' is not one of "
                        + names.keys.sorted().joined(separator: ", "))
            }
            result.formUnion(property)
        }
        return result
    }

    private static func font(_ value: String) throws(UndertextError) -> String {
        guard !value.isEmpty else {
            throw UndertextError(.invalidValue, "font: the family name is missing")
        }
        guard value.utf8.count <= longestFont else {
            throw UndertextError(
                .invalidValue, "font: a name can have at most \(longestFont) bytes")
        }
        // Scripts cannot name families with these: they end the name there.
        let forbidden = value.utf8.contains {
            $0 < 0x20 || $0 == 0x7F || ",\\{}()".utf8.contains($0)
        }
        guard !forbidden else {
            throw UndertextError(
                .invalidValue,
                "font: '\(value)' is not a family name; names cannot contain commas, braces, parentheses "
                    + "or backslashes")
        }
        return value
    }

    private static func flag(_ key: String, _ value: String) throws(UndertextError) -> Bool {
        switch value {
        case "yes", "true", "on", "1": return true
        case "no", "false", "off", "0": return false
        default:
            throw UndertextError(.invalidValue, "\(key): '\(value)' is neither yes nor no")
        }
    }

    private static func number(
        _ key: String, _ value: String, _ range: ClosedRange<Double>
    ) throws(UndertextError) -> Double {
        let isPercent = value.hasSuffix("%")
        let digits = isPercent ? String(value.dropLast()) : value
        let number = decimal(digits).map { isPercent ? $0 / 100 : $0 }
        guard let number, range.contains(number) else {
            throw UndertextError(
                .invalidValue,
                "\(key): '\(value)' is not a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// Digits with an optional fraction: no sign, exponent, hexadecimal number, infinity.
    private static func decimal(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 2, text.utf8.count <= 32,
            parts.allSatisfy({ $0.allSatisfy(\.isDigit) }), parts.last?.isEmpty == false
        else { return nil }
        return Double(text)
    }

    private static func position(_ value: String) throws(UndertextError) -> Position {
        switch value {
        case "top": return .top
        case "middle": return .middle
        case "bottom": return .bottom
        default:
            let digits = value.hasSuffix("%") ? String(value.dropLast()) : value
            guard let number = decimal(digits), (0...100).contains(number) else {
                throw UndertextError(
                    .invalidValue,
                    "position: '\(value)' is neither top, middle, bottom nor 0 to 100 percent")
            }
            return .percent(number)
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        Array(text.utf8)[...].trimmed.text
    }
}
