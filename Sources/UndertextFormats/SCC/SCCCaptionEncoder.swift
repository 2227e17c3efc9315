internal import UndertextCore

/// The codes that load a screen as a pop-on caption.
struct SCCCaptionEncoder {
    /// The bytes to send, without parity bits.
    ///
    /// A unit is two characters, or a code and its repetition, which must follow one another.
    private(set) var units: [[UInt8]] = []
    /// The kinds of content that codes cannot express.
    private(set) var losses: LossKinds = []

    private typealias Cell = CEA608Screen.Cell
    private var pen = CEA608Pen()
    /// The first byte of a pair of characters.
    private var held: UInt8?

    static let resumeCaptionLoading: [UInt8] = [0x14, 0x20, 0x14, 0x20]
    static let eraseNonDisplayed: [UInt8] = [0x14, 0x2E, 0x14, 0x2E]
    static let eraseDisplayed: [UInt8] = [0x14, 0x2C, 0x14, 0x2C]
    static let endOfCaption: [UInt8] = [0x14, 0x2F, 0x14, 0x2F]

    /// Encodes a screen.
    init(_ screen: CEA608Screen) {
        units = [Self.resumeCaptionLoading, Self.eraseNonDisplayed]
        for (index, row) in screen.rows.enumerated() {
            guard let first = row.firstIndex(where: \.hasInk),
                let last = row.lastIndex(where: \.hasInk)
            else { continue }
            encode(row[first...last], row: index, column: first)
        }
    }

    // MARK: Bytes

    private mutating func control(_ first: UInt8, _ second: UInt8) {
        if let held { units.append([held, 0]) }
        held = nil
        units.append([first, second, first, second])
    }

    private mutating func character(_ code: UInt8) {
        if let first = held {
            units.append([first, code])
            held = nil
        } else {
            held = code
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch CEA608Character.codes[scalar] {
        case .standard(let code): character(code)
        case .special(let first, let second): control(first, second)
        case .extended(let first, let second, let instead):
            character(instead)
            control(first, second)
        case nil: character(0x20)
        }
    }

    // MARK: Rows

    private mutating func encode(_ cells: ArraySlice<Cell>, row: Int, column: Int) {
        let target = cells.first?.pen ?? CEA608Pen()
        pen = CEA608Pen()
        pen.isUnderlined = target.isUnderlined
        var attributes = Attributes(from: pen, to: target)
        var start = column
        if column == 0, attributes.isOneOfColorAndItalics {
            // The preamble address code says it.
            (pen.color, pen.isItalic) = (target.color, target.isItalic)
            attributes = Attributes(from: pen, to: target)
        } else {
            // Without place before the row it moves to the right up to the edge.
            let shift = max(
                0,
                min(attributes.count - column, CEA608Screen.columnCount - column - cells.count))
            losses.formUnion(attributes.reduce(to: column + shift))
            start = column + shift - attributes.count
        }
        address(row: row, column: start)
        send(attributes)
        var spaces = 0
        for cell in cells {
            guard cell.hasInk, let scalar = cell.character else {
                spaces += 1
                continue
            }
            change(to: cell.pen, within: spaces)
            spaces = 0
            write(scalar)
        }
        if let held { units.append([held, 0]) }
        held = nil
    }

    /// Goes to a row and a column: a preamble address code with color or indent, and a tab offset.
    private mutating func address(row: Int, column: Int) {
        let (first, upper) = Self.rowCodes[row]
        let underline: UInt8 = pen.isUnderlined ? 1 : 0
        let isStyled = pen.color != .white || pen.isItalic
        let style: UInt8 =
            if isStyled {
                (pen.isItalic ? 7 : pen.color.rawValue) << 1
            } else {
                0x10 | UInt8(column / 4) << 1
            }
        control(first, (upper ? 0x60 : 0x40) | style | underline)
        if !isStyled, column % 4 > 0 { control(0x17, 0x20 | UInt8(column % 4)) }
    }

    private static let rowCodes: [(UInt8, Bool)] = [
        (0x11, false), (0x11, true), (0x12, false), (0x12, true), (0x15, false), (0x15, true),
        (0x16, false), (0x16, true), (0x17, false), (0x17, true), (0x10, false), (0x13, false),
        (0x13, true), (0x14, false), (0x14, true),
    ]

    // MARK: Attributes

    /// The codes that change the pen, each of which takes a column.
    private struct Attributes {
        var background: (CEA608Pen.Color, CEA608Pen.Opacity)?
        /// A mid-row code of a color.
        var color: CEA608Pen.Color?
        /// The mid-row code of italics.
        var italic = false
        var flash = false
        var isUnderlined: Bool

        init(from pen: CEA608Pen, to target: CEA608Pen) {
            isUnderlined = target.isUnderlined
            if pen.background != target.background || pen.opacity != target.opacity {
                background = (target.background, target.opacity)
            }
            // Only a mid-row code of a color ends italics and flash.
            let endsSomething =
                pen.isItalic && !target.isItalic || pen.isFlashing && !target.isFlashing
            let changesLine = pen.isUnderlined != target.isUnderlined
            if pen.color != target.color || endsSomething || changesLine && !target.isItalic {
                color = target.color
            }
            italic = target.isItalic && (!pen.isItalic || color != nil || changesLine)
            flash = target.isFlashing && (!pen.isFlashing || color != nil || italic)
        }

        var count: Int {
            (background == nil ? 0 : 1) + (color == nil ? 0 : 1) + (italic ? 1 : 0)
                + (flash ? 1 : 0)
        }
        /// `true` if a preamble address code of the first column can say all of it.
        var isOneOfColorAndItalics: Bool { count == 1 && (color != nil || italic) }

        /// Leaves out what has no place; returns what is lost.
        mutating func reduce(to places: Int) -> LossKinds {
            var losses: LossKinds = []
            if count > places, flash {
                flash = false
                losses.insert(.style)
            }
            if count > places, background != nil {
                background = nil
                losses.insert(.background)
            }
            if count > places, italic, color != nil {
                italic = false
                losses.insert(.style)
            }
            if count > places {
                losses.insert(color == nil || color == .white ? .style : .color)
                color = nil
                italic = false
            }
            return losses
        }
    }

    /// Writes the spaces before a character and changes the pen within them.
    private mutating func change(to target: CEA608Pen, within spaces: Int) {
        var attributes = Attributes(from: pen, to: target)
        losses.formUnion(attributes.reduce(to: spaces))
        for _ in 0..<(spaces - attributes.count) { character(0x20) }
        send(attributes)
    }

    private mutating func send(_ attributes: Attributes) {
        let underline: UInt8 = attributes.isUnderlined ? 1 : 0
        if let (color, opacity) = attributes.background {
            // The code takes the place of the space.
            character(0x20)
            switch opacity {
            case .opaque: control(0x10, 0x20 | color.rawValue << 1)
            case .semiTransparent: control(0x10, 0x21 | color.rawValue << 1)
            case .transparent: control(0x17, 0x2D)
            }
            (pen.background, pen.opacity) = (color, opacity)
        }
        if let color = attributes.color {
            control(0x11, 0x20 | color.rawValue << 1 | underline)
            pen.color = color
            pen.isItalic = false
            pen.isFlashing = false
            pen.isUnderlined = attributes.isUnderlined
        }
        if attributes.italic {
            control(0x11, 0x2E | underline)
            pen.isItalic = true
            pen.isFlashing = false
            pen.isUnderlined = attributes.isUnderlined
        }
        if attributes.flash {
            control(0x14, 0x28)
            pen.isFlashing = true
        }
    }
}
