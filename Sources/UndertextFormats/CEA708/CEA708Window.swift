/// A window of a service: where it is, how it looks, and the text in it.
///
/// CTA-708-E, section 8.
///
/// The text is kept in lines as it is printed: rows from the top, or columns from the left where the print direction
/// is vertical, each from the edge where printing begins.
struct CEA708Window: Hashable {
    /// A position of a line.
    struct Cell: Hashable {
        /// The character; `nil` where the fill of the window shows.
        var character: Unicode.Scalar?
        var pen = CEA708Pen()

        /// `true` if words end there.
        var isSpace: Bool { character == nil || character == " " }
    }

    /// Directions by their numbers in codes.
    enum Direction: UInt8, Hashable, Sendable {
        case leftToRight, rightToLeft, topToBottom, bottomToTop

        var isHorizontal: Bool { self == .leftToRight || self == .rightToLeft }
        /// `true` if printing begins at the right or at the bottom.
        var isReversed: Bool { self == .rightToLeft || self == .bottomToTop }
    }

    enum Justification: UInt8, Hashable, Sendable {
        case left, right, center, full
    }

    /// The values of SetWindowAttributes that cues can represent.
    struct Attributes: Hashable, Sendable {
        var justification = Justification.left
        var printDirection = Direction.leftToRight
        var scrollDirection = Direction.bottomToTop
        var wrapsWords = false
        var fill = CEA708Color.black
    }

    /// Positions that a line has at most: as many columns as a window can be defined with.
    static let longestLine = 64

    /// The parameters of DefineWindow.
    private var definition: [UInt8]
    private(set) var isVisible = false
    private(set) var attributes = Attributes()
    var pen = CEA708Pen()
    private(set) var lines: [[Cell]] = []
    /// The line of the pen.
    private(set) var line = 0
    /// The position of the pen in its line.
    private var position = 0
    /// `true` if text was written while the window was visible.
    private(set) var isGrowing = false
    /// Number of carriage returns.
    private(set) var returnCount = 0

    /// Creates a window with the parameters of DefineWindow.
    init(_ parameters: [UInt8]) {
        definition = parameters
        apply()
        if windowStyle == 0 { attributes = Self.preset(1) }
        if penStyle == 0 { pen = .preset(1) }
        resize()
        goHome()
    }

    // MARK: Definition

    /// The number of windows that lie above it at most: 0 is the highest priority.
    var priority: Int { Int(definition[0] & 7) }
    /// `true` if the anchor's coordinates are percentages of the safe area.
    var isRelative: Bool { definition[1] & 0x80 != 0 }
    /// The anchor's vertical coordinate.
    var anchorRow: Int { Int(definition[1] & 0x7F) }
    /// The anchor's horizontal coordinate.
    var anchorColumn: Int { Int(definition[2]) }
    /// The point of the window that is at the anchor, 0 to 8: three rows of three.
    var anchorPoint: Int { min(Int(definition[3] >> 4), 8) }
    var rowCount: Int { Int(definition[3] & 0x0F) + 1 }
    var columnCount: Int { Int(definition[4] & 0x3F) + 1 }
    private var windowStyle: UInt8 { definition[5] >> 3 & 7 }
    private var penStyle: UInt8 { definition[5] & 7 }

    /// Takes over the parameters of DefineWindow; those that the window has already change nothing.
    mutating func define(_ parameters: [UInt8]) {
        guard parameters != definition else { return }
        definition = parameters
        apply()
        resize()
    }

    /// Applies the part of the definition that other commands change, too; a style of 0 leaves it.
    private mutating func apply() {
        setVisible(definition[0] & 0x20 != 0)
        if windowStyle > 0 { attributes = Self.preset(windowStyle) }
        if penStyle > 0 { pen = .preset(penStyle) }
    }

    /// Takes over the parameters of SetWindowAttributes.
    mutating func setAttributes(_ parameters: [UInt8]) {
        let third = parameters[2]
        attributes = Attributes(
            justification: Justification(rawValue: third & 3) ?? .left,
            printDirection: Direction(rawValue: third >> 4 & 3) ?? .leftToRight,
            scrollDirection: Direction(rawValue: third >> 2 & 3) ?? .bottomToTop,
            wrapsWords: third & 0x40 != 0, fill: CEA708Color(parameters[0]))
        resize()
        if isBlank { goHome() }
    }

