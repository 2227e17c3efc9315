internal import UndertextCore

/// The text of a cue as the events that draw it have it.
struct ASSRenderRuns {
    /// `true` if there is nothing to draw.
    var isEmpty: Bool { runs.isEmpty }
    /// The height of all lines in percent of the canvas; a wrapped line is one line.
    private(set) var height = 0.0
    /// The direction of the text.
    let direction: TextDirection
    /// `true` if text has boxes.
    let hasBoxes: Bool
    /// `true` if text has boxes and therefore no edges.
    let hasBoxesWithoutEdges: Bool

    private var runs: [TextRun]
    private var looks: [ASSResolvedStyle]
    /// `true` if outlines and shadows are those that the text states, not the viewer's.
    private let keepsEdges: Bool
    private let resolver: ASSStyleResolver
    private let syllables: ASSKaraoke

    init(
        _ text: StyledText, isVertical: Bool, direction: TextDirection?,
        span: CentisecondSpan, resolver: ASSStyleResolver, style: SubtitleStyle,
        fallback: SubtitleStyle = SubtitleStyle(), area: RGBA?
    ) {
        self.resolver = resolver
        keepsEdges = style.edge == nil && style.edgeColor == nil
        runs = Self.directed(
            Self.withRuby(text.runs.filter { !$0.text.isEmpty }), direction)
        var losses: LossKinds = []
        let hasFallback = !fallback.isDefault
        looks = runs.map { run in
            var look = resolver.look(of: run.style, losses: &losses)
            // The region's own color is drawn as the region.
            if let area, look.box == area { look.box = nil }
            let wanted = hasFallback ? style.over(fallback.unstated(by: run.style)) : style
            if let color = wanted.foreground { look.color = color }
            if let color = wanted.background { look.box = color.alpha == 0 ? nil : color }
            if let font = wanted.typeface { look.font = ASSStyleResolver.fontName(font) }
            if let isBold = wanted.isBold { look.isBold = isBold }
            if let isItalic = wanted.isItalic { look.isItalic = isItalic }
            if let scale = wanted.scale, scale.isFinite {
                look.size = Int((Double(look.size) * min(max(scale, 0.01), 100)).rounded())
            }
            // Nothing that text says of its size may be larger than the screen.
            look.size = min(max(look.size, 1000), resolver.canvas.height * 1000)
            if style.edge != nil || style.edgeColor != nil { look = look.withoutEffects }
            // The prefix of names of fonts that stay upright in rotated lines.
            if isVertical { look.font = "@" + look.font }
            return look
        }
        syllables = ASSKaraoke(runs, span: span)
        self.direction = direction ?? TextDirection(of: text.plainText)
        hasBoxes = looks.contains { $0.box != nil }
        hasBoxesWithoutEdges = hasBoxes && style.edge == nil
        height = measuredHeight()
    }

    /// Letters with their colors.
    var letters: [UInt8] {
        composed { run, look, tags in
            Self.append(look.color, "\\1c", "\\1a", to: &tags)
            if syllables.hasTimes {
                // Syllables that are not sung yet are transparent.
                let color = look.color
                let unsung = RGBA(
                    red: color.red, green: color.green, blue: color.blue, alpha: color.alpha / 3)
                Self.append(unsung, "\\2c", "\\2a", to: &tags)
            }
            appendEdges(of: look, to: &tags)
        }
    }

    /// A character and the tags of its style except for its size.
    struct Glyph {
        var character: Character
        var look: ASSResolvedStyle
        var tags: String
    }

    /// The characters of each line.
    var glyphs: [[Glyph]] {
        var lines: [[Glyph]] = [[]]
        for (run, look) in zip(runs, looks) {
            var tags = "\\fn\(look.font)" + Self.faceTags(look)
            Self.append(look.color, "\\1c", "\\1a", to: &tags)
            appendEdges(of: look, to: &tags)
            for character in run.text {
                if character.isNewline {
                    lines.append([])
                } else {
                    lines[lines.count - 1].append(
                        Glyph(character: character, look: look, tags: tags))
                }
            }
        }
        return lines
    }

    private static func faceTags(_ look: ASSResolvedStyle) -> String {
        "\\b\(look.isBold ? 1 : 0)\\i\(look.isItalic ? 1 : 0)"
            + "\\u\(look.isUnderlined ? 1 : 0)\\s\(look.isStruckThrough ? 1 : 0)"
    }

    /// Appends text edges, if not all runs have the same: stated edges, otherwise edges with the opacity of the
    /// text; none for text with a box.
    private func appendEdges(of look: ASSResolvedStyle, to tags: inout String) {
        guard keepsEdges else {
            if hasBoxesWithoutEdges, look.box != nil { tags += Self.noEdges }
            return
        }
        guard hasOwnEdges else { return }
        // Each run states all edge properties, like all other properties.
        tags += "\\bord\\3c\\3a\\blur0\\shad\\4c\\4a"
        let alpha = Int(look.color.alpha)
        if look.box != nil {
            tags += Self.noEdges
        } else if alpha < 255 {
            let shadow = Int(ASSRenderEdges.shadowAlpha) * alpha / 255
            tags += "\\3a&H\(ASSColor.hex(UInt8(255 - alpha)))&"
            tags += "\\4a&H\(ASSColor.hex(UInt8(255 - shadow)))&"
        }
        if look.outline != nil, look.shadow == nil { tags += "\\4a&HFF&" }
        tags += look.effectTags(after: look.withoutEffects)
    }

