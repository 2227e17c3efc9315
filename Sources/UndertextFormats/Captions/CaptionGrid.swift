internal import UndertextCore

/// The rows and columns into which captions divide the safe area of the video.
struct CaptionGrid {
    /// The safe area in percent of the video.
    static let safeArea = 10.0...90.0

    /// Number of rows.
    let rowCount: Int
    /// Number of columns.
    let columnCount: Int

    /// The height of a row in percent of the video.
    var rowHeight: Double { 80.0 / Double(rowCount) }
    /// The width of a column in percent of the video.
    var columnWidth: Double { 80.0 / Double(columnCount) }

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
        layout.line = Self.percent(Self.safeArea.lowerBound + Double(top) * rowHeight)
        let left = extents.map(\.lowerBound).min() ?? 0
        let right = (extents.map(\.upperBound).max() ?? 0) + 1
        let indents = extents.map {
            direction == .leftToRight ? $0.lowerBound - left : right - 1 - $0.upperBound
        }
        // Twice the middle of each row, so that it is a whole number.
        let middles = extents.map { $0.lowerBound + $0.upperBound + 1 }
        let isCentered =
            mayCenter
            && (middles.allSatisfy { abs($0 - columnCount) <= 1 }
                || Set(indents).count > 1
                    && (middles.max() ?? 0) - (middles.min() ?? 0) <= 2)
        guard isCentered else {
            layout.textAlignment = direction == .leftToRight ? .left : .right
            let edge = direction == .leftToRight ? left : right
            layout.position = Self.percent(
                Self.safeArea.lowerBound + Double(edge) * columnWidth)
            return (layout, indents)
        }
        let middle = Double(middles.reduce(0, +)) / Double(2 * middles.count)
        if abs(middle - Double(columnCount) / 2) > 0.5 {
            layout.position = Self.percent(
                Self.safeArea.lowerBound + middle * columnWidth)
        }
        return (layout, indents.map { _ in 0 })
    }

    /// Hundredths are enough, and read better than the third of a row.
    private static func percent(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
