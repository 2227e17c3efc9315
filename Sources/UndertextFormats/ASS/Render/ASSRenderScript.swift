package import UndertextCore

/// Text cues as a script for rendering, not for a file.
///
/// Unlike ``ASSWriter``, it keeps everything visible: the width of boxes, regions, vertical text, ruby (in
/// parentheses after its base), boxes with edges. One cue may become several stacked events: the area of its
/// region, window, boxes, light edges, characters. The five styles have these names.
package struct ASSRenderScript: Sendable {
    /// The script up to its events.
    package let header: [UInt8]

    /// `true` if cues are drawn without the styles and positions of their script.
    package let isPlain: Bool

    private let regions: [Region]
    private let sheet: WebVTTStyleSheet
    /// The properties that count before those of the cues, and those that count where cues state none.
    private let (style, fallback): (SubtitleStyle, SubtitleStyle)
    private let resolver: ASSStyleResolver
    private let edges: ASSRenderEdges

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - header: regions and style sheets that cues refer to.
    ///   - canvas: the script's canvas, which has the shape of the image; pixels.
    ///   - style: the properties that the viewer overrides.
    package init(header: SubtitleHeader, canvas: PixelSize, style: SubtitleStyle) {
        regions = header.regions
        self.style = style.overriding
        let isCaption = Self.captions.contains(header.codec)
        var fallback = style.fallback
        // The default of captions is black, which decoders leave out.
        if isCaption { fallback.background = fallback.background ?? .black }
        self.fallback = fallback
        isPlain = self.style.position != nil && header.codec.isScript
        let standard = ASSResolvedStyle(
            font: isCaption ? "monospace" : "sans-serif", size: ASSRenderEdges.size(on: canvas))
        resolver = ASSStyleResolver(
            standard: standard, canvas: canvas, allowsBoxes: true,
            classes: WebVTTClassColors([]))
        sheet = WebVTTStyleSheet(header.styleSheets)
        edges = ASSRenderEdges(self.style.over(fallback), canvas: canvas)
        self.header = Array(
            Self.text(
                canvas: canvas, standard: standard, edges: edges,
                wrapping: ASSWrapping(header.codec)
            ).utf8)
    }

    private static let captions: Set<CodecID> = [.cea608, .cea708, .teletext]

    /// Of the track's style sheets: rules, properties and values that are not drawn.
    package var leftOut: [String] { sheet.leftOut }

    /// The events of a cue in Matroska's form.
    ///
    /// - Parameters:
    ///   - cue: the cue.
    ///   - number: its number among all cues, which counts where cues would overlap.
    /// - Returns: the events from the lowest up; none for images and where there is no text.
    package func events(of cue: Cue, number: Int) -> [[UInt8]] {
        var areas: Set<RegionBackground> = []
        return events(of: cue, number: number, areas: &areas)
    }

    /// The events of a cue, without the area of its region where `areas` has it: cues on screen together share it.
    package func events(
        of cue: Cue, number: Int, areas: inout Set<RegionBackground>
    ) -> [[UInt8]] {
        guard case .text(let styled) = cue.content else { return [] }
        let text =
            isPlain ? StyledText(styled.plainText) : sheet.styled(styled, id: cue.identifier)
        let layout = isPlain ? CueLayout() : cue.layout
        let wanted = placing(layout)
        // Cues that are moved to the same position must not overlap.
        let depth = style.position == nil ? min(max(cue.layer, -100_000_000), 100_000_000) : 0
        let area =
            isPlain || style.position != nil || style.background != nil ? nil : layout.background
        let runs = ASSRenderRuns(
            text, isVertical: layout.vertical != .horizontal && style.position == nil,
            direction: layout.direction, span: CentisecondSpan(cue), resolver: resolver,
            style: style, fallback: fallback, area: area?.color)
        guard !runs.isEmpty else { return [] }
        let placement = ASSRenderPlacement(
            layout, regions: regions, canvas: resolver.canvas, height: runs.height,
            direction: runs.direction, wanted: wanted)
        var events: [[UInt8]] = []
        func add(_ part: ASSRenderPart, _ body: [UInt8], isPlaced: Bool = false) {
            // Parts of a cue are on separate layers, so that they do not move apart.
            let layer = depth * ASSRenderPart.allCases.count + part.rawValue
            let margins = placement.margins
            // Boxes that are drawings have no borders.
            let style = isPlaced && part == .boxes ? ASSRenderPart.area.style : part.style
            var event = Array(
                "\(number),\(layer),\(style),,\(margins.left),\(margins.right),".utf8)
            event += "\(margins.vertical),,".utf8
            if part != .area, !isPlaced {
                let breaking = runs.isUnbroken ? "\\q2" : ""
                event += "{\\an\(placement.key)\(placement.tags)\(breaking)}".utf8
            }
            events.append(event + body)
        }
        if let area, areas.insert(area).inserted { add(.area, drawing(of: area)) }
        if let caption = self.caption(layout), let letters = caption.letters(runs.glyphs) {
            let color = style.background
            for boxes in caption.boxes(color: color, except: area?.color) {
                add(.boxes, boxes, isPlaced: true)
            }
            for letter in letters { add(.letters, letter, isPlaced: true) }
            return events
        }
        let hasOwnWindow = layout.background != nil && style.window == nil
        if edges.hasWindow, !hasOwnWindow { add(.window, runs.shape) }
        if runs.hasBoxes { add(.boxes, runs.boxes) }
        if edges.hasLight, !runs.hasBoxesWithoutEdges {
            add(.light, edges.lightTags.utf8 + runs.shape)
        }
        add(.letters, runs.letters)
        return events
    }

    /// The caption of a layout, if the viewer leaves it on its grid.
    private func caption(_ layout: CueLayout) -> ASSRenderCaption? {
        guard ASSRenderCaption.allows(style, fallback: fallback) else { return nil }
        return ASSRenderCaption(
            layout, canvas: resolver.canvas, standardSize: ASSRenderEdges.size(on: resolver.canvas))
    }

    /// The viewer's placement of a cue, which overrides its layout or is its default.
    private func placing(_ layout: CueLayout) -> SubtitleStyle {
        var wanted = style
        guard layout.region == nil, layout.vertical == .horizontal else { return wanted }
        if layout.line == nil {
            wanted.position = wanted.position ?? fallback.position
            wanted.verticalMargin = wanted.verticalMargin ?? fallback.verticalMargin
        }
        if layout.isUnplacedAcross {
            if layout.textAlignment == .center {
                wanted.alignment = wanted.alignment ?? fallback.alignment
            }
            wanted.leftMargin = wanted.leftMargin ?? fallback.leftMargin
            wanted.rightMargin = wanted.rightMargin ?? fallback.rightMargin
        }
        return wanted
    }

    /// A filled rectangle.
    private func drawing(of area: RegionBackground) -> [UInt8] {
        func pixels(_ percent: Double, of size: Int) -> Int {
            guard percent.isFinite else { return 0 }
            return Int((min(max(percent, 0), 100) * Double(size) / 100).rounded())
        }
        let (width, height) = (resolver.canvas.width, resolver.canvas.height)
        let (left, right) = (pixels(area.left, of: width), pixels(area.right, of: width))
        let (top, bottom) = (pixels(area.top, of: height), pixels(area.bottom, of: height))
        let color = ASSResolvedStyle.tags(area.color, "\\1c", "\\1a")
        return Array(
            ("{\\an7\\pos(\(left),\(top))\(color)\\p1}"
                + "m 0 0 l \(right - left) 0 \(right - left) \(bottom - top) 0 \(bottom - top)")
                .utf8)
    }

    /// An encoding of libass's own: each line begins where its first letter with a direction
    /// begins (`unicode-bidi: plaintext`, W3C WebVTT, section 7.4), and tags do not cut it into pieces.
    private static let anyDirection = -1

    private static func text(
        canvas: PixelSize, standard: ASSResolvedStyle, edges: ASSRenderEdges, wrapping: ASSWrapping
    ) -> String {
        let styles = ASSRenderPart.allCases.map { part in
            let looks = edges.look(of: part)
            let size = decimalText(thousandths: standard.size)
            return
                "Style: \(part.style),\(standard.font),\(size),\(looks.colors),0,0,0,0,100,100,0,0,"
                + "\(looks.border),2,0,0,0,\(Self.anyDirection)\n"
        }
        return """
            [Script Info]
            ScriptType: v4.00+
            WrapStyle: \(wrapping.rawValue)
            ScaledBorderAndShadow: yes
            PlayResX: \(canvas.width)
            PlayResY: \(canvas.height)

            [V4+ Styles]
            \(ASSStyleColumns.ass.formatLine)
            \(styles.joined())
            [Events]
            \(ASSEventColumns.ass.formatLine)

            """
    }
}

