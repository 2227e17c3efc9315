/// An outline of text.
///
/// TTML: `tts:textOutline`. ASS: `\bord`, `\3c`, `\blur`.
package struct TextOutline: Hashable, Sendable {
    /// The color of the outline.
    package var color: RGBA
    /// The thickness of the outline, in thousandths of a percent of the video's height.
    package var width: Int
    /// The blur radius in the same unit; 0 is sharp.
    package var blur: Int

    /// Creates an outline.
    package init(color: RGBA, width: Int, blur: Int = 0) {
        self.color = color
        self.width = width
        self.blur = blur
    }
}

/// A shadow of text.
///
/// TTML and CSS: `textShadow`. ASS: `\xshad`, `\yshad`, `\4c`.
package struct TextShadow: Hashable, Sendable {
    /// The color of the shadow.
    package var color: RGBA
    /// The offset to the right, in thousandths of a percent of the video's height.
    package var x: Int
    /// The offset downwards, in the same unit.
    package var y: Int
    /// The blur radius in the same unit; 0 is sharp.
    package var blur: Int

    /// Creates a shadow.
    package init(color: RGBA, x: Int, y: Int, blur: Int = 0) {
        self.color = color
        self.x = x
        self.y = y
        self.blur = blur
    }
}

/// The colored area of a cue's region.
///
/// TTML: `tts:backgroundColor` and `tts:showBackground` of a region. Runs of text have the color as their
/// background, too, so that formats without areas show it.
package struct RegionBackground: Hashable, Sendable {
    /// The color of the area.
    package var color: RGBA
    /// The left edge in percent of the video.
    package var left: Double
    /// The top edge in percent of the video.
    package var top: Double
    /// The right edge in percent of the video.
    package var right: Double
    /// The bottom edge in percent of the video.
    package var bottom: Double
    /// `true` if the area is also shown without text.
    package var isAlwaysShown: Bool

    /// Creates an area.
    package init(
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

    /// `true` if it has an outline, shadows, unbroken lines or a line height.
    package var hasEffects: Bool {
        if isBasic { return false }
        return outline != nil || !shadows.isEmpty || isUnbroken || statesLineHeight
    }
}
