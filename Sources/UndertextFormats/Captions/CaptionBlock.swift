internal import UndertextCore

/// A position of the grid of a caption.
protocol CaptionCell {
    /// The character; `nil` where nothing hides the video.
    var character: Unicode.Scalar? { get }
    /// The look of the character.
    var style: TextStyle { get }
}

extension CaptionCell {
    /// `true` if it shows a character, not a space.
    var hasInk: Bool { character != nil && character != " " && character != "\u{A0}" }
}

/// The alignment of the rows of a caption.
enum CaptionAlignment: Hashable {
    /// The cells of their characters.
    ///
    /// Rows that are known as a whole, as `isComplete` says, may be centered; rows that grow stay where they begin.
    case byColumns(isComplete: Bool)
    /// In the middle of the grid.
    case center
    /// At the right edge of the grid.
    case right
}

/// Rows of a caption that follow one another, as a cue shows them.
struct CaptionBlock: Hashable {
    var text: StyledText
    var layout: CueLayout

    /// The blocks of rows from the top.
    static func blocks<Cell: CaptionCell>(
        of rows: [[Cell]], in grid: CaptionGrid, _ alignment: CaptionAlignment
    ) -> [CaptionBlock] {
        var blocks: [CaptionBlock] = []
        var top = 0
        while top < rows.count {
            var extents: [ClosedRange<Int>] = []
            while top + extents.count < rows.count,
                let found = extent(of: rows[top + extents.count])
            {
                extents.append(found)
            }
            if !extents.isEmpty {
                var place = layout(top, extents, grid, alignment)
                place.layout.captionLines = CaptionLines(
                    zip(extents, place.indents).enumerated().map { index, line in
                        Self.line(
                            rows[top + index], line.0, row: top + index, indent: line.1, grid,
                            alignment)
                    })
                blocks.append(
                    CaptionBlock(
                        text: text(rows[top...], extents, indents: place.indents),
                        layout: place.layout))
            }
            top += extents.count + 1
        }
        return blocks
    }

    /// The columns between the first and the last character of a row; `nil` without one.
    private static func extent<Cell: CaptionCell>(of row: [Cell]) -> ClosedRange<Int>? {
        guard let first = row.firstIndex(where: \.hasInk), let last = row.lastIndex(where: \.hasInk)
        else { return nil }
        return first...last
    }

    /// The place of a block, and the columns that its rows begin after its left edge.
    private static func layout(
        _ top: Int, _ extents: [ClosedRange<Int>], _ grid: CaptionGrid,
        _ alignment: CaptionAlignment
    ) -> (layout: CueLayout, indents: [Int]) {
        var isComplete = false
        if case .byColumns(let known) = alignment { isComplete = known }
        var (layout, indents) = grid.layout(of: extents, top: top, mayCenter: isComplete)
        switch alignment {
        case .byColumns: return (layout, indents)
        case .center:
            let middle = grid.position(ofColumn: Double(grid.columnCount) / 2)
            layout.textAlignment = .center
            layout.position = grid.isMiddle(middle) ? nil : CaptionGrid.percent(middle)
        case .right:
            layout.textAlignment = .right
            layout.position = CaptionGrid.percent(
                grid.position(ofColumn: Double(grid.columnCount)))
        }
        indents = indents.map { _ in 0 }
        return (layout, indents)
    }

    /// The place of a row, whose text begins `indent` columns before its extent.
    private static func line<Cell: CaptionCell>(
        _ cells: [Cell], _ extent: ClosedRange<Int>, row: Int, indent: Int, _ grid: CaptionGrid,
        _ alignment: CaptionAlignment
    ) -> CaptionLines.Line {
        let room = Double(grid.columnCount - extent.count)
        let first =
            switch alignment {
            case .byColumns: Double(extent.lowerBound)
            case .center: room / 2
            case .right: room
            }
        return grid.line(
            row: row, left: first - Double(indent), shift: first - Double(extent.lowerBound),
            backgrounds: cells.map { $0.character == nil ? nil : $0.style.background ?? .black })
    }

    private static func text<Cell: CaptionCell>(
        _ rows: ArraySlice<[Cell]>, _ extents: [ClosedRange<Int>], indents: [Int]
    ) -> StyledText {
        var builder = StyledTextBuilder()
        for (index, extent) in extents.enumerated() {
            let cells = rows[rows.startIndex + index][extent]
            if index > 0 {
                if indents[index] > 0 || cells.first?.style != builder.style {
                    builder.setStyle(TextStyle())
                }
                builder.append(0x0A)
            }
            // Players drop ordinary spaces at the beginning of a line.
            builder.append(String(repeating: "\u{A0}", count: indents[index]))
            for cell in cells { append(cell, to: &builder) }
        }
        return builder.finish()
    }

    private static func append(_ cell: some CaptionCell, to builder: inout StyledTextBuilder) {
        let style = cell.style
        // Only lines and backgrounds show in a space. A transparent one does not change them, as
        // 47 CFR 79.101 (h) (1) says of all attributes.
        let isSeen =
            cell.hasInk
            || cell.character != nil
                && (style.isUnderlined != builder.style.isUnderlined
                    || style.background != builder.style.background)
        if isSeen { builder.setStyle(style) }
        builder.append(String(cell.character ?? " "))
    }
}
