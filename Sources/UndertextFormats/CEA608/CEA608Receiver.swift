/// Decodes one service of line 21 data: byte pairs of its field in, the screen that a viewer sees out.
///
/// CTA-608-E; 47 CFR 79.101, which repeats its rules. Nothing here knows times.
struct CEA608Receiver {
    /// The caption style: pop-on, paint-on, roll-up or text.
    enum Mode: Hashable {
        /// Loaded out of sight and shown at once.
        case popOn
        /// Shown character by character.
        case paintOn
        /// Shown character by character in the last of so many rows.
        case rollUp(Int)
        /// Text, in rows from the top.
        case text
    }

    /// The effect of a pair.
    struct Effect: OptionSet {
        let rawValue: UInt8

        /// The screen may be another one.
        static let screen = Effect(rawValue: 1)
        /// The rows of roll-up captions moved up.
        static let rolledUp = Effect(rawValue: 2)
        /// A byte had the wrong parity: a character became a block, or a code was ignored.
        static let parityError = Effect(rawValue: 4)
    }

    let service: CEA608Service
    /// The screen that a viewer sees.
    private(set) var displayed = CEA608Screen()
    /// The caption style: pop-on, paint-on, roll-up or text.
    private(set) var mode: Mode
    /// The last row of roll-up captions, from 0.
    private(set) var baseRow = CEA608Screen.rowCount - 1
    /// The description of the program in field 2.
    private(set) var extendedData = CEA608ExtendedData()

    /// The screen that pop-on captions are loaded into.
    private var loaded = CEA608Screen()
    private var pen = CEA608Pen()
    private var row = CEA608Screen.rowCount - 1
    /// The column of the next character; 32 after a character in the last column.
    private var column = 0
    /// The data channel of the last control code; `nil` before the first one.
    private var channel: Int?
    /// `true` if characters of the service's data channel are text, not captions.
    private var isTextSelected = false
    /// The last pair if it was a control code that has not been repeated yet.
    private var repeatable: (UInt8, UInt8)?
    private var isInExtendedData = false
    /// The parts of the state that depend on pairs before the first one.
    var unknown: Unknown = []
    /// Of roll-up captions, the rows from the last one up that do not.
    var knownRowCount = 0

    init(service: CEA608Service) {
        self.service = service
        mode = service.isText ? .text : .popOn
        if service.isText { row = 0 }
    }

    // MARK: Pairs

    /// Takes the next pair of the field, parity bits included.
    mutating func receive(_ first: UInt8, _ second: UInt8) -> Effect {
        // Some encoders send zeros without a parity bit where there is nothing to send.
        let isFirstGood = first.nonzeroBitCount % 2 == 1 || first == 0
        let isSecondGood = second.nonzeroBitCount % 2 == 1 || second == 0
        let (one, two) = (first & 0x7F, second & 0x7F)
        let damage: Effect = isFirstGood && isSecondGood ? [] : .parityError
        guard one >= 0x20 || one == 0 else {
            // Half a code means nothing, and codes are sent twice.
            guard damage.isEmpty else {
                endRepetition()
                return damage
            }
            return control(one, two)
        }
        endRepetition()
        if isInExtendedData {
            guard damage.isEmpty else {
                extendedData.drop()
                return damage
            }
            extendedData.append(one, two)
            return []
        }
        if one | two != 0 { noteSelection() }
        guard isSelected else { return damage }
        // 47 CFR 79.101 (j): a character with wrong parity is shown as the solid block.
        for (code, isGood) in [(one, isFirstGood), (two, isSecondGood)] {
            guard isGood || code >= 0x20 else { continue }
            if !isGood {
                put(CEA608Character.solidBlock)
            } else if code >= 0x20 {
                put(CEA608Character.standard(code))
            }
        }
        return damage.union(isOnScreen && one | two != 0 ? .screen : [])
    }

    private mutating func endRepetition() {
        repeatable = nil
        unknown.remove(.repetition)
    }

    private mutating func control(_ first: UInt8, _ second: UInt8) -> Effect {
        // Extended data services begin with 0x01 to 0x0F and are in field 2 only.
        guard first >= 0x10 else {
            endRepetition()
            guard service.field == 1 else { return [] }
            isInExtendedData = extendedData.begin(first, second)
            return []
        }
        guard !unknown.contains(.repetition) else { return [] }
        // 47 CFR 79.101 (i) (1): the second of two equal codes in a row is ignored.
        if let repeatable, repeatable == (first, second) {
            self.repeatable = nil
            return []
        }
        repeatable = (first, second)
        isInExtendedData = false
        let channel = Int(first >> 3) & 1
        self.channel = channel
        unknown.remove(.channel)
        guard channel == service.channel, let code = CEA608Code(first & 0xF7, second) else {
            return []
        }
        if case .command(let command) = code { return obey(command) }
        noteSelection()
        guard isSelected else { return [] }
        obey(code)
        return isOnScreen ? .screen : []
    }

    /// `true` if characters are those of the service.
    private var isSelected: Bool {
        channel == service.channel && isTextSelected == service.isText
    }

    /// `true` if characters appear at once.
    var isOnScreen: Bool { mode != .popOn }

    // MARK: Characters

    private mutating func edit(_ change: (inout CEA608Screen) -> Void) {
        if isOnScreen { change(&displayed) } else { change(&loaded) }
    }

    /// Writes a character; `nil` = a transparent space.
    ///
    /// 47 CFR 79.101 (f): characters beyond the last column replace the one in it.
    private mutating func put(_ character: Unicode.Scalar?) {
        noteEdit()
        let (row, place) = (row, min(column, CEA608Screen.columnCount - 1))
        let cell =
            character.map { CEA608Screen.Cell(character: $0, pen: pen) } ?? CEA608Screen.Cell()
        edit { $0[row, place] = cell }
        column = place + 1
    }

