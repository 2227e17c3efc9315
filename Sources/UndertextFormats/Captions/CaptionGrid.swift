internal import UndertextCore

/// The rows and columns into which captions divide the safe area of the video, or a window within it.
struct CaptionGrid: Hashable {
    /// The safe area in percent of the video.
    static let safeArea = 10.0...90.0

    /// Number of rows.
    let rowCount: Int
    /// Number of columns.
    let columnCount: Int
    /// The left edge in percent of the video.
    var left = 10.0
    /// The top edge in percent of the video.
    var top = 10.0
    /// The width in percent of the video.
    var width = 80.0
    /// The height in percent of the video.
    var height = 80.0

    /// The height of a row in percent of the video.
    var rowHeight: Double { height / Double(rowCount) }
    /// The width of a column in percent of the video.
    var columnWidth: Double { width / Double(columnCount) }

    /// The left edge of a column in percent of the video; halves are the middles of columns.
    func position(ofColumn column: Double) -> Double { left + column * columnWidth }

    /// `true` if a place is the middle of the video, to half a column.
    func isMiddle(_ position: Double) -> Bool {
        // Rounding must not decide.
        (position - 50).magnitude <= columnWidth / 2 + 1e-9
    }

    /// The columns that a row fills.
    typealias Extent = ClosedRange<Int>

    /// Places rows that follow one another.
    ///
    /// - Parameters:
    ///   - extents: the columns of each row.
    ///   - top: the first row.
    ///   - mayCenter: `true` if rows are known as a whole; rows that grow stay where they begin.
    ///   - direction: the direction of the text.
    /// - Returns: the layout, and how many columns each row begins after the others.
    func layout(
        of extents: [Extent], top: Int, mayCenter: Bool, direction: TextDirection = .leftToRight
    ) -> (layout: CueLayout, indents: [Int]) {
        var layout = CueLayout()
        layout.snapToLines = false
        layout.line = Self.percent(self.top + Double(top) * rowHeight)
        let first = extents.map(\.lowerBound).min() ?? 0
        let last = (extents.map(\.upperBound).max() ?? 0) + 1
        let indents = extents.map {
            direction == .leftToRight ? $0.lowerBound - first : last - 1 - $0.upperBound
        }
        // Twice the middle of each row, so that it is a whole number.
        let middles = extents.map { $0.lowerBound + $0.upperBound + 1 }
        let isCentered =
            mayCenter
            && (middles.allSatisfy { isMiddle(position(ofColumn: Double($0) / 2)) }
                || Set(indents).count > 1
                    && (middles.max() ?? 0) - (middles.min() ?? 0) <= 2)
        guard isCentered else {
            layout.textAlignment = direction == .leftToRight ? .left : .right
            let edge = direction == .leftToRight ? first : last
            layout.position = Self.percent(position(ofColumn: Double(edge)))
            return (layout, indents)
        }
        let middle = position(ofColumn: Double(middles.reduce(0, +)) / Double(2 * middles.count))
        if !isMiddle(middle) { layout.position = Self.percent(middle) }
        return (layout, indents.map { _ in 0 })
    }

    /// A line that renderers draw.
    ///
    /// - Parameters:
    ///   - row: the upper one of its rows.
    ///   - rows: the number of rows that it fills.
    ///   - letterRows: the number of rows that letters of the usual size fill.
    ///   - left: the column in which its text begins.
    ///   - shift: the columns by which cells are to the right of their numbers.
    ///   - backgrounds: the backgrounds of all cells of the row; `nil` where the video is seen.
    /// - Returns: the line with a box for each run of one background.
    func line(
        row: Int, rows: Int = 1, letterRows: Int = 1, left: Double, shift: Double = 0,
        backgrounds: [RGBA?]
    ) -> CaptionLines.Line {
        let top = self.top + Double(row) * rowHeight
        var boxes: [RegionBackground] = []
        var start = 0
        while start < backgrounds.count {
            let color = backgrounds[start]
            let end = backgrounds[start...].firstIndex { $0 != color } ?? backgrounds.count
            if let color, color.alpha > 0 {
                boxes.append(
                    RegionBackground(
                        color: color, left: position(ofColumn: Double(start) + shift), top: top,
                        right: position(ofColumn: Double(end) + shift),
                        bottom: top + Double(rows) * rowHeight, isAlwaysShown: false))
            }
            start = end
        }
        return CaptionLines.Line(
            left: position(ofColumn: left), top: top, columnWidth: columnWidth,
            height: Double(letterRows) * rowHeight, boxes: boxes)
    }

    /// Hundredths are enough, and read better than the third of a row.
    static func percent(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
