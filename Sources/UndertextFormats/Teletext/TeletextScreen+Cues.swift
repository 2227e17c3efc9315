internal import UndertextCore

extension TeletextScreen {
    /// The grid of rows 0 to 23; row 24 is in the margin below.
    private static let grid = CaptionGrid(rowCount: rowCount - 1, columnCount: columnCount)

    /// A row with characters.
    private struct Line {
        var row: Int
        var extent: CaptionGrid.Extent
        var cells: [Cell]
        /// The backgrounds of all cells of the row; `nil` where the video is seen.
        var backgrounds: [RGBA?]
        var height: Int { cells.contains(where: \.isDoubleHeight) ? 2 : 1 }
    }

    private var lines: [Line] {
        rows.enumerated().compactMap { row, cells in
            guard let first = cells.firstIndex(where: \.hasInk),
                let last = cells.lastIndex(where: \.hasInk)
            else { return nil }
            let end = last + (cells[last].isDoubleWidth ? 1 : 0)
            return Line(
                row: row, extent: first...end, cells: Array(cells[first...end]),
                backgrounds: cells.map { $0.isShown ? $0.background : nil })
        }
    }

    /// The blocks from the top; a single row between lines keeps them together.
    var blocks: [CaptionBlock] {
        var groups: [[Line]] = []
        for line in lines {
            if let last = groups.last?.last, line.row <= last.row + last.height + 1 {
                groups[groups.count - 1].append(line)
            } else {
                groups.append([line])
            }
        }
        return groups.map(Self.block)
    }

    private static func block(_ lines: [Line]) -> CaptionBlock {
        let texts = lines.map { TeletextLineText($0.cells) }
        let direction: TextDirection =
            texts.contains { $0.direction == .rightToLeft } ? .rightToLeft : .leftToRight
        var (layout, indents) = grid.layout(
            of: lines.map(\.extent), top: lines.first?.row ?? 0, mayCenter: true,
            direction: direction)
        // Double height is the usual size of subtitles: only beside it, other text is small.
        let isMixed = Set(lines.flatMap(\.cells).filter(\.hasInk).map(\.isDoubleHeight)).count > 1
        let letterRows = lines.map(\.height).max() ?? 1
        let hasWideCells = lines.contains { $0.cells.contains(where: \.isDoubleWidth) }
        layout.captionLines = CaptionLines(
            hasWideCells
                ? []
                : zip(lines, indents).map { line, indent in
                    grid.line(
                        row: line.row, rows: line.height, letterRows: letterRows,
                        left: Double(line.extent.lowerBound - indent),
                        backgrounds: line.backgrounds)
                })
        var builder = StyledTextBuilder()
        for (index, text) in texts.enumerated() {
            if index > 0 {
                if indents[index] > 0 { builder.setStyle(TextStyle()) }
                builder.append(0x0A)
            }
            // Players drop ordinary spaces at the beginning of a line.
            builder.append(String(repeating: "\u{A0}", count: indents[index]))
            text.append(to: &builder, isMixed: isMixed)
        }
        return CaptionBlock(text: builder.finish(), layout: layout)
    }
}

/// The characters of a line in the order in which they are read.
///
/// Teletext sends rows as they are seen, from left to right in every script.
private struct TeletextLineText {
    private(set) var direction = TextDirection.leftToRight
    private var cells: [TeletextScreen.Cell]

    init(_ cells: [TeletextScreen.Cell]) {
        self.cells = cells.filter { !$0.isCovered }
        guard self.cells.contains(where: { Self.direction(of: $0) == .rightToLeft }) else { return }
        direction = .rightToLeft
        reorder()
    }

    /// Reverses the line, and again what runs from left to right within it.
    private mutating func reorder() {
        cells.reverse()
        var start = 0
        while start < cells.count {
            guard Self.direction(of: cells[start]) == .leftToRight else {
                cells[start].character = Self.mirrored(cells[start].character)
                start += 1
                continue
            }
            var end = start
            for index in start..<cells.count {
                let direction = Self.direction(of: cells[index])
                if direction == .rightToLeft { break }
                if direction == .leftToRight { end = index }
            }
            cells[start...end].reverse()
            start = end + 1
        }
    }

    func append(to builder: inout StyledTextBuilder, isMixed: Bool) {
        for cell in cells {
            let style = cell.style(isSmall: isMixed && !cell.isDoubleHeight)
            // Only lines and backgrounds show in a space.
            let isSeen =
                cell.hasInk
                || style.isUnderlined != builder.style.isUnderlined
                || style.background != builder.style.background
            if isSeen { builder.setStyle(style) }
            let isLigature = cell.character == Character(TeletextTables.lamAlef)
            builder.append(isLigature ? "\u{0644}\u{0627}" : String(cell.character))
        }
    }

    /// The direction of letters, and of digits, which run from left to right in every script; `nil` for signs.
    private static func direction(of cell: TeletextScreen.Cell) -> TextDirection? {
        guard cell.hasInk else { return nil }
        if TextDirection(of: String(cell.character)) == .rightToLeft { return .rightToLeft }
        return cell.character.isLetter || cell.character.isNumber ? .leftToRight : nil
    }

    /// The sign that looks like this one among text from right to left.
    private static func mirrored(_ character: Character) -> Character {
        switch character {
        case "(": ")"
        case ")": "("
        case "[": "]"
        case "]": "["
        case "<": ">"
        case ">": "<"
        case "«": "»"
        case "»": "«"
        default: character
        }
    }
}

extension TeletextScreen.Cell {
    /// The look; white letters on black are what players show by default.
    fileprivate func style(isSmall: Bool) -> TextStyle {
        var style = TextStyle()
        guard isShown else { return style }
        style.isUnderlined = isUnderlined
        if foreground != .white { style.color = foreground }
        if background != .black { style.background = background }
        if isFlashing { style.classes = ["blink"] }
        if isSmall { style.fontSize = .percent(50) }
        return style
    }
}
