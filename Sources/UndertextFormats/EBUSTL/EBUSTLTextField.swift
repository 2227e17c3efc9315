internal import UndertextCore

/// The text of a subtitle, taken from its text fields.
///
/// EBU Tech 3264-E, section 5 and appendix 1; ETSI EN 300 706, section 12.2, for the control codes of teletext.
struct EBUSTLTextField {
    /// The lines that have characters.
    private(set) var text = StyledText()
    /// The rows before the first line, which are empty.
    private(set) var emptyRows = 0
    /// The rows from the first line to the end of the last one.
    private(set) var rows = 0
    /// The number of bytes that are no character.
    private(set) var invalidCount = 0
    /// A control code that cues have no place for.
    private(set) var ignoredCode: UInt8?

    private let characters: EBUSTLCharacters
    private let isTeletext: Bool
    private var builder = StyledTextBuilder()
    private var look = Look()
    /// The row at hand, and the first one with a character.
    private var row = 0
    private var firstRow: Int?
    private var rowHasInk = false
    /// Spaces that are written before the next character of the row.
    private var spaces = 0
    /// `true` if a control code of teletext, which looks like a space, comes before the next character.
    private var hasSeparator = false
    /// The look of those spaces: that of the first of them.
    private var spaceStyle = TextStyle()
    private var mark: EBUSTLCharacters.Mark?

    /// The attributes of the characters that follow.
    private struct Look {
        var color = EBUSTLColor.white
        var background = EBUSTLColor.black
        var isItalic = false
        var isUnderlined = false
        var isBoxed = false
        var isFlashing = false
        var isDoubleHeight = false

        /// White letters are what players show by default, and so is the black of teletext.
        func style(isTeletext: Bool) -> TextStyle {
            var style = TextStyle()
            style.isItalic = isItalic
            style.isUnderlined = isUnderlined
            if color != .white { style.color = color.value }
            if background != .black || isBoxed && !isTeletext {
                style.background = background.value
            }
            if isFlashing { style.classes = ["blink"] }
            return style
        }
    }

    /// Reads the text fields of a subtitle, one after the other.
    init(_ bytes: [UInt8], characters: EBUSTLCharacters, isTeletext: Bool) {
        self.characters = characters
        self.isTeletext = isTeletext
        for byte in bytes { read(byte) }
        finishMark()
        text = builder.finish()
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case EBUSTLBlock.unusedSpace: break
        case 0x20: addSpace()
        case 0x8A: endRow()
        case 0x80...0x85: setOpenAttribute(byte)
        case 0x00...0x1F: setTeletextAttribute(byte)
        case 0x21...0x7E, 0xA0...: add(byte)
        default: ignoredCode = ignoredCode ?? byte
        }
    }

    // MARK: Characters

    private mutating func add(_ byte: UInt8) {
        if let new = characters.mark(byte) {
            finishMark()
            mark = new
        } else if let scalar = characters.scalar(byte) {
            let text = mark.map { $0.text(on: scalar) } ?? String(scalar)
            mark = nil
            append(text)
        } else {
            finishMark()
            invalidCount += 1
            append("\u{FFFD}")
        }
    }

    private mutating func addSpace() {
        if mark != nil { return finishMark() }
        guard rowHasInk else { return }
        noteSpace()
        spaces += 1
    }

    private mutating func noteSpace() {
        guard spaces == 0, !hasSeparator else { return }
        spaceStyle = look.style(isTeletext: isTeletext)
    }

    /// Writes a mark without a letter.
    private mutating func finishMark() {
        guard let found = mark else { return }
        mark = nil
        append(found.text(on: " "))
    }

    private mutating func append(_ text: String) {
        if !rowHasInk {
            if firstRow != nil { builder.append(0x0A) }
            rowHasInk = true
        } else {
            // A code between spaces is one more of them.
            let count = hasSeparator ? 1 : spaces
            if count > 0 { builder.setStyle(spaceStyle) }
            builder.append(String(repeating: " ", count: count))
        }
        spaces = 0
        hasSeparator = false
        let first = firstRow ?? row
        firstRow = first
        emptyRows = first
        rows = row - first + (look.isDoubleHeight ? 2 : 1)
        builder.setStyle(look.style(isTeletext: isTeletext))
        builder.append(text)
    }

    private mutating func endRow() {
        finishMark()
        row += 1
        rowHasInk = false
        spaces = 0
        hasSeparator = false
        // Codes of teletext last until the end of their row, those of open subtitles until they are switched off.
        let old = look
        look = Look()
        look.isItalic = old.isItalic
        look.isUnderlined = old.isUnderlined
        look.isBoxed = old.isBoxed && !isTeletext
    }

    // MARK: Attributes

    private mutating func setOpenAttribute(_ byte: UInt8) {
        finishMark()
        switch byte {
        case 0x80: look.isItalic = true
        case 0x81: look.isItalic = false
        case 0x82: look.isUnderlined = true
        case 0x83: look.isUnderlined = false
        case 0x84: look.isBoxed = true
        default: look.isBoxed = false
        }
    }

    private mutating func setTeletextAttribute(_ byte: UInt8) {
        finishMark()
        if rowHasInk { noteSpace() }
        hasSeparator = rowHasInk
        switch byte {
        case 0x00...0x07: look.color = EBUSTLColor(rawValue: byte)
        case 0x08: look.isFlashing = true
        case 0x09: look.isFlashing = false
        // Boxes say only where teletext covers the video.
        case 0x0A, 0x0B: break
        case 0x0C: look.isDoubleHeight = false
        case 0x0D: look.isDoubleHeight = true
        case 0x1C: look.background = .black
        case 0x1D: look.background = look.color
        default: ignoredCode = ignoredCode ?? byte
        }
    }
}
