/// Turns the codes of a row into cells.
///
/// EN 300 706, section 12.2, table 26: some spacing attributes hold at once, others after their position; all are
/// shown as a space, or as the mosaic that is held. Packets X/26 come after attributes that hold at once.
struct TeletextRow {
    private let row: Int
    private let codes: [UInt8]
    private let presentation: TeletextPresentation
    private let enhancements: TeletextEnhancements
    /// The first set of characters, and the second one if there is one.
    private let sets: [TeletextCharacterSet]

    // The state at the beginning of each row.
    /// The color of the spacing attribute, 0 to 7.
    private var color = 7
    /// The background; `nil` = black, or the color that replaces it.
    private var background: Int?
    /// Entries of the color tables that X/26 sets.
    private var foregroundEntry: Int?
    private var backgroundEntry: Int?
    private var isMosaic = false
    private var holdsMosaics = false
    private var held: Unicode.Scalar = " "
    private var usesSecondSet = false
    private var isConcealed = false
    private var isInverted = false
    /// The attributes that cells keep.
    private var look = TeletextScreen.Cell()

    /// `true` if an attribute of the row makes characters twice as high.
    private(set) var hasDoubleHeight = false

    init(
        _ row: Int, codes: [UInt8]?, _ presentation: TeletextPresentation,
        _ enhancements: TeletextEnhancements, _ sets: [TeletextCharacterSet]
    ) {
        self.row = row
        self.codes = codes ?? [UInt8](repeating: 0x20, count: TeletextScreen.columnCount)
        self.presentation = presentation
        self.enhancements = enhancements
        self.sets = sets
    }

    /// The cells; `isShown` says which are boxed.
    mutating func cells() -> [TeletextScreen.Cell] {
        var cells: [TeletextScreen.Cell] = []
        var isCovered = false
        for (column, code) in codes.enumerated() {
            if code < 0x20 { setAt(code) }
            var character = character(of: code)
            for action in enhancements.actions(row: row, column: column) {
                if case .character(let other) = action { character = other }
                apply(action)
            }
            let isLast = column == TeletextScreen.columnCount - 1
            let cell =
                isCovered
                ? cells[column - 1].covered() : self.cell(character, mayBeWide: !isLast)
            isCovered = cell.isDoubleWidth
            cells.append(cell)
            if code < 0x20 { setAfter(code, at: column) }
        }
        return cells
    }

    /// A cell with the present attributes; a wide character in the last column has no room.
    private func cell(_ character: Character, mayBeWide: Bool) -> TeletextScreen.Cell {
        var cell = look
        if !isConcealed { cell.character = character }
        cell.foreground = presentation.colors[foreground]
        cell.background = presentation.colors[backdrop]
        if isInverted { swap(&cell.foreground, &cell.background) }
        if !mayBeWide { cell.isDoubleWidth = false }
        return cell
    }

    private var foreground: Int { foregroundEntry ?? presentation.foregroundBase + color }

    private var backdrop: Int {
        if let backgroundEntry { return backgroundEntry }
        if let background { return presentation.backgroundBase + background }
        return presentation.replacesBlack
            ? enhancements.rowColors[row] ?? presentation.rowColor : presentation.backgroundBase
    }

    private mutating func character(of code: UInt8) -> Character {
        if code == TeletextPageContent.damaged { return "\u{FFFD}" }
        if code < 0x20 { return isMosaic && holdsMosaics ? Character(held) : " " }
        if isMosaic, code & 0x20 != 0 {
            held = TeletextCharacterSet.mosaic(code)
            return Character(held)
        }
        let set = sets[usesSecondSet ? sets.count - 1 : 0]
        return Character(set.character(code))
    }

    // MARK: Spacing attributes

    private mutating func setAt(_ code: UInt8) {
        switch code {
        case 0x09: look.isFlashing = false
        case 0x0C: setSize(isHigh: false, isWide: false)
        case 0x18: isConcealed = true
        case 0x1C: (background, backgroundEntry) = (nil, nil)
        case 0x1D: (background, backgroundEntry) = (color, foregroundEntry)
        case 0x1E: holdsMosaics = true
        default: break
        }
    }

    private mutating func setAfter(_ code: UInt8, at column: Int) {
        switch code {
        case 0x00...0x07: setColor(code, isMosaic: false)
        case 0x08: look.isFlashing = true
        case 0x0A where isRepeated(code, at: column): look.isShown = false
        case 0x0B where isRepeated(code, at: column): look.isShown = true
        case 0x0D: setSize(isHigh: true, isWide: false)
        case 0x0E: setSize(isHigh: false, isWide: true)
        case 0x0F: setSize(isHigh: true, isWide: true)
        case 0x10...0x17: setColor(code & 7, isMosaic: true)
        case 0x1B: usesSecondSet.toggle()
        case 0x1F: holdsMosaics = false
        default: break
        }
    }

    private mutating func setColor(_ code: UInt8, isMosaic: Bool) {
        color = Int(code)
        foregroundEntry = nil
        isConcealed = false
        if self.isMosaic != isMosaic { held = " " }
        self.isMosaic = isMosaic
    }

    /// Rows 0 and 23 and after have no room for double height.
    private mutating func setSize(isHigh: Bool, isWide: Bool) {
        let isHigh = isHigh && (1...22).contains(row)
        if look.isDoubleHeight != isHigh || look.isDoubleWidth != isWide { held = " " }
        (look.isDoubleHeight, look.isDoubleWidth) = (isHigh, isWide)
        hasDoubleHeight = hasDoubleHeight || isHigh
    }

    /// `true` if a box code comes twice, as it must: a damaged character may be the other one.
    private func isRepeated(_ code: UInt8, at column: Int) -> Bool {
        let last = column > 0 ? codes[column - 1] : 0
        let next = column + 1 < codes.count ? codes[column + 1] : 0
        return next == code || next == TeletextPageContent.damaged
            || last == TeletextPageContent.damaged
    }

    // MARK: Enhancements

    private mutating func apply(_ action: TeletextEnhancements.Action) {
        switch action {
        case .character: break
        case .foreground(let entry): foregroundEntry = entry
        case .background(let entry): backgroundEntry = entry
        case .flash(let isOn): look.isFlashing = isOn
        case .display(let display):
            isConcealed = display.contains(.concealed)
            isInverted = display.contains(.inverted)
            look.isUnderlined = display.contains(.underlined)
            look.isShown = display.contains(.boxed)
            setSize(
                isHigh: display.contains(.doubleHeight), isWide: display.contains(.doubleWidth))
        }
    }
}
