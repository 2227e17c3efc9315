internal import UndertextCore

/// Where a cue is drawn: WebVTT's rules put into a script's terms.
///
/// Other than ``ASSPlacement``, which our decoder must be able to read back, this one keeps widths,
/// regions and vertical text. Margins do the placing, so that cues which would overlap move apart.
/// W3C WebVTT, sections 7.2 and 7.3; percentages are of the image.
struct ASSScreenPlacement {
    /// 1 to 9: bottom left to top right.
    private(set) var key = 2
    /// Script pixels from the left, the right and the nearer of top and bottom.
    private(set) var margins = (left: 0, right: 0, vertical: 0)
    /// `\pos` and `\frz`, where margins do not do; else empty.
    private(set) var tags = ""
    /// Whether lines run from top to bottom.
    let isVertical: Bool

    private let canvas: PixelSize

    /// How far text stays from the edges where nothing else is said, percent.
    private static let safe = 5.0
    /// The height of a line as WebVTT counts them.
    private static let line = 16.0 / 3
    /// The narrowest box that text is broken for.
    private static let narrowest = 5.0

    /// A part of an axis of the screen, percent.
    struct Span {
        var start: Double
        var end: Double
        fileprivate var length: Double { end - start }

        /// What part of `other` is at that part of this span.
        fileprivate func part(_ other: Span) -> Span {
            Span(
                start: start + other.start * length / 100, end: start + other.end * length / 100)
        }

        fileprivate static let all = Span(start: 0, end: 100)
    }

    /// The place of a cue.
    ///
    /// - Parameters:
    ///   - layout: where it wants to be.
    ///   - regions: the regions of its track.
    ///   - canvas: the script's canvas.
    ///   - height: how high its lines are together, percent.
    ///   - isRightToLeft: whether its text begins at the right.
    ///   - position: where it is moved to, whatever the layout says.
    init(
        _ layout: CueLayout, regions: [Region], canvas: PixelSize, height: Double,
        isRightToLeft: Bool, position: SubtitleStyle.Position?
    ) {
        self.canvas = canvas
        var layout = layout
        if position != nil {
            layout.region = nil
            layout.vertical = .horizontal
        }
        isVertical = layout.vertical != .horizontal
        let region = layout.region.flatMap { id in regions.last { $0.id == id } }
        let box = Self.box(layout, isRightToLeft)
        let column = Self.column(layout.textAlignment, isRightToLeft)
        if isVertical {
            placeVertically(layout, box: box, column: column)
            return
        }
        var across = Span.all
        if let region {
            let left = region.viewportAnchor.x - region.regionAnchor.x * region.width / 100
            across = Span(start: left, end: left + region.width)
        }
        setMargins(across.part(box), isUnplaced: region == nil && layout.isUnplacedAcross)
        if let position {
            place(position, column: column, height: height)
        } else if let region {
            // Lines are added at the bottom of a region.
            let lines = Double(region.lines) * Self.line
            let top = region.viewportAnchor.y - region.regionAnchor.y * lines / 100
            placeAtBottom(100 - top - lines, column: column, height: height)
        } else {
            placeDown(layout, column: column, height: height)
        }
    }

    // MARK: Across

    /// 0 left, 1 center, 2 right.
    private static func column(
        _ alignment: CueLayout.TextAlignment, _ isRightToLeft: Bool
    ) -> Int {
        switch alignment {
        case .left: 0
        case .center: 1
        case .right: 2
        case .start: isRightToLeft ? 2 : 0
        case .end: isRightToLeft ? 0 : 2
        }
    }

    /// The box that text is broken for, along its lines: section 7.2, steps 3 to 7.
    static func box(_ layout: CueLayout, _ isRightToLeft: Bool) -> Span {
        let column = column(layout.textAlignment, isRightToLeft)
        let usual = [0.0, 50, 100][column]
        let place = layout.position.flatMap { $0.isFinite ? min(max($0, 0), 100) : nil } ?? usual
        let anchor: Int =
            switch layout.positionAlignment {
            case .auto: column
            case .lineLeft: 0
            case .center: 1
            case .lineRight: 2
            }
        let most = [100 - place, 2 * min(place, 100 - place), place][anchor]
        let stated = layout.size.isFinite ? min(max(layout.size, 0), 100) : 100
        let size = max(min(stated, most), narrowest)
        let start = [place, place - size / 2, place - size][anchor]
        let inside = min(max(start, 0), 100 - size)
        return Span(start: inside, end: inside + size)
    }

    private mutating func setMargins(_ span: Span, isUnplaced: Bool) {
        let edge = isUnplaced ? Self.safe : 0
        let start = min(max(span.start, edge), 100 - edge - Self.narrowest)
        let end = max(min(span.end, 100 - edge), start + Self.narrowest)
        margins.left = pixels(start, of: canvas.width)
        margins.right = pixels(100 - end, of: canvas.width)
    }

