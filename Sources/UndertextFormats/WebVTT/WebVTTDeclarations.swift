internal import UndertextCore

/// The declarations of a rule that styled text can represent.
struct WebVTTDeclarations: Hashable {
    private(set) var color: RGBA?
    private(set) var background: RGBA?
    private(set) var isBold: Bool?
    private(set) var isItalic: Bool?
    private(set) var isUnderlined: Bool?
    private(set) var isStruckThrough: Bool?
    private(set) var font: String?
    /// `.percent` is of the size around it.
    private(set) var size: FontSize?

    /// Nothing.
    init() {}

    /// `true` if there are no declarations.
    var isEmpty: Bool { self == WebVTTDeclarations() }

    /// `true` if only colors are declared.
    var hasOnlyColors: Bool {
        var others = self
        others.color = nil
        others.background = nil
        return others.isEmpty
    }

    /// Adds a declaration; returns `true` if it is supported.
    mutating func add(_ property: String, _ value: ArraySlice<UInt8>) -> Bool {
        let word = value.text.lowercased()
        switch property {
        case "color": return set(\.color, CSSColor.parse(value))
        case "background", "background-color":
            return set(\.background, word == "none" ? .clear : CSSColor.parse(value))
        case "font-weight":
            let weight = Double(word).map { $0 >= 600 }
            let words = ["bold": true, "bolder": true, "normal": false, "lighter": false]
            return set(\.isBold, weight ?? words[word])
        case "font-style":
            return set(\.isItalic, ["italic": true, "oblique": true, "normal": false][word])
        case "text-decoration", "text-decoration-line":
            let lines = word.split(separator: " ")
            guard !lines.isEmpty,
                lines.allSatisfy({ ["none", "underline", "line-through"].contains($0) })
            else { return false }
            isUnderlined = lines.contains("underline")
            isStruckThrough = lines.contains("line-through")
            return true
        case "font-family":
            let name = SAMIStyleSheet.unquoted(
                WebVTTRuleScanner.parts(of: value, at: Byte.comma)[0])
            guard !name.isEmpty, name.count <= 256 else { return false }
            font = name.text
            return true
        case "font-size": return set(\.size, Self.size(value))
        default: return false
        }
    }

    private mutating func set<Value>(
        _ path: WritableKeyPath<Self, Value?>, _ value: Value?
    ) -> Bool {
        if let value { self[keyPath: path] = value }
        return value != nil
    }

    /// W3C CSS Fonts Module Level 4, section 2.5; the number of CSS pixels of a video is unknown.
    private static func size(_ value: ArraySlice<UInt8>) -> FontSize? {
        let word = value.text.lowercased()
        if let percent = sizes[word] { return .percent(percent) }
        guard let number = value.leadingNumber, (0.01...10_000).contains(number) else { return nil }
        switch String(word.drop { !$0.isLetter && $0 != "%" }) {
        case "%": return .percent(Int(number.rounded()))
        case "em", "rem": return .percent(Int((number * 100).rounded()))
        case "vh": return .ofHeight(Int((number * 1000).rounded()))
        default: return nil
        }
    }

    private static let sizes = [
        "xx-small": 60, "x-small": 75, "small": 89, "medium": 100, "large": 120,
        "x-large": 150, "xx-large": 200, "smaller": 83, "larger": 120,
    ]

    // MARK: Text

    /// Returns the declarations of `inner`, and those of this value for properties that `inner` lacks.
    func under(_ inner: WebVTTDeclarations) -> WebVTTDeclarations {
        var result = inner
        result.color = inner.color ?? color
        result.background = inner.background ?? background
        result.isBold = inner.isBold ?? isBold
        result.isItalic = inner.isItalic ?? isItalic
        result.isUnderlined = inner.isUnderlined ?? isUnderlined
        result.isStruckThrough = inner.isStruckThrough ?? isStruckThrough
        result.font = inner.font ?? font
        result.size = inner.size ?? size
        return result
    }

    /// Sets the properties that `style` does not set itself, for rules that apply to entire cues.
    func apply(below style: inout TextStyle) {
        style.color = style.color ?? color
        style.background = style.background ?? background
        style.font = style.font ?? font
        style.fontSize = style.fontSize ?? size
        if isBold == true { style.isBold = true }
        if isItalic == true { style.isItalic = true }
        if isUnderlined == true { style.isUnderlined = true }
        if isStruckThrough == true { style.isStruckThrough = true }
    }

    /// Applies the declarations to text, and overrides its own: for text within tags.
    func apply(to style: inout TextStyle) {
        if let color { style.color = color }
        if let background { style.background = background }
        if let font { style.font = font }
        if let isBold { style.isBold = isBold }
        if let isItalic { style.isItalic = isItalic }
        if let isUnderlined { style.isUnderlined = isUnderlined }
        if let isStruckThrough { style.isStruckThrough = isStruckThrough }
        guard let size else { return }
        if case .percent(let percent) = size, let outer = style.fontSize {
            style.fontSize = outer.scaled(percent: percent)
        } else {
            style.fontSize = size
        }
    }
}