    private static let noEdges = "\\3a&HFF&\\4a&HFF&"

    /// `true` if a run has other edges than those of the style.
    private var hasOwnEdges: Bool {
        looks.contains {
            $0.outline != nil || $0.shadow != nil || $0.box != nil || $0.color.alpha < 255
        }
    }

    /// `true` if lines are not wrapped.
    var isUnbroken: Bool { runs.allSatisfy(\.style.isUnbroken) }

    /// Boxes at the position of the text, without the text.
    var boxes: [UInt8] {
        composed { _, look, tags in
            if let box = look.box {
                Self.append(box, "\\3c", "\\3a", to: &tags)
            } else {
                tags += "\\3a&HFF&"
            }
        }
    }

    /// The positions of the characters without their colors.
    var shape: [UInt8] { composed { _, _, _ in } }

    private func composed(
        _ colors: (TextRun, ASSResolvedStyle, inout String) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var last = ""
        for (index, (run, look)) in zip(runs, looks).enumerated() {
            var tags =
                "\\fn\(look.font)\\fs\(decimalText(thousandths: look.size))"
                + Self.faceTags(look)
            colors(run, look, &tags)
            // Text without tags is shaped together.
            if tags != last || !syllables.tags[index].isEmpty {
                bytes += "{\(syllables.tags[index])\(tags == last ? "" : tags)}".utf8
                last = tags
            }
            ASSTextEscaping.append(run.text, isLast: index == runs.count - 1, to: &bytes)
        }
        return bytes
    }

    private static func append(
        _ color: RGBA, _ colorTag: String, _ alphaTag: String, to tags: inout String
    ) {
        tags += "\(colorTag)&H\(ASSColor.hex(color))&"
        tags += "\(alphaTag)&H\(ASSColor.hex(255 - color.alpha))&"
    }

    /// Ruby in parentheses after its base, smaller: scripts cannot put it above.
    private static func withRuby(_ runs: [TextRun]) -> [TextRun] {
        guard runs.contains(where: { $0.ruby != nil }) else { return runs }
        return runs.flatMap { run -> [TextRun] in
            guard let ruby = run.ruby, !ruby.isEmpty else { return [run] }
            var base = run
            base.ruby = nil
            var small = TextRun("(\(ruby))", style: run.style)
            small.style.fontSize = run.style.fontSize?.scaled(percent: 60) ?? .percent(60)
            return [base, small]
        }
    }

    /// Puts a direction mark at the beginning of each line whose characters imply another direction.
    private static func directed(
        _ runs: [TextRun], _ direction: TextDirection?
    ) -> [TextRun] {
        guard let direction, let first = runs.first else { return runs }
        let mark = direction == .rightToLeft ? "\u{200F}" : "\u{200E}"
        var result = runs
        result[0].text = mark + first.text
        for index in result.indices {
            let lines = result[index].text.split(separator: "\n", omittingEmptySubsequences: false)
            result[index].text = lines.joined(separator: "\n" + mark)
        }
        return result
    }

    private func measuredHeight() -> Double {
        var total = 0
        var tallest = 0
        for (run, look) in zip(runs, looks) {
            for (index, line) in run.text.split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated() {
                if index > 0 {
                    total += max(tallest, look.size)
                    tallest = 0
                }
                if !line.isEmpty { tallest = max(tallest, look.size) }
            }
        }
        total += tallest
        return min(100, Double(total) / 10 / Double(max(1, resolver.canvas.height)))
    }
}

extension FontSize {
    /// A part of a size.
    func scaled(percent: Int) -> FontSize {
        func part(_ value: Int) -> Int { Int(clamping: Int128(value) * Int128(percent) / 100) }
        return switch self {
        case .ofHeight(let value): .ofHeight(part(value))
        case .percent(let value): .percent(part(value))
        case .pixels(let value): .pixels(part(value))
        }
    }
}

extension SubtitleStyle {
    /// Returns the properties that a text does not state; edges count where its own are kept.
    fileprivate func unstated(by text: TextStyle) -> SubtitleStyle {
        var result = self
        if text.color != nil { result.foreground = nil }
        if text.background != nil { result.background = nil }
        if text.font != nil { result.typeface = nil }
        if text.fontSize != nil { result.scale = nil }
        if text.isBold { result.isBold = nil }
        if text.isItalic { result.isItalic = nil }
        (result.edge, result.edgeColor) = (nil, nil)
        return result
    }
}
