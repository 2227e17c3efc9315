internal import UndertextCore

/// The rectangle of an IMSC region in thousandths of a percent of the root.
///
/// This is the inverse of the decoder's conversion, so that writing what was read changes nothing. A layout
/// states one edge of the text; the region extends from there over about four lines, so that regions at the
/// top, in the middle and at the bottom do not overlap. Its extent does not affect the position of the text:
/// ``TTMLRegionBox/separate(from:)`` may shorten it.
struct TTMLRegionBox {
    /// The edge of the region to which lines are aligned.
    enum Edge: String {
        case before
        case center
        case after
    }

    var left = 0
    var top = 0
    var right = 0
    var bottom = 0
    private(set) var edge = Edge.after
    private(set) var vertical = CueLayout.Vertical.horizontal
    /// `true` if the position differs from the layout's.
    private(set) var isInexact = false
    /// The colored area of the region.
    private(set) var background: RegionBackground?

    /// One percent.
    private static let unit = 1000
    private static let whole = 100 * unit
    /// The margin between text and the edges.
    private static let safe = 10 * unit
    /// The default height of a region.
    private static let depth = 26 * unit
    /// The minimum width of a region whose width is not stated.
    private static let least = 10 * unit
    /// The minimum width of any region.
    private static let narrowest = unit

    /// The region of a layout.
    ///
    /// - Parameters:
    ///   - layout: a layout without a region.
    ///   - side: the alignment of lines of the text: left, center or right.
    init(_ layout: CueLayout, side: CueBox.Side) {
        vertical = layout.vertical
        let across = across(layout, side)
        if vertical == .horizontal {
            (left, right) = across
            setRows(layout)
        } else {
            (top, bottom) = across
            setColumns(layout)
        }
    }

    /// Records whether an edge or a middle is moved; between two thousandths, either is exact.
    private mutating func compare(_ place: Int, with wanted: Int) {
        if (place - wanted).magnitude > 1 { isInexact = true }
    }

    private static func thousandths(_ percent: Double) -> Int {
        guard percent.isFinite else { return 0 }
        return Int((min(max(percent, 0), 100) * 1000).rounded())
    }

    /// The edges of lines.
    private mutating func across(
        _ layout: CueLayout, _ side: CueBox.Side
    ) -> (Int, Int) {
        let (whole, safe, least) = (Self.whole, Self.safe, Self.least)
        // In whole thousandths, as the box is read again.
        let anchor = layout.positionAlignment == .auto ? side : CueBox(layout).anchor
        let usual = [safe, whole / 2, whole - safe][anchor.rawValue]
        let place = layout.position.map(Self.thousandths) ?? usual
        let size = Self.thousandths(layout.size)
        var (start, end): (Int, Int)
        switch anchor {
        case .left: (start, end) = (place, min(place + size, whole))
        case .right: (start, end) = (max(place - size, 0), place)
        case .center:
            let half = min(size / 2, place, whole - place)
            (start, end) = (place - half, place + half)
        }
        let wanted = (start: start, end: end)
        let statesLine = layout.line?.isFinite ?? false && !layout.snapToLines
        if size < whole || statesLine && (layout.position != nil || side == .center) {
            // The box is stated, and only the video bounds it.
            start = min(start, whole - Self.narrowest)
            end = max(end, start + Self.narrowest)
            compare(start, with: wanted.start)
            compare(end, with: wanted.end)
            // A middle is read in thousandths, too.
            if side == .center, !(end - start).isMultiple(of: 2) {
                if end < whole { end += 1 } else { start -= 1 }
            }
            return (start, end)
        }
        // A region that extends into the margin of the open side has the maximum width.
        switch side {
        case .left:
            start = min(start, whole - least)
            end = max(end, start + least)
            if end >= whole - safe { end = start <= whole - 2 * safe ? whole - safe : whole }
        case .right:
            end = max(end, least)
            start = min(start, end - least)
            if start <= safe { start = end >= 2 * safe ? safe : 0 }
        case .center:
            let middle = min(max((start + end) / 2, least / 2), whole - least / 2)
            let widest = min(whole / 2 - safe, middle, whole - middle)
            let half = min(max((end - start) / 2, least / 2), widest)
            (start, end) = (middle - half, middle + half)
        }
        switch side {
        case .left: compare(start, with: wanted.start)
        case .right: compare(end, with: wanted.end)
        case .center: compare((start + end) / 2, with: (wanted.start + wanted.end) / 2)
        }
        return (start, end)
    }

    // MARK: Lines

    /// The height of a line in thousandths of a percent, as players of WebVTT count them.
    private static func height(ofLines count: Double) -> Int {
        Int((min(count, 20) * 16_000 / 3).rounded())
    }

    private mutating func setRows(_ layout: CueLayout) {
        switch CueBox(layout).lines {
        case .automatic: keep(below: Self.whole - Self.safe)
        case .counted(let count, let fromEnd):
            let distance = distance(ofLines: count)
            if fromEnd { keep(below: Self.whole - distance) } else { keep(above: distance) }
        case .percent(let line, let alignment):
            let place = Self.thousandths(line)
            switch alignment {
            case .start:
                keep(above: place)
                compare(top, with: place)
            case .end:
                keep(below: place)
                compare(bottom, with: place)
            case .center:
                (top, bottom) = around(place)
                edge = .center
            }
        }
    }

