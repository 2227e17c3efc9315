extension CEA608Receiver {
    /// Parts of the state.
    struct Unknown: OptionSet {
        let rawValue: UInt8

        /// The control code that the next pair may repeat.
        static let repetition = Unknown(rawValue: 1)
        /// The data channel of the last control code.
        static let channel = Unknown(rawValue: 2)
        /// The choice between text and captions.
        static let selection = Unknown(rawValue: 4)
        static let mode = Unknown(rawValue: 8)
        /// The row and the column of the next character, and its pen.
        static let cursor = Unknown(rawValue: 16)
        /// The last row of roll-up captions; no other mode uses it.
        static let baseRow = Unknown(rawValue: 32)
        static let displayed = Unknown(rawValue: 64)
        static let loaded = Unknown(rawValue: 128)
    }

    /// Starts within the data: the receiver keeps account of the parts of its state that depend on earlier pairs.
    ///
    /// Each part becomes known when a code sets it, and unknown again when a code changes it by an unknown one.
    mutating func startWithin() {
        unknown = [.repetition, .channel, .selection, .cursor, .displayed]
        if !service.isText { unknown.formUnion([.mode, .baseRow, .loaded]) }
    }

    /// Notes that the displayed memory changes in an unknown way; an empty one stays as it is.
    mutating func noteMove() {
        if !displayed.isEmpty { unknown.insert(.displayed) }
        knownRowCount = 0
    }

    /// Notes a pair that counts only if the service is selected.
    mutating func noteSelection() {
        guard unknown.contains(.selection) else { return }
        unknown.formUnion([.displayed, .loaded, .cursor])
    }

    /// Notes a change at the cursor.
    mutating func noteEdit() {
        if unknown.contains(.mode) {
            unknown.formUnion([.displayed, .loaded])
        } else if unknown.contains(.cursor) {
            unknown.insert(isOnScreen ? .displayed : .loaded)
            knownRowCount = 0
        }
    }

    /// Notes a preamble address code, before it moves the cursor.
    mutating func notePreamble() {
        guard !unknown.contains(.mode) else {
            noteMove()
            return unknown.formUnion([.cursor, .baseRow])
        }
        if unknown.contains(.baseRow) { noteMove() }
        if mode != .text { unknown.subtract([.cursor, .baseRow]) }
    }

    /// Notes a command that selects a mode, before it does.
    mutating func noteStyle(_ command: CEA608Code.Command) {
        switch command {
        case .rollUp2, .rollUp3, .rollUp4:
            if unknown.contains(.mode) {
                // Either the rows move, or all are erased.
                noteMove()
                unknown.formUnion([.baseRow, .cursor])
            } else if case .rollUp = mode {
                if unknown.contains(.baseRow) {
                    noteMove()
                    unknown.insert(.cursor)
                }
            } else {
                unknown.subtract([.displayed, .cursor, .baseRow])
            }
            // Roll-up captions begin with an empty memory, and write to the other one.
            unknown.remove(.loaded)
            knownRowCount = 0
        default:
            if command == .endOfCaption {
                let (isDisplayedKnown, isLoadedKnown) = (
                    !unknown.contains(.displayed), !unknown.contains(.loaded)
                )
                unknown.subtract([.displayed, .loaded])
                if !isLoadedKnown { unknown.insert(.displayed) }
                if !isDisplayedKnown { unknown.insert(.loaded) }
            }
            unknown.remove(.baseRow)
        }
        unknown.remove(.mode)
    }

    /// Notes a carriage return, before it scrolls.
    mutating func noteCarriageReturn() {
        guard !unknown.contains(.mode) else {
            noteMove()
            return unknown.formUnion([.cursor])
        }
        switch mode {
        case .popOn, .paintOn: break
        case .text: if unknown.contains(.cursor) { noteMove() }
        case .rollUp(let depth):
            guard !unknown.contains(.baseRow) else { return noteMove() }
            // The cursor is in the last row, which is empty; rows above scroll out.
            unknown.remove(.cursor)
            knownRowCount += 1
            if knownRowCount >= depth { unknown.remove(.displayed) }
        }
    }
}