    // MARK: Down

    private mutating func placeDown(_ layout: CueLayout, column: Int, height: Double) {
        guard let line = layout.line, line.isFinite else {
            placeAtBottom(Self.safe, column: column, height: height)
            return
        }
        if layout.snapToLines {
            // Lines are counted within the safe area, so that the first and the last one are there.
            if line >= 0 {
                let top = Self.safe + min(line, 100).rounded() * Self.line
                placeAtTop(min(top, 100 - Self.safe - height), column: column, height: height)
            } else {
                let bottom = Self.safe + (-max(line, -100).rounded() - 1) * Self.line
                placeAtBottom(
                    min(bottom, 100 - Self.safe - height), column: column, height: height)
            }
            return
        }
        switch layout.lineAlignment {
        case .start: placeAtTop(line, column: column, height: height)
        case .end: placeAtBottom(100 - line, column: column, height: height)
        case .center: placeInMiddle(line, column: column, height: height)
        }
    }

    private mutating func place(
        _ position: SubtitleStyle.Position, column: Int, height: Double
    ) {
        switch position {
        case .top: placeAtTop(Self.safe, column: column, height: height)
        case .middle:
            // Without `\pos`, which libass never moves apart.
            key = 4 + column
        case .bottom: placeAtBottom(Self.safe, column: column, height: height)
        case .percent(let part):
            let place = part.isFinite ? min(max(part, 0), 100) : 100
            let room = max(0, 100 - 2 * Self.safe - height)
            placeAtTop(Self.safe + place * room / 100, column: column, height: height)
        }
    }

    private mutating func placeAtTop(_ distance: Double, column: Int, height: Double) {
        key = 7 + column
        margins.vertical = pixels(inside(distance, height), of: canvas.height)
    }

    private mutating func placeAtBottom(_ distance: Double, column: Int, height: Double) {
        key = 1 + column
        margins.vertical = pixels(inside(distance, height), of: canvas.height)
    }

    private mutating func placeInMiddle(_ place: Double, column: Int, height: Double) {
        key = 4 + column
        let half = min(height / 2, 50)
        let middle = min(max(place, half), 100 - half)
        let width = canvas.width
        let x =
            [
                margins.left, (margins.left + width - margins.right) / 2, width - margins.right,
            ][column]
        tags = "\\pos(\(x),\(pixels(middle, of: canvas.height)))"
    }

    /// A distance from an edge at which all lines are on the screen.
    private func inside(_ distance: Double, _ height: Double) -> Double {
        max(0, min(distance, 100 - height))
    }

    // MARK: Vertical text

    /// Turned by a right angle: the left of a line is at the top, further lines are at the left.
    private mutating func placeVertically(_ layout: CueLayout, box: Span, column: Int) {
        let edge = layout.isUnplacedAcross ? Self.safe : 0
        let along = Span(start: max(box.start, edge), end: min(box.end, 100 - edge))
        let y = [along.start, (along.start + along.end) / 2, along.end][column]
        let (x, isAtRight) = across(layout)
        key = (isAtRight ? 7 : 1) + column
        tags =
            "\\pos(\(pixels(x, of: canvas.width)),\(pixels(y, of: canvas.height)))\\frz-90"
        // Lines are broken for the height of the screen, but measured along its width.
        let length = max(along.length, Self.narrowest) * Double(canvas.height) / 100
        let rest = max(0, Double(canvas.width) - length)
        margins.left = Int(rest / 2)
        margins.right = Int(rest / 2)
    }

    /// Where vertical text stands, and whether that is its right edge rather than its left one.
    private func across(_ layout: CueLayout) -> (x: Double, isAtRight: Bool) {
        let growsLeft = layout.vertical == .growingLeft
        guard let line = layout.line, line.isFinite else {
            return growsLeft ? (Self.safe, false) : (100 - Self.safe, true)
        }
        if layout.snapToLines {
            let step = Self.line * Double(canvas.height) / Double(max(canvas.width, 1))
            let count = line >= 0 ? min(line, 100) : -max(line, -100) - 1
            let distance = min(Self.safe + count.rounded() * step, 100)
            return (line >= 0) == growsLeft
                ? (100 - distance, true) : (distance, false)
        }
        let place = min(max(line, 0), 100)
        switch layout.lineAlignment {
        case .start: return growsLeft ? (place, true) : (place, false)
        case .end: return growsLeft ? (place, false) : (place, true)
        case .center: return (place, growsLeft)
        }
    }

    private func pixels(_ percent: Double, of size: Int) -> Int {
        guard percent.isFinite else { return 0 }
        return Int((min(max(percent, 0), 100) * Double(size) / 100).rounded())
    }
}

extension CueLayout {
    /// Whether nothing is said about where its lines begin and end.
    var isUnplacedAcross: Bool {
        position == nil && positionAlignment == .auto && size == 100
    }
}