    /// The distance of a line number from the edge of the screen; only the first one is the same in every player.
    private mutating func distance(ofLines count: Double) -> Int {
        let number = (count + 0.5).rounded(.down)
        if count != 0 { isInexact = true }
        return Self.safe + Self.height(ofLines: number)
    }

    /// Lines are as far on one side of `place` as on the other.
    private mutating func around(_ place: Int) -> (Int, Int) {
        let middle = min(max(place, Self.narrowest), Self.whole - Self.narrowest)
        let half = min(Self.depth / 2, middle, Self.whole - middle)
        compare(middle, with: place)
        return (middle - half, middle + half)
    }

    /// Lines grow downwards from `start`.
    private mutating func keep(above start: Int) {
        top = min(start, Self.whole - Self.narrowest)
        bottom = min(top + Self.depth, Self.whole)
        edge = .before
    }

    /// Lines end at `end`.
    private mutating func keep(below end: Int) {
        bottom = max(end, Self.narrowest)
        top = max(bottom - Self.depth, 0)
        edge = .after
    }

    // MARK: Columns

    private mutating func setColumns(_ layout: CueLayout) {
        let grows = layout.vertical == .growingLeft
        switch CueBox(layout).lines {
        case .automatic: setColumn(distance: Self.safe, fromEnd: true, grows)
        case .counted(let count, let fromEnd):
            setColumn(distance: distance(ofLines: count), fromEnd: fromEnd, grows)
        case .percent(let line, let alignment):
            let place = Self.thousandths(line)
            switch alignment {
            case .start:
                keep(rightOf: place, edge: grows ? .after : .before)
                compare(left, with: place)
            case .end:
                keep(leftOf: place, edge: grows ? .before : .after)
                compare(right, with: place)
            case .center:
                (left, right) = around(place)
                edge = .center
            }
        }
    }

    /// The first line is where the text begins, the last one at the other side.
    private mutating func setColumn(distance: Int, fromEnd: Bool, _ growsLeft: Bool) {
        let edge: Edge = fromEnd ? .after : .before
        if fromEnd != growsLeft {
            keep(leftOf: Self.whole - distance, edge: edge)
        } else {
            keep(rightOf: distance, edge: edge)
        }
    }

    private mutating func keep(rightOf start: Int, edge: Edge) {
        left = min(max(start, 0), Self.whole - Self.narrowest)
        right = min(left + Self.depth, Self.whole)
        self.edge = edge
    }

    private mutating func keep(leftOf end: Int, edge: Edge) {
        right = min(max(end, Self.narrowest), Self.whole)
        left = max(right - Self.depth, 0)
        self.edge = edge
    }

    // MARK: Background

    /// Gives the region a background, unless that would move the text.
    ///
    /// - Parameters:
    ///   - area: the background.
    ///   - side: the alignment of lines of the text.
    /// - Returns: `true` if the region has the background.
    mutating func fill(_ area: RegionBackground, side: CueBox.Side) -> Bool {
        var other = self
        (other.left, other.top) = (Self.thousandths(area.left), Self.thousandths(area.top))
        (other.right, other.bottom) = (Self.thousandths(area.right), Self.thousandths(area.bottom))
        guard other.right > other.left, other.bottom > other.top, !isInexact,
            other.anchor(side) == anchor(side)
        else { return false }
        other.background = area
        self = other
        return true
    }

    /// A key that is equal for equal text in an equal position, in halves of thousandths.
    private func anchor(_ side: CueBox.Side) -> [Int] {
        func along(_ low: Int, _ high: Int) -> Int {
            switch side {
            case .left: low * 2
            case .right: high * 2
            case .center: low + high
            }
        }
        func across(_ low: Int, _ high: Int, _ isLow: Bool) -> Int {
            edge == .center ? low + high : isLow ? low * 2 : high * 2
        }
        if vertical == .horizontal {
            return [along(left, right), across(top, bottom, edge == .before)]
        }
        let isLow = (edge == .before) == (vertical == .growingRight)
        return [along(top, bottom), across(left, right, isLow)]
    }

    /// The attributes of the region without its name.
    var attributes: String {
        func percent(_ value: Int) -> String { decimalText(thousandths: value) + "%" }
        var text = " tts:origin=\"\(percent(left)) \(percent(top))\""
        text += " tts:extent=\"\(percent(right - left)) \(percent(bottom - top))\""
        text += " tts:displayAlign=\"\(edge.rawValue)\""
        switch vertical {
        case .horizontal: break
        case .growingLeft: text += " tts:writingMode=\"tbrl\""
        case .growingRight: text += " tts:writingMode=\"tblr\""
        }
        if let background {
            text += " tts:backgroundColor=\"\(TTMLRunLook.hex(background.color))\""
            if !background.isAlwaysShown { text += " tts:showBackground=\"whenActive\"" }
        }
        return text + " tts:overflow=\"visible\""
    }
}
