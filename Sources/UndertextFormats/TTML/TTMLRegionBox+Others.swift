internal import UndertextCore

/// Regions that are on screen at one time.
extension TTMLRegionBox {
    /// The minimum height of a region beside others: about one line, in thousandths of a percent.
    private static let line = 5000

    /// A value that is equal only for regions in the same position.
    struct Place: Hashable {
        fileprivate var across: [Int]
        fileprivate var anchor: Int
        fileprivate var edge: Edge
        fileprivate var vertical: CueLayout.Vertical
        fileprivate var background: RegionBackground?
    }

    /// The position of the text, independent of the extent of the region.
    var place: Place {
        let (low, high) = reach
        return Place(
            across: isVertical ? [top, bottom] : [left, right],
            anchor: edge == .center ? low + high : keepsHigh ? high : low, edge: edge,
            vertical: vertical, background: background)
    }

    private var isVertical: Bool { vertical != .horizontal }

    /// From where to where it reaches in the direction in which lines follow each other.
    private var reach: (low: Int, high: Int) {
        get { isVertical ? (left, right) : (top, bottom) }
        set {
            if isVertical { (left, right) = newValue } else { (top, bottom) = newValue }
        }
    }

    /// `true` if text is aligned to the bottom or the right, `false` for the top or the left.
    private var keepsHigh: Bool { (edge == .after) != (vertical == .growingLeft) }

    /// The minimum of ``reach``.
    private var core: (low: Int, high: Int) {
        let (low, high) = reach
        // A colored area is as large as it is.
        if background != nil { return (low, high) }
        let most = high - low
        guard edge == .center else {
            let length = min(most, Self.line)
            return keepsHigh ? (high - length, high) : (low, low + length)
        }
        // The middle stays where it is, between whole numbers, too.
        let length = min(most, Self.line + (most - Self.line) % 2)
        return ((low + high - length) / 2, (low + high + length) / 2)
    }

    /// Its interval on an axis, and what must stay of it.
    private func interval(
        down: Bool
    ) -> (whole: (low: Int, high: Int), core: (low: Int, high: Int)) {
        if down != isVertical { return (reach, core) }
        let fixed = down ? (low: top, high: bottom) : (low: left, high: right)
        return (fixed, fixed)
    }

    /// `true` if two regions share an area.
    func overlaps(_ other: TTMLRegionBox) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    /// Shortens two regions so that they do not overlap; `false`, without changes, if their positions are too
    /// close.
    mutating func separate(from other: inout TTMLRegionBox) -> Bool {
        for down in [true, false] {
            let (mine, theirs) = (interval(down: down), other.interval(down: down))
            if mine.core.high <= theirs.core.low {
                let cut = (mine.whole.high + theirs.whole.low) / 2
                let border = min(max(cut, mine.core.high), theirs.core.low)
                shorten(down: down, to: border, atEnd: true)
                other.shorten(down: down, to: border, atEnd: false)
                return true
            }
            if theirs.core.high <= mine.core.low {
                let cut = (theirs.whole.high + mine.whole.low) / 2
                let border = min(max(cut, theirs.core.high), mine.core.low)
                other.shorten(down: down, to: border, atEnd: true)
                shorten(down: down, to: border, atEnd: false)
                return true
            }
        }
        return false
    }

    private mutating func shorten(down: Bool, to border: Int, atEnd: Bool) {
        guard down != isVertical else { return }
        let (low, high) = reach
        let excess = max(0, atEnd ? high - border : border - low)
        if edge == .center {
            reach = (low + excess, high - excess)
        } else {
            reach = atEnd ? (low, high - excess) : (low + excess, high)
        }
    }
}