    /// The predefined attributes of a number from 1 to 7 (CTA-708-E, predefined window style IDs).
    static func preset(_ number: UInt8) -> Attributes {
        var attributes = Attributes()
        if number == 3 || number == 6 { attributes.justification = .center }
        if 4...6 ~= number { attributes.wrapsWords = true }
        if number == 2 || number == 5 { attributes.fill.opacity = .transparent }
        if number == 7 {
            attributes.printDirection = .topToBottom
            attributes.scrollDirection = .rightToLeft
        }
        return attributes
    }

    // MARK: Lines

    /// Positions of a line within the window.
    private var lineLength: Int {
        attributes.printDirection.isHorizontal ? columnCount : rowCount
    }

    /// `true` if a carriage return moves to the previous line: up, or to the left.
    private var growsBackwards: Bool {
        attributes.scrollDirection
            == (attributes.printDirection.isHorizontal ? .topToBottom : .leftToRight)
    }

    /// `true` if it has no character.
    var isBlank: Bool { lines.allSatisfy { $0.allSatisfy { $0.character == nil } } }

    /// Gives it as many lines as it is defined with; lines and positions beyond are lost.
    private mutating func resize() {
        let count = attributes.printDirection.isHorizontal ? rowCount : columnCount
        lines = Array(lines.prefix(count)).map { Array($0.prefix(lineLength)) }
        lines += [[Cell]](repeating: [], count: count - lines.count)
        line = min(line, count - 1)
        position = min(position, lineLength)
    }

    private mutating func goHome() {
        line = growsBackwards ? lines.count - 1 : 0
        position = 0
    }

    // MARK: Text

    /// Writes a character; `false` if it is lost, since it is beyond the longest line.
    mutating func write(_ cell: Cell) -> Bool {
        if position >= lineLength, attributes.wrapsWords {
            guard !cell.isSpace else {
                returnCarriage()
                return true
            }
            wrap()
        }
        guard position < Self.longestLine else { return false }
        let missing = position - lines[line].count
        if missing > 0 { lines[line] += [Cell](repeating: Cell(), count: missing) }
        if position < lines[line].count {
            lines[line][position] = cell
        } else {
            lines[line].append(cell)
        }
        position += 1
        if isVisible { isGrowing = true }
        return true
    }

    /// Begins another line with the word that the line ends with.
    private mutating func wrap() {
        let end = (lines[line].lastIndex(where: \.isSpace) ?? -1) + 1
        let word = end > 0 ? Array(lines[line][end...]) : []
        lines[line].removeLast(word.count)
        returnCarriage()
        if !word.isEmpty {
            lines[line] = word
            position = word.count
        }
    }

    /// Moves the pen back by a position, and erases what is there.
    mutating func eraseBackwards() {
        guard position > 0 else { return }
        position -= 1
        if position < lines[line].count { lines[line][position] = Cell() }
    }

    /// Moves the pen to the beginning of the next line; the text scrolls if there is none.
    mutating func returnCarriage() {
        returnCount += 1
        position = 0
        let next = growsBackwards ? line - 1 : line + 1
        if lines.indices.contains(next) {
            line = next
        } else if growsBackwards {
            lines.removeLast()
            lines.insert([], at: 0)
        } else {
            lines.removeFirst()
            lines.append([])
        }
    }

    /// Erases the line, and moves the pen to its beginning.
    mutating func clearLine() {
        lines[line] = []
        position = 0
    }

    /// Erases all lines.
    mutating func clear() {
        lines = [[Cell]](repeating: [], count: lines.count)
        isGrowing = false
    }

    /// Erases all lines, and moves the pen to where text begins.
    mutating func feedForm() {
        clear()
        goHome()
    }

    /// Moves the pen; places outside of the window are moved into it.
    mutating func movePen(row: Int, column: Int) {
        let isHorizontal = attributes.printDirection.isHorizontal
        let (newLine, place) = isHorizontal ? (row, column) : (column, row)
        line = min(newLine, lines.count - 1)
        let inside = min(place, lineLength - 1)
        position = attributes.printDirection.isReversed ? lineLength - 1 - inside : inside
    }

    /// Shows or hides it; text that a viewer has not seen growing is a whole.
    mutating func setVisible(_ isVisible: Bool) {
        if !isVisible { isGrowing = false }
        self.isVisible = isVisible
    }
}
