/// A user's style for subtitles; properties that are `nil` keep the style of the content.
///
/// Each property applies independently, as 47 CFR 79.103(c) (FCC) requires of devices that show captions:
/// setting only the size keeps the content's colors. All properties apply to text; only ``opacity`` and
/// ``position`` apply to images.
public struct SubtitleStyle: Hashable, Sendable {
    /// The edge style of text.
    public enum Edge: String, Hashable, Sendable, CaseIterable {
        /// No edge.
        case none
        /// A raised edge, with light from the top left.
        case raised
        /// A depressed edge.
        case depressed
        /// An outline.
        case uniform
        /// A shadow to the bottom right.
        case dropShadow = "drop-shadow"
    }

    /// The vertical position of text and images.
    public enum Position: Hashable, Sendable {
        /// At the top, within the safe area.
        case top
        /// In the middle.
        case middle
        /// At the bottom, within the safe area.
        case bottom
        /// A percentage of the way from the top (0) to the bottom (100).
        case percent(Double)
    }

    /// The color of the text.
    public var foreground: RGBA?
    /// The background color of the text; transparent means none.
    public var background: RGBA?
    /// The color of the rectangle behind all lines of a cue; transparent means none.
    public var window: RGBA?
    /// The edge style of the text.
    public var edge: Edge?
    /// The color of the edge.
    public var edgeColor: RGBA?
    /// The font family.
    public var typeface: String?
    /// The factor that is applied to font sizes; 1 keeps the size of the content.
    public var scale: Double?
    /// `true` for bold, `false` for regular weight.
    public var isBold: Bool?
    /// `true` for italics, `false` for upright text.
    public var isItalic: Bool?
    /// The opacity of text and images, 0 to 1.
    public var opacity: Double?
    /// The vertical position.
    public var position: Position?

    /// Creates a style that keeps the style of the content.
    public init() {}

    /// `true` if no property is set.
    public var isDefault: Bool { self == SubtitleStyle() }

    /// Returns this style, with unset properties taken from `lower`.
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

    /// Returns the effective style of an application's style and the viewer's settings.
    ///
    /// Each property of the viewer overrides that of the application, and both override the content.
    /// Properties that neither sets keep the style of the content.
    public static func effective(
        application: SubtitleStyle, viewer: SubtitleStyle
    ) -> SubtitleStyle {
        viewer.over(application)
    }
}
