public import UndertextCore

/// The part of an ASS or SSA script that precedes its events.
///
/// Matroska: `CodecPrivate` of `S_TEXT/ASS` and `S_TEXT/SSA`.
public struct ASSScriptHeader: Hashable, Sendable {
    /// The canvas that positions refer to, in script pixels.
    ///
    /// `PlayResX`, `PlayResY`; 384 × 288 if the script states neither.
    public var canvas = PixelSize(width: 384, height: 288)
    /// Whether the script states its canvas.
    public var statesCanvas = false
    /// How lines are wrapped: 2 = only at `\n` and `\N`.
    ///
    /// `WrapStyle`.
    public var wrapStyle = 0
    /// Whether borders scale with the canvas.
    ///
    /// `ScaledBorderAndShadow`.
    public var scalesBorders = false
    /// The script's title.
    public var title: String?
    /// The language that the script states, `Language`.
    public var language: LanguageTag?
    /// Whether styles are in the old form, `[V4 Styles]`.
    public var isLegacy = false
    /// The styles, in order.
    public var styles: [ASSStyle] = []
    /// The columns of the events, in lower case; those of v4+ if the script does not say.
    public var eventFields: [String] = Self.defaultEventFields

    private var indexByName: [String: Int] = [:]

    /// An empty header.
    public init() {}

    /// The style of that name, else the one called Default, else the first, else a built-in one.
    public func style(named name: String) -> ASSStyle {
        if let index = indexByName[ASSStyle.cleanName(name)] { return styles[index] }
        if let index = indexByName["Default"] ?? indexByName["default"] { return styles[index] }
        return styles.first ?? ASSStyle()
    }

    /// Whether there is a style of exactly that name.
    public func hasStyle(named name: String) -> Bool {
        indexByName[ASSStyle.cleanName(name)] != nil
    }

    mutating func add(_ style: ASSStyle) {
        indexByName[style.name] = styles.count
        styles.append(style)
    }

    static let defaultEventFields = [
        "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
    ]

    static let defaultStyleFields = [
        "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour",
        "backcolour", "bold", "italic", "underline", "strikeout", "scalex", "scaley", "spacing",
        "angle", "borderstyle", "outline", "shadow", "alignment", "marginl", "marginr", "marginv",
        "encoding",
    ]

    static let defaultLegacyStyleFields = [
        "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "tertiarycolour",
        "backcolour", "bold", "italic", "borderstyle", "outline", "shadow", "alignment", "marginl",
        "marginr", "marginv", "alphalevel", "encoding",
    ]
}
