internal import CueModel

/// Where a region of IMSC lies: thousandths of a percent of the root.
///
/// The inverse of what our decoder makes of a region, so that writing what was read changes nothing. A
/// layout says one edge of the text; the region reaches from there as far as about four lines need, so that regions
/// at the top, in the middle and at the bottom do not overlap.
struct TTMLRegionBox: Hashable {
    /// Which edge of the region the lines keep to.
    enum Edge: String {
        case before
        case center
        case after
    }

    private(set) var left = 0
    private(set) var top = 0
    private(set) var right = 0
    private(set) var bottom = 0
    private(set) var edge = Edge.after
    private(set) var vertical = CueLayout.Vertical.horizontal
    /// Whether the place is not exactly the one that was asked for.
    private(set) var isInexact = false

    static func == (left: TTMLRegionBox, right: TTMLRegionBox) -> Bool {
        left.left == right.left && left.top == right.top && left.right == right.right
            && left.bottom == right.bottom && left.edge == right.edge
            && left.vertical == right.vertical
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(left)
        hasher.combine(top)
        hasher.combine(right)
        hasher.combine(bottom)
        hasher.combine(edge)
    }

    /// One percent.
    private static let unit = 1000
    private static let whole = 100 * unit
    /// What titles keep away from the edges.
    private static let safe = 10 * unit
    /// Nearer to an edge our decoder takes text to be at the edge.
    private static let near = 15 * unit
    /// As high as a region is.
    private static let depth = 26 * unit
    /// As narrow as a region gets.
    private static let least = 10 * unit

    /// The region of a layout.
    ///
    /// - Parameters:
    ///   - layout: a layout without a region of its own.
    ///   - side: where lines of the text are aligned: left, centre or right.
    init(_ layout: CueLayout, side: CueLayout.TextAlignment) {
        vertical = layout.vertical
        let across = Self.across(layout, side)
        if vertical == .horizontal {
            (left, right) = across
            setRows(layout)
        } else {
            (top, bottom) = across
            setColumns(layout)
        }
    }

    private static func thousandths(_ percent: Double) -> Int {
        guard percent.isFinite else { return 0 }
        return Int((min(max(percent, 0), 100) * 1000).rounded())
    }

    /// Where lines begin and end.
    private static func across(
        _ layout: CueLayout, _ side: CueLayout.TextAlignment
    ) -> (Int, Int) {
        let anchor: CueLayout.PositionAlignment =
            layout.positionAlignment != .auto
            ? layout.positionAlignment
            : side == .left ? .lineLeft : side == .right ? .lineRight : .center
        let usual = anchor == .lineLeft ? safe : anchor == .lineRight ? whole - safe : whole / 2
        let place = layout.position.map(thousandths) ?? usual
        let size = thousandths(layout.size)
        var (start, end): (Int, Int)
        switch anchor {
        case .lineLeft, .auto: (start, end) = (place, min(place + size, whole))
        case .lineRight: (start, end) = (max(place - size, 0), place)
        case .center:
            let half = min(size / 2, place, whole - place)
            (start, end) = (place - half, place + half)
        }
        // What reaches into the margin of the open side is as wide as it may be.
        switch side {
        case .left, .start:
            start = min(start, whole - least)
            end = max(end, start + least)
            if end >= whole - safe { end = start <= whole - 2 * safe ? whole - safe : whole }
        case .right, .end:
            end = max(end, least)
            start = min(start, end - least)
            if start <= safe { start = end >= 2 * safe ? safe : 0 }
        case .center:
            let middle = min(max((start + end) / 2, least / 2), whole - least / 2)
            let widest = min(whole / 2 - safe, middle, whole - middle)
            let half = min(max((end - start) / 2, least / 2), widest)
            (start, end) = (middle - half, middle + half)
        }
        return (start, end)
    }

    // MARK: Lines

