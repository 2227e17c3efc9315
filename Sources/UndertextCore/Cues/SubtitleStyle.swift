/// How somebody wants subtitles to look: what is `nil` stays as the content has it.
///
/// Each property stands for itself, as 47 CFR 79.103(c) (FCC) asks of devices that show captions: who
/// sets only the size keeps the content's colors. Text takes all properties, images only
/// ``opacity`` and ``position``.
public struct SubtitleStyle: Hashable, Sendable {
    /// What sets letters off from the image behind them.
    public enum Edge: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// As if they stood out: light from the top left.
        case raised
        /// As if they were pressed in.
        case depressed
        /// An outline.
        case uniform
        /// A shadow to the bottom right.
        case dropShadow = "drop-shadow"
    }

    /// Where text and images stand.
    public enum Position: Hashable, Sendable {
        /// At the top, within the safe area.
        case top
        /// Half way down.
        case middle
        /// At the bottom, within the safe area.
        case bottom
        /// A part of the way from the top to the bottom, 0 to 100.
        case percent(Double)
    }

    /// The letters.
    public var foreground: RGBA?
    /// Directly behind the letters; transparent = none.
    public var background: RGBA?
    /// The rectangle behind all lines of a cue; transparent = none.
    public var window: RGBA?
    /// What sets letters off.
    public var edge: Edge?
    /// The edge's color.
    public var edgeColor: RGBA?
    /// The font's family.
    public var typeface: String?
    /// What sizes are multiplied by: 1 = as large as the content says.
    public var scale: Double?
    /// Heavy, or never heavy.
    public var isBold: Bool?
    /// Slanted, or never slanted.
    public var isItalic: Bool?
    /// How opaque all of it is, 0 to 1.
    public var opacity: Double?
    /// Where it stands.
    public var position: Position?

    /// A style that leaves all to the content.
    public init() {}

    /// `true` if it leaves all to the content.
    public var isDefault: Bool { self == SubtitleStyle() }

    /// This style, completed by `lower` property by property.
    public func over(_ lower: SubtitleStyle) -> SubtitleStyle {
        var result = self
        result.foreground = foreground ?? lower.foreground
        result.background = background ?? lower.background
        result.window = window ?? lower.window
        result.edge = edge ?? lower.edge
        result.edgeColor = edgeColor ?? lower.edgeColor
        result.typeface = typeface ?? lower.typeface
        result.scale = scale ?? lower.scale
        result.isBold = isBold ?? lower.isBold
        result.isItalic = isItalic ?? lower.isItalic
        result.opacity = opacity ?? lower.opacity
        result.position = position ?? lower.position
        return result
    }

    /// What counts of an application's wishes and the viewer's own settings.
    ///
    /// The viewer's settings win over the application, and both over the content, property by
    /// property; what neither sets is the content's.
    public static func effective(
        application: SubtitleStyle, viewer: SubtitleStyle
    ) -> SubtitleStyle {
        viewer.over(application)
    }
}
