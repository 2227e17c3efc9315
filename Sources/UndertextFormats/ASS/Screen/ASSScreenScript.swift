package import UndertextCore

/// Text cues as a script that is drawn rather than kept.
///
/// Other than ``ASSWriter``, whose files are read again, it keeps what can be seen: the width of
/// boxes, regions, vertical text, ruby (in parentheses behind its base), boxes with edges. One cue may become
/// several events, one on top of the other: the area of its region, window, boxes, light edges, letters. The five
/// styles are called as that.
package struct ASSScreenScript: Sendable {
    /// The script up to its events.
    package let header: [UInt8]

    /// Whether cues are drawn without the looks and places that their script gives them.
    package let isPlain: Bool

    private let regions: [Region]
    private let sheet: WebVTTStyleSheet
    private let style: SubtitleStyle
    private let resolver: ASSStyleResolver
    private let edges: ASSScreenEdges

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - header: regions and style sheets that cues refer to.
    ///   - canvas: the script's canvas, which has the shape of the image; pixels.
    ///   - style: what the viewer wants to look otherwise.
    package init(header: SubtitleHeader, canvas: PixelSize, style: SubtitleStyle) {
        regions = header.regions
        isPlain = style.position != nil && (header.codec == .ass || header.codec == .ssa)
        self.style = style
        let standard = ASSResolvedStyle(font: "sans-serif", size: ASSScreenEdges.size(on: canvas))
        resolver = ASSStyleResolver(
            standard: standard, canvas: canvas, allowsBoxes: true,
            classes: WebVTTClassColors([]))
        sheet = WebVTTStyleSheet(header.styleSheets)
        edges = ASSScreenEdges(style, canvas: canvas)
        self.header = Array(
            Self.text(
                canvas: canvas, standard: standard, edges: edges,
                wrapping: ASSWrapping(header.codec)
            ).utf8)
    }

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
            isPlain ? StyledText(styled.plainText) : sheet.styled(styled, id: cue.id)
        let layout = isPlain ? CueLayout() : cue.layout
        // What is moved to one place is not meant to lie upon each other.
        let depth = style.position == nil ? min(max(cue.layer, -100_000_000), 100_000_000) : 0
        let area =
            isPlain || style.position != nil || style.background != nil ? nil : layout.background
        let runs = ASSScreenRuns(
            text, isVertical: layout.vertical != .horizontal && style.position == nil,
            direction: layout.direction, span: CentisecondSpan(cue), resolver: resolver,
            style: style, area: area?.color)
        guard !runs.isEmpty else { return [] }
        let placement = ASSScreenPlacement(
            layout, regions: regions, canvas: resolver.canvas, height: runs.height,
            direction: runs.direction, position: style.position)
        var events: [[UInt8]] = []
        func add(_ part: ASSScreenPart, _ body: [UInt8]) {
            // Parts of a cue in layers of their own, so that they do not move apart.
            let layer = depth * ASSScreenPart.allCases.count + part.rawValue
            let margins = placement.margins
            var event = Array(
                "\(number),\(layer),\(part.style),,\(margins.left),\(margins.right),".utf8)
            event += "\(margins.vertical),,".utf8
            if part != .area {
                let breaking = runs.isUnbroken ? "\\q2" : ""
                event += "{\\an\(placement.key)\(placement.tags)\(breaking)}".utf8
            }
            events.append(event + body)
        }
        if let area, areas.insert(area).inserted { add(.area, drawing(of: area)) }
        if edges.hasWindow { add(.window, runs.shape) }
        if runs.hasBoxes { add(.boxes, runs.boxes) }
        if edges.hasLight, !runs.hasBoxesWithoutEdges {
            add(.light, edges.lightTags.utf8 + runs.shape)
        }
        add(.letters, runs.letters)
        return events
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
        canvas: PixelSize, standard: ASSResolvedStyle, edges: ASSScreenEdges, wrapping: ASSWrapping
    ) -> String {
        let styles = ASSScreenPart.allCases.map { part in
            let looks = edges.look(of: part)
            let size = ASSNumber.text(thousandths: standard.size)
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

/// What a cue is drawn of, from the lowest part up.
enum ASSScreenPart: Int, CaseIterable {
    case area
    case window
    case boxes
    case light
    case letters

    /// The name of its style.
    var style: String { ["Area", "Window", "Boxes", "Light", "Letters"][rawValue] }
}