    /// The height of a line in thousandths of a percent, as players of WebVTT count them.
    private static func height(ofLines count: Double) -> Int {
        Int((min(count, 20) * 16_000 / 3).rounded())
    }

    private mutating func setRows(_ layout: CueLayout) {
        let line = layout.line.flatMap { $0.isFinite ? $0 : nil }
        guard let line else { return keep(below: Self.whole - Self.safe) }
        if layout.snapToLines {
            let number = (line + 0.5).rounded(.down)
            isInexact = number > 0 || number < -1
            if number >= 0 { return keep(above: Self.safe + Self.height(ofLines: number)) }
            return keep(below: Self.whole - Self.safe - Self.height(ofLines: -number - 1))
        }
        let place = Self.thousandths(line)
        switch layout.lineAlignment {
        case .start: keep(above: place <= Self.near ? Self.safe : place)
        case .end: keep(below: place >= Self.whole - Self.near ? Self.whole - Self.safe : place)
        case .center:
            let middle = min(max(place, Self.least / 2), Self.whole - Self.least / 2)
            let half = min(Self.depth / 2, middle, Self.whole - middle)
            (top, bottom, edge) = (middle - half, middle + half, .center)
        }
    }

    /// Lines grow downwards from `start`.
    private mutating func keep(above start: Int) {
        top = min(start, Self.whole - Self.least)
        bottom = min(top + Self.depth, Self.whole)
        edge = .before
    }

    /// Lines end at `end`.
    private mutating func keep(below end: Int) {
        bottom = max(end, Self.least)
        top = max(bottom - Self.depth, 0)
        edge = .after
    }

    // MARK: Columns

    private mutating func setColumns(_ layout: CueLayout) {
        let grows = layout.vertical == .growingLeft
        let line = layout.line.flatMap { $0.isFinite ? $0 : nil }
        if let line, !layout.snapToLines {
            let place = Self.thousandths(line)
            switch layout.lineAlignment {
            case .start: keep(rightOf: place, edge: grows ? .after : .before)
            case .end: keep(leftOf: place, edge: grows ? .before : .after)
            case .center:
                let middle = min(max(place, Self.least / 2), Self.whole - Self.least / 2)
                let half = min(Self.depth / 2, middle, Self.whole - middle)
                (left, right, edge) = (middle - half, middle + half, .center)
            }
            return
        }
        // The first line is where the text begins, the last one, -1, at the other side.
        let number = ((line ?? -1) + 0.5).rounded(.down)
        isInexact = line != nil && number != 0 && number != -1
        let distance = Self.safe + Self.height(ofLines: number >= 0 ? number : -number - 1)
        let isRight = (number >= 0) == grows
        let edge: Edge = number >= 0 ? .before : .after
        if isRight {
            keep(leftOf: Self.whole - distance, edge: edge)
        } else {
            keep(rightOf: distance, edge: edge)
        }
    }

    private mutating func keep(rightOf start: Int, edge: Edge) {
        left = min(max(start, 0), Self.whole - Self.least)
        right = min(left + Self.depth, Self.whole)
        self.edge = edge
    }

    private mutating func keep(leftOf end: Int, edge: Edge) {
        right = min(max(end, Self.least), Self.whole)
        left = max(right - Self.depth, 0)
        self.edge = edge
    }

    // MARK: Text

    /// The attributes of the region without its name.
    var attributes: String {
        func percent(_ value: Int) -> String {
            WebVTTSettingsText.number(Double(value) / 1000) + "%"
        }
        var text = " tts:origin=\"\(percent(left)) \(percent(top))\""
        text += " tts:extent=\"\(percent(right - left)) \(percent(bottom - top))\""
        text += " tts:displayAlign=\"\(edge.rawValue)\""
        switch vertical {
        case .horizontal: break
        case .growingLeft: text += " tts:writingMode=\"tbrl\""
        case .growingRight: text += " tts:writingMode=\"tblr\""
        }
        return text + " tts:overflow=\"visible\""
    }
}
