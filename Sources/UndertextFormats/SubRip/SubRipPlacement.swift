internal import UndertextCore

/// The position of a cue that SubRip can express: one of nine, numbered like a number pad.
struct SubRipPlacement {
    /// 1 to 9: bottom left to top right; 2 is the default.
    let key: Int
    /// `true` if the layout says no more than that.
    let isExact: Bool

    /// The position nearest to `layout`.
    init(_ layout: CueLayout) {
        guard layout.vertical == .horizontal else {
            key = Self.verticalRow(of: layout) * 3 + Self.verticalColumn(of: layout) + 1
            isExact = false
            return
        }
        let (row, rowIsExact) = Self.row(of: layout)
        let (column, columnIsExact) = Self.column(of: layout)
        key = row * 3 + column + 1
        isExact = rowIsExact && columnIsExact && layout.size >= Self.wide
    }

    /// Players of SubRip choose the distance of text from the edges: text within that distance, in percent, is at the
    /// edge.
    private static let edge = 15.0
    /// Lines that may be as long as the title-safe area are broken where players break them.
    private static let wide = 80.0

    // MARK: Vertical text

    /// 0 bottom, 1 middle, 2 top: along the lines, which run downwards.
    private static func verticalRow(of layout: CueLayout) -> Int {
        if layout.textAlignment == .center, let place = layout.position, place.isFinite {
            return place < 100.0 / 3 ? 2 : place > 200.0 / 3 ? 0 : 1
        }
        return 2 - CueBox(layout).side.rawValue
    }

    /// 0 left, 1 center, 2 right: where the lines are.
    private static func verticalColumn(of layout: CueLayout) -> Int {
        let line = layout.line.flatMap { $0.isFinite ? $0 : nil } ?? -1
        guard layout.snapToLines || layout.line == nil else {
            return line < 100.0 / 3 ? 0 : line > 200.0 / 3 ? 2 : 1
        }
        // Line 0 is the position of the first one, line -1 is at the other side.
        return (line >= 0) == (layout.vertical == .growingLeft) ? 2 : 0
    }

    // MARK: Horizontal text

    /// 0 bottom, 1 middle, 2 top.
    private static func row(of layout: CueLayout) -> (Int, Bool) {
        switch CueBox(layout).lines {
        case .automatic: return (0, true)
        case .counted(let count, fromEnd: true): return (0, count == 0)
        case .counted(let count, fromEnd: false): return count < 8 ? (2, count == 0) : (0, false)
        case .percent(let line, let alignment):
            if line < 100.0 / 3 { return (2, (0...edge).contains(line) && alignment == .start) }
            if line > 200.0 / 3 {
                return (0, (100 - edge...100).contains(line) && alignment == .end)
            }
            return (1, line == 50 && alignment == .center)
        }
    }

    /// 0 left, 1 center, 2 right.
    private static func column(of layout: CueLayout) -> (Int, Bool) {
        let place = layout.position.flatMap { $0.isFinite ? $0 : nil }
        switch CueBox(layout).side {
        case .left:
            return (0, place.map { (0...10).contains($0) } ?? true)
        case .right:
            return (2, place.map { (90...100).contains($0) } ?? true)
        case .center:
            guard let place else { return (1, true) }
            if place < 100.0 / 3 { return (0, false) }
            return place > 200.0 / 3 ? (2, false) : (1, place == 50)
        }
    }
}
