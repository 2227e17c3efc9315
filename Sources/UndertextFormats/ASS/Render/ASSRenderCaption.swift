internal import UndertextCore

/// A caption on its grid as script events: each character in its cell, regardless of the font, over boxes.
struct ASSRenderCaption {
    private let canvas: PixelSize
    /// The size of text without one, in thousandths of a pixel.
    private let standardSize: Int
    private let lines: [CaptionLines.Line]

    /// The widest advance of usual monospace fonts, as a part of the height of a line.
    private static let advance = 0.53

    /// The caption of a layout; `nil` if it is on no grid.
    init?(_ layout: CueLayout, canvas: PixelSize, standardSize: Int) {
        guard !layout.captionLines.lines.isEmpty else { return nil }
        lines = layout.captionLines.lines
        self.canvas = canvas
        self.standardSize = standardSize
    }

    /// `true` if a style keeps the font and positions of the grid.
    static func allows(_ style: SubtitleStyle, fallback: SubtitleStyle) -> Bool {
        let look = style.over(fallback)
        return style.position == nil && style.alignment == nil && style.leftMargin == nil
            && style.rightMargin == nil && style.verticalMargin == nil && look.scale == nil
            && look.typeface == nil && look.window == nil
    }

    // MARK: Boxes

    /// The boxes around the characters as drawings, one for each color; `color` replaces theirs.
    func boxes(color: RGBA?, except area: RGBA?) -> [[UInt8]] {
        let all = lines.flatMap(\.boxes).filter { $0.color != area }
        var colors: [RGBA] = []
        for box in all where !colors.contains(color ?? box.color) {
            colors.append(color ?? box.color)
        }
        return colors.filter { $0.alpha > 0 }.map { shown in
            drawing(of: all.filter { color != nil || $0.color == shown }, shown)
        }
    }

    /// Rectangles as one drawing, so that nothing shines through where they meet.
    private func drawing(of boxes: [RegionBackground], _ color: RGBA) -> [UInt8] {
        let left = boxes.map(\.left).min() ?? 0
        let top = boxes.map(\.top).min() ?? 0
        // Eighths of pixels: the fourth scale of drawings.
        func x(_ percent: Double) -> Int { Int((across(percent - left) * 8).rounded()) }
        func y(_ percent: Double) -> Int { Int((down(percent - top) * 8).rounded()) }
        let paths = boxes.map { box in
            let (left, top, right, bottom) = (x(box.left), y(box.top), x(box.right), y(box.bottom))
            return "m \(left) \(top) l \(right) \(top) \(right) \(bottom) \(left) \(bottom)"
        }
        let tags = ASSResolvedStyle.tags(color, "\\1c", "\\1a")
        let place = "\\pos(\(Self.text(across(left))),\(Self.text(down(top))))"
        return Array("{\\an7\(place)\(tags)\\p4}\(paths.joined(separator: " "))".utf8)
    }

    // MARK: Letters

    /// The characters as texts, each in its cell; `nil` if the text has other lines.
    ///
    /// Right-to-left lines are one text, because their letters are joined.
    func letters(_ glyphs: [[ASSRenderRuns.Glyph]]) -> [[UInt8]]? {
        guard glyphs.count == lines.count else { return nil }
        return zip(glyphs, lines).flatMap { glyphs, line in
            let text = String(glyphs.map(\.character))
            if TextDirection(of: text) == .rightToLeft {
                return [self.text(glyphs, columns: 0..<glyphs.count, line)]
            }
            return glyphs.indices.compactMap { column in
                let glyph = glyphs[column]
                let isLine = glyph.look.isUnderlined || glyph.look.isStruckThrough
                guard isLine || !glyph.character.isWhitespace else { return nil }
                return self.text([glyph], columns: column..<column + 1, line)
            }
        }
    }

    /// A text in the middle of its columns.
    private func text(
        _ glyphs: [ASSRenderRuns.Glyph], columns: Range<Int>, _ line: CaptionLines.Line
    ) -> [UInt8] {
        let middle =
            line.left + Double(columns.lowerBound + columns.upperBound) / 2 * line.columnWidth
        var bytes = Array(
            "{\\an8\\q2\\pos(\(Self.text(across(middle))),\(Self.text(down(line.top))))}".utf8)
        for (index, glyph) in glyphs.enumerated() {
            let part = Double(glyph.look.size) / Double(max(1, standardSize))
            let size = max(1, down(line.height) * part)
            let stretch = across(line.columnWidth) / (size * Self.advance)
            bytes += "{\\fs\(Self.text(size))\\fscx\(Self.text(min(stretch, 10) * 100))".utf8
            bytes += "\(glyph.tags)}".utf8
            let isSpace = glyph.character.isWhitespace
            ASSTextEscaping.append(
                isSpace ? "\u{A0}" : String(glyph.character), isLast: index == glyphs.count - 1,
                to: &bytes)
        }
        return bytes
    }

    // MARK: Pixels

    private func across(_ percent: Double) -> Double { Self.pixels(percent, of: canvas.width) }
    private func down(_ percent: Double) -> Double { Self.pixels(percent, of: canvas.height) }

    private static func pixels(_ percent: Double, of size: Int) -> Double {
        percent.isFinite ? min(max(percent, -100), 100) * Double(size) / 100 : 0
    }

    private static func text(_ value: Double) -> String {
        decimalText(thousandths: Int((value * 1000).rounded()))
    }
}
