internal import UndertextCore

/// The look of a character in a text field.
struct EBUSTLPen: Hashable {
    var color = EBUSTLColor.white
    /// The background; `nil` for the default one.
    var background: EBUSTLColor?
    var isItalic = false
    var isUnderlined = false
    var isFlashing = false
    /// The kinds of content of the style that a pen does not have.
    private(set) var losses: LossKinds = []

    /// `true` if teletext is needed for it.
    var isColored: Bool { color != .white || background != nil && background != .black }

    /// White letters.
    init() {}

    /// The pen nearest to a style.
    init(_ style: TextStyle, classes: WebVTTClassColors) {
        isItalic = style.isItalic
        isUnderlined = style.isUnderlined
        if style.isBold || style.isStruckThrough || style.hasEffects { losses.insert(.style) }
        if style.isBasic { return }
        let ruled = style.classes.compactMap { classes[$0] }
        if let wanted = style.color ?? ruled.compactMap(\.text).last {
            color = EBUSTLColor(nearest: wanted)
            if color.value != wanted { losses.insert(.color) }
        }
        if let wanted = style.background ?? ruled.compactMap(\.background).last {
            // A box is opaque or it is none.
            background = wanted.alpha < 64 ? nil : EBUSTLColor(nearest: wanted)
            if background?.value != wanted { losses.insert(.background) }
        }
        isFlashing = style.classes.contains("blink")
        if style.classes.contains(where: { classes[$0] == nil && $0 != "blink" }) {
            losses.insert(.style)
        }
        losses.formUnion(LossKinds(style).subtracting([.color, .background, .style]))
    }
}

/// A cue as text field and position.
struct EBUSTLCaption {
    /// The text field without unused space.
    private(set) var bytes: [UInt8] = []
    /// The row of the first line, from 1.
    private(set) var verticalPosition: UInt8 = 1
    /// The justification code.
    let justification: UInt8
    /// The kinds of content that the text field cannot carry.
    private(set) var losses: LossKinds = []

    private let grid: EBUSTLGrid

    /// A character, and its bytes in the table of the file.
    private struct Cell {
        var bytes: [UInt8]
        var pen: EBUSTLPen
        var isSpace: Bool { bytes == [Byte.space] }
    }

    /// Encodes a cue.
    init(_ cue: Cue, on grid: EBUSTLGrid) {
        self.grid = grid
        guard case .text(let text) = cue.content else {
            justification = 2
            losses.insert(.image)
            return
        }
        let layout = cue.layout
        let region = layout.region.flatMap { name in grid.regions.first { $0.id == name } }
        let direction = layout.direction ?? TextDirection(of: text.plainText)
        let box = CueBox(layout, direction: direction, region: region)
        justification =
            switch box.side {
            case .left: 1
            case .center: 2
            case .right: 3
            }
        if layout.vertical != .horizontal { losses.insert(.alignment) }
        if layout.background != nil { losses.insert(.region) }
        if Self.isMoved(box) { losses.insert(.position) }
        let lines = wrapped(cells(of: text))
        place(lines.count, box)
        for (index, line) in lines.enumerated() {
            if index > 0 { bytes += grid.isTeletext ? [0x8A, 0x8A] : [0x8A] }
            if grid.isTeletext { encodeTeletext(line) } else { encodeOpen(line) }
        }
    }

    // MARK: Position

    /// A Boolean value that indicates whether the side of a box is not where its justification puts it.
    private static func isMoved(_ box: CueBox) -> Bool {
        let margin = 15.0
        return switch box.side {
        case .left: box.start > margin
        case .center: ((box.start + box.end) / 2 - 50).magnitude > 1
        case .right: box.end < 100 - margin
        }
    }

    private mutating func place(_ count: Int, _ box: CueBox) {
        let height = grid.isTeletext ? 2 : 1
        let most = EBUSTLGrid.rows - count * height
        let screen = EBUSTLScreen(rows: EBUSTLGrid.rows)
        let wanted: Double
        switch box.lines {
        case .automatic: wanted = Double(most)
        case .counted(let lines, fromEnd: true): wanted = Double(most) - lines * Double(height)
        case .counted(let lines, fromEnd: false): wanted = lines * Double(height)
        case .percent(let percent, let alignment):
            let row = screen.row(atPercent: percent)
            wanted =
                switch alignment {
                case .start: row
                case .center: row - Double(count * height) / 2
                case .end: row - Double(count * height)
                }
        }
        let row = min(max(wanted, 0), Double(most))
        // Text in the margin may be displaced by up to the height of the margin.
        if (row - wanted).magnitude > 3 { losses.insert(.position) }
        verticalPosition = UInt8(clamping: Int(row.rounded()) + 1)
    }

    // MARK: Lines

    /// The lines of a text without those that are empty.
    private mutating func cells(of text: StyledText) -> [[Cell]] {
        var lines: [[Cell]] = [[]]
        for run in text.runs {
            if run.ruby != nil { losses.insert(.ruby) }
            if run.appearsAt != nil { losses.insert(.karaoke) }
            var pen = EBUSTLPen(run.style, classes: grid.classes)
            losses.formUnion(pen.losses)
            limit(&pen)
            for character in run.text {
                if character.isNewline {
                    lines.append([])
                } else if let bytes = grid.characters.bytes(similarTo: character) {
                    guard !bytes.isEmpty else { continue }
                    lines[lines.count - 1].append(Cell(bytes: bytes, pen: pen))
                } else {
                    losses.insert(.text)
                    let base = EBUSTLCharacters.base(of: character)
                    let code = base?.asciiValue ?? UInt8(ascii: "?")
                    lines[lines.count - 1].append(Cell(bytes: [code], pen: pen))
                }
            }
            // No cue needs as many lines as would be wrapped here for nothing.
            if lines.count > 4 * EBUSTLGrid.rows {
                losses.insert(.text)
                break
            }
        }
        return lines
    }