/// The parts of a cue, from the lowest one up.
enum ASSRenderPart: Int, CaseIterable {
    case area
    case window
    case boxes
    case light
    case letters

    /// The name of its style.
    var style: String { ["Area", "Window", "Boxes", "Light", "Letters"][rawValue] }
}

/// Windows, boxes and edges as styles of a script say them.
struct ASSRenderEdges {
    /// `true` if a window is drawn.
    let hasWindow: Bool
    /// `true` if text has a light edge beside the dark one.
    let hasLight: Bool
    /// `true` if text on a box has an edge, too: only if the viewer requests one.
    let countsOnBoxes: Bool
    /// The text edge.
    private let edge: SubtitleStyle.Edge
    private let color: RGBA
    private let window: RGBA
    /// Script pixels.
    private let width: Double
    /// The outline of unstyled text, and the offset of its shadow, in script pixels.
    private let usual: (outline: Double, shadow: Double)

    /// The opacity of the shadow of unstyled text.
    static let shadowAlpha: UInt8 = 160

    /// The size of text without one, as line height: two lines of 42 characters fit.
    static func size(on canvas: PixelSize) -> Int { max(1, canvas.height / 15) * 1000 }

    /// A style in the terms of a script: colors from the primary one on; border, outline, shadow.
    struct Look {
        var colors: String
        var border: String
    }

