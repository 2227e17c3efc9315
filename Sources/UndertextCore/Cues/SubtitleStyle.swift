/// A user's style for subtitles; properties that are `nil` keep the style of the content.
///
/// Each property applies independently, as 47 CFR 79.103(c) (FCC) requires of devices that show captions:
/// setting only the size keeps the content's colors. All properties apply to text; of images, only the opacity, the
/// positions and the margins.
///
/// A property overrides the content, unless it is in ``contentFirst``: then it applies where the content states none.
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

    /// The alignment of lines between the left and the right margin.
    public enum Alignment: String, Hashable, Sendable, CaseIterable {
        /// At the left.
        case left
        /// In the middle.
        case center
        /// At the right.
        case right
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
    /// The horizontal position.
    public var alignment: Alignment?
    /// The left margin in percent of the width of the video, 0 to 45.
    public var leftMargin: Double?
    /// The right margin in percent of the width of the video, 0 to 45.
    public var rightMargin: Double?
    /// The margin at the top and the bottom in percent of the height of the video, 0 to 45.
    public var verticalMargin: Double?
    /// The properties that apply only where the content states none; those that are not set have no effect.
    public var contentFirst: Properties = []

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
        result.alignment = alignment ?? lower.alignment
        result.leftMargin = leftMargin ?? lower.leftMargin
        result.rightMargin = rightMargin ?? lower.rightMargin
        result.verticalMargin = verticalMargin ?? lower.verticalMargin
        result.contentFirst = contentFirst.intersection(stated)
            .union(lower.contentFirst.subtracting(stated))
        return result
    }

    /// Returns the effective style of an application's style and the viewer's settings.
    ///
    /// Each property of the viewer overrides that of the application, and both override the content, except for those in
    /// ``contentFirst``. Properties that neither sets keep the style of the content.
    public static func effective(
        application: SubtitleStyle, viewer: SubtitleStyle
    ) -> SubtitleStyle {
        viewer.over(application)
    }
}

extension SubtitleStyle {
    /// A set of properties of a style.
    public struct Properties: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt16
        /// Creates a set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// ``SubtitleStyle/foreground``.
        public static let foreground = Properties(rawValue: 1 << 0)
        /// ``SubtitleStyle/background``.
        public static let background = Properties(rawValue: 1 << 1)
        /// ``SubtitleStyle/window``.
        public static let window = Properties(rawValue: 1 << 2)
        /// ``SubtitleStyle/edge``.
        public static let edge = Properties(rawValue: 1 << 3)
        /// ``SubtitleStyle/edgeColor``.
        public static let edgeColor = Properties(rawValue: 1 << 4)
        /// ``SubtitleStyle/typeface``.
        public static let typeface = Properties(rawValue: 1 << 5)
        /// ``SubtitleStyle/scale``.
        public static let scale = Properties(rawValue: 1 << 6)
        /// ``SubtitleStyle/isBold``.
        public static let bold = Properties(rawValue: 1 << 7)
        /// ``SubtitleStyle/isItalic``.
        public static let italic = Properties(rawValue: 1 << 8)
        /// ``SubtitleStyle/opacity``.
        public static let opacity = Properties(rawValue: 1 << 9)
        /// ``SubtitleStyle/position``.
        public static let position = Properties(rawValue: 1 << 10)
        /// ``SubtitleStyle/alignment``.
        public static let alignment = Properties(rawValue: 1 << 11)
        /// ``SubtitleStyle/leftMargin``, ``SubtitleStyle/rightMargin`` and ``SubtitleStyle/verticalMargin``.
        public static let margins = Properties(rawValue: 1 << 12)
        /// All properties.
        public static let all = Properties(rawValue: (1 << 13) - 1)
    }

    /// The properties that are set.
    private var stated: Properties {
        var result: Properties = []
        if foreground != nil { result.insert(.foreground) }
        if background != nil { result.insert(.background) }
        if window != nil { result.insert(.window) }
        if edge != nil { result.insert(.edge) }
        if edgeColor != nil { result.insert(.edgeColor) }
        if typeface != nil { result.insert(.typeface) }
        if scale != nil { result.insert(.scale) }
        if isBold != nil { result.insert(.bold) }
        if isItalic != nil { result.insert(.italic) }
        if opacity != nil { result.insert(.opacity) }
        if position != nil { result.insert(.position) }
        if alignment != nil { result.insert(.alignment) }
        if leftMargin != nil || rightMargin != nil || verticalMargin != nil {
            result.insert(.margins)
        }
        return result
    }

    /// The properties that override the content.
    package var overriding: SubtitleStyle { keeping(Properties.all.subtracting(contentFirst)) }

    /// The properties that apply where the content states none.
    package var fallback: SubtitleStyle { keeping(contentFirst) }

    private func keeping(_ kept: Properties) -> SubtitleStyle {
        var result = self
        result.contentFirst = []
        if !kept.contains(.foreground) { result.foreground = nil }
        if !kept.contains(.background) { result.background = nil }
        if !kept.contains(.window) { result.window = nil }
        if !kept.contains(.edge) { result.edge = nil }
        if !kept.contains(.edgeColor) { result.edgeColor = nil }
        if !kept.contains(.typeface) { result.typeface = nil }
        if !kept.contains(.scale) { result.scale = nil }
        if !kept.contains(.bold) { result.isBold = nil }
        if !kept.contains(.italic) { result.isItalic = nil }
        if !kept.contains(.opacity) { result.opacity = nil }
        if !kept.contains(.position) { result.position = nil }
        if !kept.contains(.alignment) { result.alignment = nil }
        if !kept.contains(.margins) {
            (result.leftMargin, result.rightMargin, result.verticalMargin) = (nil, nil, nil)
        }
        return result
    }
}
