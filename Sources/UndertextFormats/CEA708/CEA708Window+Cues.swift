internal import UndertextCore

extension CEA708Window {
    /// A position and how it looks on the screen.
    struct ShownCell: CaptionCell {
        var character: Unicode.Scalar?
        var style: TextStyle
    }

    /// The place of a window on the screen, in percent of the video.
    struct Box: Hashable {
        var left: Double
        var top: Double
        var width: Double
        var height: Double
    }

    /// Rows and columns of standard size that fit in the safe area, and the unit of anchors: a fifth of both.
    ///
    /// CTA-708-E, section 8.
    private static let safeRows = 15.0
    private static func safeColumns(isWide: Bool) -> Double { isWide ? 42 : 32 }
    private static let anchorUnits = 5.0
    private static let safeSize = CaptionGrid.safeArea.upperBound - CaptionGrid.safeArea.lowerBound

    /// The box, moved into the safe area where it is partly outside.
    func box(isWide: Bool) -> Box {
        let columns = Self.safeColumns(isWide: isWide)
        // Windows that are too large are shown with smaller letters.
        let width = min(1, Double(columnCount) / columns)
        let height = min(1, Double(rowCount) / Self.safeRows)
        let units =
            isRelative ? (100, 100) : (columns * Self.anchorUnits, Self.safeRows * Self.anchorUnits)
        let left = Double(anchorColumn) / units.0 - width * Double(anchorPoint % 3) / 2
        let top = Double(anchorRow) / units.1 - height * Double(anchorPoint / 3) / 2
        func percent(_ part: Double) -> Double {
            CaptionGrid.safeArea.lowerBound + part * Self.safeSize
        }
        return Box(
            left: percent(max(0, min(left, 1 - width))), top: percent(max(0, min(top, 1 - height))),
            width: width * Self.safeSize, height: height * Self.safeSize)
    }

    /// The blocks of text that a viewer sees, from the first one.
    ///
    /// `only` is the only line to be shown; `nil` = all of them.
    func blocks(isWide: Bool, only: Int? = nil) -> [CaptionBlock] {
        guard isVisible else { return [] }
        let box = box(isWide: isWide)
        let lines = self.lines.indices.map { index in
            only == nil || only == index ? shown(self.lines[index]) : []
        }
        let isHorizontal = attributes.printDirection.isHorizontal
        return isHorizontal ? rows(lines, in: box) : columns(lines, in: box)
    }

    private func rows(_ lines: [[ShownCell]], in box: Box) -> [CaptionBlock] {
        let grid = CaptionGrid(
            rowCount: rowCount, columnCount: columnCount, left: box.left, top: box.top,
            width: box.width, height: box.height)
        let isReversed = attributes.printDirection.isReversed
        let alignment: CaptionAlignment =
            switch attributes.justification {
            case .left, .full: isReversed ? .right : .byColumns(isComplete: !isGrowing)
            case .center: .center
            case .right: .right
            }
        return finished(CaptionBlock.blocks(of: lines, in: grid, alignment), box) { layout in
            guard isReversed else { return }
            layout.direction = .rightToLeft
            layout.captionLines = CaptionLines()
        }
    }

    /// Lines that run from the top or the bottom: the grid is turned, its rows are columns.
    private func columns(_ lines: [[ShownCell]], in box: Box) -> [CaptionBlock] {
        let growsLeft = attributes.scrollDirection == .leftToRight
        let grid = CaptionGrid(
            rowCount: columnCount, columnCount: rowCount, left: box.top, top: box.left,
            width: box.height, height: box.width)
        let blocks = CaptionBlock.blocks(
            of: growsLeft ? lines.reversed() : lines, in: grid, .byColumns(isComplete: false))
        return finished(blocks, box) { layout in
            layout.vertical = growsLeft ? .growingLeft : .growingRight
            layout.captionLines = CaptionLines()
        }
    }

    /// Adds what all blocks of the window have.
    private func finished(
        _ blocks: [CaptionBlock], _ box: Box, _ change: (inout CueLayout) -> Void
    ) -> [CaptionBlock] {
        blocks.map { block in
            var block = block
            change(&block.layout)
            // Players draw an opaque black box behind text by default.
            if attributes.fill != .black, attributes.fill.opacity != .transparent {
                func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
                block.layout.background = RegionBackground(
                    color: attributes.fill.value, left: rounded(box.left), top: rounded(box.top),
                    right: rounded(box.left + box.width), bottom: rounded(box.top + box.height),
                    isAlwaysShown: false)
            }
            return block
        }
    }

    /// The cells of a line with their looks; adjacent ones mostly share them.
    private func shown(_ cells: [Cell]) -> [ShownCell] {
        var last: (pen: CEA708Pen, style: TextStyle)?
        return cells.map { cell in
            let style: TextStyle
            if let last, last.pen == cell.pen {
                style = last.style
            } else {
                style = cell.pen.style(over: attributes.fill)
                last = (cell.pen, style)
            }
            return ShownCell(character: cell.pen.isHidden ? nil : cell.character, style: style)
        }
    }
}

extension CEA708Pen {
    /// The look over the fill of a window; white letters on black are what players show by default.
    func style(over fill: CEA708Color) -> TextStyle {
        var style = TextStyle()
        style.isItalic = isItalic
        style.isUnderlined = isUnderlined
        if foreground.value != .white { style.color = foreground.value }
        let behind = background.opacity == .transparent ? fill : background
        if behind.value != .black { style.background = behind.value }
        if foreground.opacity == .flash { style.classes = ["blink"] }
        switch size {
        case .small: style.fontSize = .percent(75)
        case .standard: break
        case .large: style.fontSize = .percent(125)
        }
        style.font = font.family
        setEdge(of: &style)
        return style
    }

    /// The width of edges, in thousandths of a percent of the video's height: about a twentieth of the letters.
    private static let edgeWidth = 250

    private func setEdge(of style: inout TextStyle) {
        let color = CEA708Color(rgb: edgeColor, opacity: .solid).value
        func shadow(_ x: Int, _ y: Int) -> TextShadow {
            TextShadow(color: color, x: x * Self.edgeWidth, y: y * Self.edgeWidth)
        }
        switch edge {
        case .none: break
        case .uniform: style.outline = TextOutline(color: color, width: Self.edgeWidth)
        case .raised, .rightDropShadow: style.shadows = [shadow(1, 1)]
        case .depressed: style.shadows = [shadow(-1, -1)]
        case .leftDropShadow: style.shadows = [shadow(-1, 1)]
        }
    }
}

extension CEA708Pen.Font {
    /// The family; `nil` for what players show by default.
    var family: String? {
        switch self {
        case .standard, .proportionalSansSerif: nil
        case .monospaceSerif, .monospaceSansSerif: "monospace"
        case .proportionalSerif: "serif"
        case .casual: "casual"
        case .cursive: "cursive"
        case .smallCapitals: "small-caps"
        }
    }
}

extension CEA708Color {
    /// The color with its opacity.
    var value: RGBA {
        let alpha: UInt8 =
            switch opacity {
            case .solid, .flash: 255
            case .translucent: 128
            case .transparent: 0
            }
        // Without ink there is no color to tell apart.
        if alpha == 0 { return .clear }
        func component(_ shift: UInt8) -> UInt8 { (rgb >> shift & 3) * 85 }
        return RGBA(red: component(4), green: component(2), blue: component(0), alpha: alpha)
    }
}
