internal import UndertextCore

/// The visible content of a page: 25 rows of 40 columns.
struct TeletextScreen: Hashable {
    static let rowCount = 25
    static let columnCount = 40

    /// One position.
    struct Cell: Hashable {
        /// The character; a space also where it is concealed or covered by a larger one.
        var character: Character = " "
        var foreground = RGBA.white
        var background = RGBA.black
        var isFlashing = false
        var isUnderlined = false
        /// `true` if the character takes this row and the next one.
        var isDoubleHeight = false
        /// `true` if the character takes this column and the next one.
        var isDoubleWidth = false
        /// `true` if a larger character takes the position.
        var isCovered = false
        /// `false` where the video is seen.
        var isShown = false

        /// `true` if it shows a character, not a space.
        var hasInk: Bool { isShown && !isCovered && character != " " }

        /// The position beside or below, which the character takes, too.
        func covered() -> Cell {
            var cell = self
            (cell.character, cell.isCovered, cell.isDoubleWidth) = (" ", true, false)
            return cell
        }
    }

    /// The rows from the top; each has 40 cells.
    private(set) var rows = [[Cell]](
        repeating: [Cell](repeating: Cell(), count: columnCount), count: rowCount)
}

extension TeletextScreen {
    /// The screen of a page.
    init(
        _ content: TeletextPageContent, _ presentation: TeletextPresentation,
        _ enhancements: TeletextEnhancements, _ sets: [TeletextCharacterSet]
    ) {
        var row = 0
        while row < Self.rowCount {
            var reader = TeletextRow(
                row, codes: content.rows[row], presentation, enhancements, sets)
            var cells = reader.cells()
            let isVisible = row == 0 ? content.header.showsHeader : content.header.showsRows
            // Invisible attributes are left out, so that screens with an equal appearance are equal.
            for column in cells.indices {
                cells[column].isShown =
                    isVisible && (cells[column].isShown || !content.header.showsOnlyBoxes)
                if !cells[column].isShown { cells[column] = Cell() }
            }
            rows[row] = cells
            row += 1
            // The transmitted row below double height is not shown.
            guard reader.hasDoubleHeight else { continue }
            rows[row] = cells.map { $0.covered() }
            row += 1
        }
    }
}

extension TeletextHeader {
    /// `true` if row 0 is shown; without boxes it is not part of the page, and its clock changes every second.
    fileprivate var showsHeader: Bool { showsOnlyBoxes && !suppressesHeader }
    /// `true` if the other rows are shown.
    fileprivate var showsRows: Bool { !inhibitsDisplay }
}

extension TeletextReceiver {
    /// The screen of what has arrived, and whether parts of the page are left out.
    func screen() -> (screen: TeletextScreen, isPartial: Bool) {
        let presentation = presentation
        let set = TeletextCharacterSet(
            designation: presentation.designation, option: content.header.nationalOption)
        let second = presentation.secondDesignation.flatMap(
            TeletextCharacterSet.init(designation:))
        let enhancements = TeletextEnhancements(content.enhancements, set: set)
        let screen = TeletextScreen(
            content, presentation, enhancements, [set] + (second.map { [$0] } ?? []))
        return (screen, enhancements.isPartial)
    }
}