    /// Erases the character before the cursor.
    private mutating func eraseBackwards() {
        noteEdit()
        guard column > 0 else { return }
        column -= 1
        let (row, place) = (row, column)
        edit { $0[row, place] = CEA608Screen.Cell() }
    }

    private mutating func obey(_ code: CEA608Code) {
        switch code {
        case .preamble(let row, let style, let isUnderlined):
            notePreamble()
            move(to: row)
            pen = CEA608Pen(isUnderlined: isUnderlined)
            column = 0
            switch style {
            case .color(let color): pen.color = color
            case .italic: pen.isItalic = true
            case .indent(let indent): column = indent
            }
        case .midRow(let color, let isUnderlined):
            // 47 CFR 79.101 (h) (1) (i): these codes are shown as a space.
            put(" ")
            pen.isItalic = color == nil
            if let color { pen.color = color }
            pen.isUnderlined = isUnderlined
            pen.isFlashing = false
        case .special(let character): put(character)
        case .extended(let character):
            eraseBackwards()
            put(character)
        case .background(let color, let opacity):
            // CTA-608-E, section 6.2: the code replaces the space that older decoders show.
            eraseBackwards()
            pen.background = color
            pen.opacity = opacity
            put(" ")
        case .blackForeground(let isUnderlined):
            eraseBackwards()
            pen.color = .black
            pen.isItalic = false
            pen.isUnderlined = isUnderlined
            put(" ")
        case .tabOffset(let columns):
            column = min(column + columns, CEA608Screen.columnCount - 1)
        case .command: break
        }
    }

    private mutating func move(to new: Int) {
        switch mode {
        case .text: break
        case .popOn, .paintOn: row = new
        case .rollUp(let depth):
            // 47 CFR 79.101 (f) (1) (iii): all rows move; there is always place for them.
            let base = max(new, depth - 1)
            if base != baseRow { displayed.move(rows: depth, endingAt: baseRow, to: base) }
            baseRow = base
            row = base
        }
    }

    // MARK: Commands

    private mutating func obey(_ command: CEA608Code.Command) -> Effect {
        switch command {
        case .textRestart, .resumeTextDisplay:
            isTextSelected = true
            unknown.remove(.selection)
            guard service.isText else { return [] }
            guard command == .textRestart else { return [] }
            displayed.clear()
            (row, column, pen) = (0, 0, CEA608Pen())
            unknown.subtract([.displayed, .cursor])
            return .screen
        case .resumeCaptionLoading, .resumeDirectCaptioning, .rollUp2, .rollUp3, .rollUp4,
            .endOfCaption:
            isTextSelected = false
            unknown.remove(.selection)
            return service.isText ? [] : select(command)
        case .eraseDisplayedMemory, .eraseNonDisplayedMemory:
            // Captions only, whatever is selected.
            guard !service.isText else { return [] }
            guard command == .eraseDisplayedMemory else {
                loaded.clear()
                unknown.remove(.loaded)
                return []
            }
            displayed.clear()
            unknown.remove(.displayed)
            return .screen
        case .alarmOff, .alarmOn: return []
        case .backspace, .deleteToEndOfRow, .flashOn, .carriageReturn:
            noteSelection()
            guard isSelected else { return [] }
            return edit(command)
        }
    }

    private mutating func edit(_ command: CEA608Code.Command) -> Effect {
        switch command {
        case .backspace: eraseBackwards()
        case .deleteToEndOfRow:
            noteEdit()
            let (row, place) = (row, min(column, CEA608Screen.columnCount - 1))
            edit { $0.clear(row: row, from: place) }
        case .flashOn:
            put(" ")
            pen.isFlashing = true
        case .carriageReturn: return returnCarriage()
        default: break
        }
        return isOnScreen ? .screen : []
    }

    private mutating func select(_ command: CEA608Code.Command) -> Effect {
        noteStyle(command)
        switch command {
        case .resumeCaptionLoading: mode = .popOn
        case .resumeDirectCaptioning: mode = .paintOn
        case .endOfCaption:
            swap(&displayed, &loaded)
            mode = .popOn
            return .screen
        case .rollUp2: return rollUp(2)
        case .rollUp3: return rollUp(3)
        case .rollUp4: return rollUp(4)
        default: break
        }
        return []
    }

    /// 47 CFR 79.101 (f) (1) (ii): coming from another mode, both memories are erased and the base row is the last one.
    private mutating func rollUp(_ depth: Int) -> Effect {
        if case .rollUp = mode {
            mode = .rollUp(depth)
            let base = max(baseRow, depth - 1)
            displayed.move(rows: depth, endingAt: baseRow, to: base)
            (baseRow, row) = (base, base)
            return .screen
        }
        mode = .rollUp(depth)
        displayed.clear()
        loaded.clear()
        baseRow = CEA608Screen.rowCount - 1
        (row, column, pen) = (baseRow, 0, CEA608Pen())
        return .screen
    }

    private mutating func returnCarriage() -> Effect {
        noteCarriageReturn()
        switch mode {
        case .popOn, .paintOn: return []
        case .rollUp(let depth):
            displayed.scroll(max(0, baseRow - depth + 1)...baseRow)
            // Rows above the window belong to an earlier, deeper window.
            displayed.clear(except: max(0, baseRow - depth + 1)...baseRow)
        case .text where row < CEA608Screen.rowCount - 1: row += 1
        case .text: displayed.scroll(0...row)
        }
        (column, pen) = (0, CEA608Pen())
        return mode == .text ? .screen : [.screen, .rolledUp]
    }
}