    init(_ style: SubtitleStyle, canvas: PixelSize) {
        edge = style.edge ?? .uniform
        countsOnBoxes = style.edge != nil
        color = style.edgeColor ?? .black
        window = style.window ?? .clear
        hasWindow = window.alpha > 0
        hasLight = edge == .raised || edge == .depressed
        width = max(0.1, Double(canvas.height) / 432)
        // Chosen by eye on white, black and busy frames beside mpv's defaults (a 240th and a 436th, no shadow).
        usual = (max(0.1, Double(canvas.height) / 300), max(0.1, Double(canvas.height) / 600))
    }

    /// Puts the shadow of the light part to the top left; styles know no shadows there.
    var lightTags: String {
        let offset = Self.number(-width)
        return "{\\xshad\(offset)\\yshad\(offset)}"
    }

    /// The style of a part.
    func look(of part: ASSRenderPart) -> Look {
        let outline = Self.number(width)
        let shadow = Self.number(width * (edge == .dropShadow ? 1.6 : 1))
        switch part {
        case .area: return Look(colors: Self.colors(.white, .clear, .clear), border: "1,0,0")
        case .window:
            // Border style 4 is an extension of libass: one box around all lines; the shadow is its padding.
            return Look(
                colors: Self.colors(.clear, .clear, window), border: "4,\(outline),\(outline)")
        case .boxes:
            return Look(colors: Self.colors(.clear, .black, .clear), border: "3,\(outline),0")
        case .light:
            // Invisible text has no shadow.
            let unseen = RGBA(rawValue: 0xFFFF_FF01)
            let other = edge == .raised ? RGBA.white : color
            return Look(colors: Self.colors(unseen, .clear, other), border: "1,0,0")
        case .letters:
            switch edge {
            case .none:
                return Look(colors: Self.colors(.white, .clear, .clear), border: "1,\(outline),0")
            case .uniform:
                let isUsual = !countsOnBoxes
                let below = RGBA(
                    red: color.red, green: color.green, blue: color.blue, alpha: Self.shadowAlpha)
                return Look(
                    colors: Self.colors(.white, color, isUsual ? below : .clear),
                    border: "1,\(Self.number(usual.outline)),"
                        + (isUsual ? Self.number(usual.shadow) : "0"))
            case .dropShadow, .raised:
                return Look(
                    colors: Self.colors(.white, .clear, color), border: "1,0,\(shadow)")
            case .depressed:
                return Look(
                    colors: Self.colors(.white, .clear, .white), border: "1,0,\(shadow)")
            }
        }
    }

    /// Primary, secondary, outline and back color.
    private static func colors(_ primary: RGBA, _ outline: RGBA, _ back: RGBA) -> String {
        [primary, primary, outline, back]
            .map { "&H\(ASSColor.hex(255 - $0.alpha))\(ASSColor.hex($0))" }
            .joined(separator: ",")
    }

    private static func number(_ value: Double) -> String {
        decimalText(thousandths: Int((value * 1000).rounded()))
    }
}
