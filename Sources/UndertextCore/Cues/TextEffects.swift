/// A line around letters.
///
/// TTML: `tts:textOutline`. ASS: `\bord`, `\3c`, `\blur`.
public struct TextOutline: Hashable, Sendable {
    /// The color of the line.
    public var color: RGBA
    /// The thickness of the line, in thousandths of a percent of the video's height.
    public var width: Int
    /// The radius that the line is blurred with, in the same unit; 0 = sharp.
    public var blur: Int

    /// Creates an outline.
    public init(color: RGBA, width: Int, blur: Int = 0) {
        self.color = color
        self.width = width
        self.blur = blur
    }
}

/// A shadow of letters.
///
/// TTML and CSS: `textShadow`. ASS: `\xshad`, `\yshad`, `\4c`.
public struct TextShadow: Hashable, Sendable {
    /// The color of the shadow.
    public var color: RGBA
    /// How far the shadow lies to the right, in thousandths of a percent of the video's height.
    public var x: Int
    /// How far the shadow lies below, in the same unit.
    public var y: Int
    /// The radius that the shadow is blurred with, in the same unit; 0 = sharp.
    public var blur: Int

    /// Creates a shadow.
    public init(color: RGBA, x: Int, y: Int, blur: Int = 0) {
        self.color = color
        self.x = x
        self.y = y
        self.blur = blur
    }
}

/// The colored area of the region that a cue is in.
///
/// TTML: `tts:backgroundColor` and `tts:showBackground` of a region. Runs have the color too, as that of
/// the nearest background, so that formats without areas show it behind the letters.
public struct RegionBackground: Hashable, Sendable {
    /// The color of the area.
    public var color: RGBA
    /// The area's left edge, percent of the video.
    public var left: Double
    /// The area's top edge, percent of the video.
    public var top: Double
    /// The area's right edge, percent of the video.
    public var right: Double
    /// The area's bottom edge, percent of the video.
    public var bottom: Double
    /// `true` if the area is shown without text, too.
    public var isAlwaysShown: Bool

    /// Creates an area.
    public init(
        color: RGBA, left: Double, top: Double, right: Double, bottom: Double,
        isAlwaysShown: Bool
    ) {
        self.color = color
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
        self.isAlwaysShown = isAlwaysShown
    }
}

extension TextStyle {
    /// The em of the font, in thousandths of a percent of the video's height.
    package var em: Double {
        let line: Double =
            switch fontSize ?? .usual {
            case .ofHeight(let part): Double(part)
            case .percent(let part): 75 * Double(part)
            // Pixels of formats without a canvas are those of libavformat's: 288 lines.
            case .pixels(let count): Double(count) * 100_000 / 288
            }
        return max(1, line * 8 / Double(FontSize.lineEighths))
    }

    /// `true` if lines have another distance than one and a quarter em, which is what players use.
    ///
    /// TTML2, section 10.2.24 (`lineHeight`).
    package var statesLineHeight: Bool {
        guard let lineHeight else { return false }
        return (Double(lineHeight) / em - 1.25).magnitude > 0.01
    }

    /// Whether it has an outline, shadows, unbroken lines or a distance of lines of its own.
    package var hasEffects: Bool {
        if isBasic { return false }
        return outline != nil || !shadows.isEmpty || isUnbroken || statesLineHeight
    }
}