    /// Takes away what the display standard does not have.
    private mutating func limit(_ pen: inout EBUSTLPen) {
        if grid.isTeletext {
            if pen.isItalic || pen.isUnderlined { losses.insert(.style) }
            pen.isItalic = false
            pen.isUnderlined = false
            // It is there by default.
            if pen.background == .black { pen.background = nil }
        } else {
            if pen.color != .white { losses.insert(.color) }
            if let background = pen.background, background != .black { losses.insert(.background) }
            if pen.isFlashing { losses.insert(.style) }
            pen.color = .white
            pen.background = pen.background.map { _ in .black }
            pen.isFlashing = false
        }
    }

    private mutating func wrapped(_ lines: [[Cell]]) -> [[Cell]] {
        var result: [[Cell]] = []
        for line in lines {
            var rest = Self.trimmed(line[...])
            while !rest.isEmpty {
                let width = width(of: rest)
                var end = rest.endIndex
                if rest.count > width {
                    end =
                        rest.prefix(width + 1).lastIndex(where: \.isSpace)
                        ?? rest.startIndex + width
                }
                result.append(Array(Self.trimmed(rest[..<end])))
                rest = Self.trimmed(rest[end...])
            }
        }
        let most = EBUSTLGrid.rows / (grid.isTeletext ? 2 : 1)
        if result.count > most { losses.insert(.text) }
        return Array(result.prefix(most))
    }

    private static func trimmed(_ line: ArraySlice<Cell>) -> ArraySlice<Cell> {
        var line = line.drop(while: \.isSpace)
        while line.last?.isSpace == true { line.removeLast() }
        return line
    }

    // MARK: Codes

    private static let doubleHeight: UInt8 = 0x0D
    private static let startBox: [UInt8] = [0x0B, 0x0B]
    private static let endBox: [UInt8] = [0x0A, 0x0A]
    private static let newBackground: UInt8 = 0x1D

    /// Columns for characters: in teletext each code takes one.
    private func width(of line: ArraySlice<Cell>) -> Int {
        guard grid.isTeletext, let pen = line.first?.pen else { return EBUSTLGrid.columns }
        return EBUSTLGrid.columns - 1 - Self.startBox.count - Self.endBox.count
            - Self.codes(from: EBUSTLPen(), to: pen).count
    }

    /// The codes that change the look of teletext; a background comes with the color before it.
    private static func codes(from old: EBUSTLPen, to new: EBUSTLPen) -> [UInt8] {
        var codes: [UInt8] = []
        if old.background != new.background, let background = new.background {
            codes += [background.rawValue, newBackground, new.color.rawValue]
        } else if old.color != new.color {
            codes.append(new.color.rawValue)
        }
        if old.isFlashing != new.isFlashing { codes.append(new.isFlashing ? 0x08 : 0x09) }
        return codes
    }

    private mutating func encodeTeletext(_ line: [Cell]) {
        guard var pen = line.first?.pen else { return }
        bytes.append(Self.doubleHeight)
        bytes += Self.codes(from: EBUSTLPen(), to: pen)
        bytes += Self.startBox
        for (index, cell) in line.enumerated() {
            let next = cell.isSpace && index + 1 < line.count ? line[index + 1].pen : pen
            // One code takes the place of the space; a background lasts to the end of the row.
            var target = next
            target.background = pen.background
            var codes = Self.codes(from: pen, to: target)
            if codes.count > 1 {
                target.isFlashing = pen.isFlashing
                codes = Self.codes(from: pen, to: target)
            }
            if cell.isSpace, codes.count == 1 {
                bytes += codes
                pen = target
            } else {
                bytes += cell.bytes
            }
            guard !cell.isSpace else { continue }
            if cell.pen.color != pen.color { losses.insert(.color) }
            if cell.pen.background != pen.background { losses.insert(.background) }
            if cell.pen.isFlashing != pen.isFlashing { losses.insert(.style) }
        }
        bytes += Self.endBox
    }

    private mutating func encodeOpen(_ line: [Cell]) {
        var pen = EBUSTLPen()
        for cell in line {
            change(&pen, to: cell.pen)
            bytes += cell.bytes
        }
        change(&pen, to: EBUSTLPen())
    }

    private mutating func change(_ pen: inout EBUSTLPen, to new: EBUSTLPen) {
        if pen.isUnderlined, !new.isUnderlined { bytes.append(0x83) }
        if pen.isItalic, !new.isItalic { bytes.append(0x81) }
        if pen.background != nil, new.background == nil { bytes.append(0x85) }
        if pen.background == nil, new.background != nil { bytes.append(0x84) }
        if !pen.isItalic, new.isItalic { bytes.append(0x80) }
        if !pen.isUnderlined, new.isUnderlined { bytes.append(0x82) }
        pen = new
    }
}
