internal import CueModel

/// The place of a cue as SubRip can express it: one of nine, by the keys of a number pad.
struct SubRipPlacement {
    /// 1 to 9: bottom left to top right; 2 is the default.
    let key: Int
    /// Whether the layout says no more than that.
    let isExact: Bool

    /// The place nearest to `layout`.
    init(_ layout: CueLayout) {
        let (row, rowIsExact) = Self.row(of: layout)
        let (column, columnIsExact) = Self.column(of: layout)
        key = row * 3 + column + 1
        isExact =
            rowIsExact && columnIsExact && layout.vertical == .horizontal && layout.size == 100
    }

    /// 0 bottom, 1 middle, 2 top.
    private static func row(of layout: CueLayout) -> (Int, Bool) {
        guard let line = layout.line, line.isFinite else { return (0, true) }
        if layout.snapToLines {
            guard line >= 0 else { return (0, line == -1) }
            return line < 8 ? (2, line == 0) : (0, false)
        }
        let isMiddle = line == 50 && layout.lineAlignment == .center
        let isEdge = line == 0 || line == 5 || line == 95 || line == 100
        if line < 100.0 / 3 { return (2, isEdge && layout.lineAlignment == .start) }
        if line > 200.0 / 3 { return (0, isEdge && layout.lineAlignment == .end) }
        return (1, isMiddle)
    }

    /// 0 left, 1 centre, 2 right.
    private static func column(of layout: CueLayout) -> (Int, Bool) {
        let place = layout.position.flatMap { $0.isFinite ? $0 : nil }
        switch layout.textAlignment {
        case .start, .left:
            return (0, place.map { (0...10).contains($0) } ?? true)
        case .end, .right:
            return (2, place.map { (90...100).contains($0) } ?? true)
        case .center:
            guard let place else { return (1, true) }
            if place < 100.0 / 3 { return (0, false) }
            return place > 200.0 / 3 ? (2, false) : (1, place == 50)
        }
    }
}
