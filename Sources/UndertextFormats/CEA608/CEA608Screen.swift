/// The style of a character of line 21 data.
struct CEA608Pen: Hashable, Sendable {
    /// Colors by their numbers in codes.
    enum Color: UInt8, Hashable, Sendable, CaseIterable {
        case white, green, blue, cyan, red, yellow, magenta, black
    }

    /// The opacity of a background.
    enum Opacity: UInt8, Hashable, Sendable {
        case opaque, semiTransparent, transparent
    }

    var color = Color.white
    var isItalic = false
    var isUnderlined = false
    var isFlashing = false
    var background = Color.black
    var opacity = Opacity.opaque
}

/// The contents of a caption memory: 15 rows of 32 characters.
///
/// 47 CFR 79.101 (d).
struct CEA608Screen: Hashable, Sendable {
    static let rowCount = 15
    static let columnCount = 32

    /// One position.
    struct Cell: Hashable, Sendable {
        /// The character; `nil` where nothing hides the video.
        var character: Unicode.Scalar?
        var pen = CEA608Pen()
    }

    /// A row without characters.
    private static let blank = [Cell](repeating: Cell(), count: columnCount)

    /// The rows from the top; each has 32 cells.
    private(set) var rows = [[Cell]](repeating: blank, count: rowCount)

    /// `true` if it has neither characters nor spaces.
    var isEmpty: Bool { rows.allSatisfy { $0 == Self.blank } }

    /// The position of a row and column, both from 0 and within the screen.
    subscript(row: Int, column: Int) -> Cell {
        get { rows[row][column] }
        set { rows[row][column] = newValue }
    }

    /// Erases all rows.
    mutating func clear() { self = CEA608Screen() }

    /// Erases a row.
    mutating func clearRow(_ row: Int) { rows[row] = Self.blank }

    /// Erases a row from a column on.
    mutating func clear(row: Int, from column: Int) {
        for index in column..<Self.columnCount { rows[row][index] = Cell() }
    }

    /// Erases all rows but those of a range.
    mutating func clear(except kept: ClosedRange<Int>) {
        for row in 0..<Self.rowCount where !kept.contains(row) { clearRow(row) }
    }

    /// Takes rows from another screen.
    mutating func add(_ other: CEA608Screen, rows range: Range<Int>) {
        for row in range where other.rows[row] != Self.blank { rows[row] = other.rows[row] }
    }

    /// Moves the rows of a range up by one; the first one is lost, the last one is empty.
    mutating func scroll(_ range: ClosedRange<Int>) {
        rows.remove(at: range.lowerBound)
        rows.insert(Self.blank, at: range.upperBound)
    }

    /// Moves the rows that end with `old` to where they end with `new`; all others are erased.
    mutating func move(rows count: Int, endingAt old: Int, to new: Int) {
        let source = rows
        clear()
        for offset in 0..<count where old - offset >= 0 && new - offset >= 0 {
            rows[new - offset] = source[old - offset]
        }
    }
}
