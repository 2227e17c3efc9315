internal import UndertextCore

/// The position of a cue on the screen: WebVTT's rules in a script's terms.
///
/// Other than ``ASSPlacement``, which our decoder must be able to read back, this one keeps widths,
/// regions and vertical text. Margins do the placing, so that cues which would overlap move apart.
/// W3C WebVTT, sections 7.2 and 7.3; percentages are of the image.
struct ASSRenderPlacement {
    /// 1 to 9: bottom left to top right.
    private(set) var key = 2
    /// Script pixels from the left, the right and the nearer of top and bottom.
    private(set) var margins = (left: 0, right: 0, vertical: 0)
    /// `\pos` and `\frz`, where margins do not suffice; otherwise empty.
    private(set) var tags = ""
    /// `true` if lines run from top to bottom.
    let isVertical: Bool

    private let canvas: PixelSize
    /// The distance of text from the top and the bottom where nothing else is stated, percent.
    private let verticalMargin: Double

    /// The distance of text from the edges where nothing else is stated, percent.
    private static let safe = 5.0
    /// The narrowest box that text is broken for.
    static let narrowest = 5.0

    /// Computes the position of a cue.
    ///
    /// - Parameters:
    ///   - layout: the layout of the cue.
    ///   - regions: the regions of its track.
    ///   - canvas: the script's canvas.
    ///   - height: the total height of its lines, in percent.
    ///   - direction: the direction of its text.
    ///   - wanted: the position, alignment and margins that take precedence over those of the layout.
    init(
        _ layout: CueLayout, regions: [Region], canvas: PixelSize, height: Double,
        direction: TextDirection, wanted: SubtitleStyle
    ) {
        self.canvas = canvas
        verticalMargin = Self.percent(wanted.verticalMargin) ?? Self.safe
        var layout = layout
        if wanted.position != nil {
            layout.region = nil
            layout.vertical = .horizontal
        }
        isVertical = layout.vertical != .horizontal
        let region = isVertical ? nil : layout.region.flatMap { id in regions.last { $0.id == id } }
        let box = CueBox(
            layout, direction: direction, region: region, atLeast: Self.narrowest)
        if isVertical {
            placeVertically(layout, box: box)
            return
        }
        let column = wanted.alignment?.column ?? box.side.rawValue
        setMargins(box, isUnplaced: region == nil && layout.isUnplacedAcross, wanted)
        if let position = wanted.position {
            place(position, column: column, height: height)
        } else {
            placeDown(box, column: column, height: height)
        }
    }

    /// A margin that leaves room for text.
    private static func percent(_ margin: Double?) -> Double? {
        margin.flatMap { $0.isFinite ? min(max($0, 0), 45) : nil }
    }

    // MARK: Across

    private mutating func setMargins(_ box: CueBox, isUnplaced: Bool, _ wanted: SubtitleStyle) {
        let edge = isUnplaced ? Self.safe : 0
        var start = min(max(box.start, edge), 100 - edge - Self.narrowest)
        var end = max(min(box.end, 100 - edge), start + Self.narrowest)
        if wanted.alignment != nil { (start, end) = (Self.safe, 100 - Self.safe) }
        if let left = Self.percent(wanted.leftMargin) { start = left }
        if let right = Self.percent(wanted.rightMargin) { end = 100 - right }
        end = max(end, start + Self.narrowest)
        margins.left = pixels(start, of: canvas.width)
        margins.right = pixels(100 - end, of: canvas.width)
    }

    // MARK: Down

    private mutating func placeDown(_ box: CueBox, column: Int, height: Double) {
        switch box.lines {
        case .automatic: placeAtBottom(verticalMargin, column: column, height: height)
        case .counted(let count, let fromEnd):
            // Lines are counted within the safe area, so that the first and the last one are visible.
            let distance = min(
                verticalMargin + min(count, 100).rounded() * CueBox.lineHeight,
                100 - verticalMargin - height)
            if fromEnd {
                placeAtBottom(distance, column: column, height: height)
            } else {
                placeAtTop(distance, column: column, height: height)
            }
        case .percent(let line, .start): placeAtTop(line, column: column, height: height)
        case .percent(let line, .end): placeAtBottom(100 - line, column: column, height: height)
        case .percent(let line, .center): placeInMiddle(line, column: column, height: height)
        }
    }

    private mutating func place(
        _ position: SubtitleStyle.Position, column: Int, height: Double
    ) {
        switch position {
        case .top: placeAtTop(verticalMargin, column: column, height: height)
        case .middle:
            // Without `\pos`, which libass never moves apart.
            key = 4 + column
        case .bottom: placeAtBottom(verticalMargin, column: column, height: height)
        case .percent(let part):
            let place = part.isFinite ? min(max(part, 0), 100) : 100
            let room = max(0, 100 - 2 * verticalMargin - height)
            placeAtTop(verticalMargin + place * room / 100, column: column, height: height)
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
    private mutating func placeVertically(_ layout: CueLayout, box: CueBox) {
        let edge = layout.isUnplacedAcross ? Self.safe : 0
        let (start, end) = (max(box.start, edge), min(box.end, 100 - edge))
        let column = box.side.rawValue
        let y = [start, (start + end) / 2, end][column]
        let (x, isAtRight) = across(box.lines, growsLeft: layout.vertical == .growingLeft)
        key = (isAtRight ? 7 : 1) + column
        tags =
            "\\pos(\(pixels(x, of: canvas.width)),\(pixels(y, of: canvas.height)))\\frz-90"
        // Lines are broken for the height of the screen, but measured along its width.
        let length = max(end - start, Self.narrowest) * Double(canvas.height) / 100
        let rest = max(0, Double(canvas.width) - length)
        margins.left = Int(rest / 2)
        margins.right = Int(rest / 2)
    }

    /// The position of vertical text, and `true` if that is its right edge rather than its left one.
    private func across(
        _ lines: CueBox.Lines, growsLeft: Bool
    ) -> (x: Double, isAtRight: Bool) {
        switch lines {
        case .automatic: return growsLeft ? (Self.safe, false) : (100 - Self.safe, true)
        case .counted(let count, let fromEnd):
            let step = CueBox.lineHeight * Double(canvas.height) / Double(max(canvas.width, 1))
            let distance = min(Self.safe + min(count, 100).rounded() * step, 100)
            return fromEnd != growsLeft ? (100 - distance, true) : (distance, false)
        case .percent(let line, let alignment):
            let place = min(max(line, 0), 100)
            switch alignment {
            case .start: return (place, growsLeft)
            case .end: return (place, !growsLeft)
            case .center: return (place, growsLeft)
            }
        }
    }

    private func pixels(_ percent: Double, of size: Int) -> Int {
        guard percent.isFinite else { return 0 }
        return Int((min(max(percent, 0), 100) * Double(size) / 100).rounded())
    }
}

extension CueLayout {
    /// `true` if the horizontal position of its lines is not stated.
    var isUnplacedAcross: Bool {
        position == nil && positionAlignment == .auto && size == 100
    }
}

extension SubtitleStyle.Alignment {
    /// 0 left, 1 center, 2 right.
    var column: Int {
        switch self {
        case .left: 0
        case .center: 1
        case .right: 2
        }
    }
}
