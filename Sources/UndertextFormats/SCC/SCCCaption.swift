internal import UndertextCore

/// A cue on the grid of CEA-608: 32 columns and 15 rows.
struct SCCCaption {
    /// The cue alone on the screen.
    private(set) var screen = CEA608Screen()
    /// The cue's place: the rows that it has.
    private(set) var rows = 0..<0
    /// The kinds of content that the grid cannot show.
    private(set) var losses: LossKinds = []

    private typealias Cell = CEA608Screen.Cell
    private let classes: WebVTTClassColors

    /// Places a cue.
    ///
    /// - Parameters:
    ///   - cue: the cue.
    ///   - classes: the colors of its classes.
    ///   - regions: the regions that it may be in.
    ///   - taken: rows that other cues have at the time.
    init(_ cue: Cue, classes: WebVTTClassColors, regions: [Region], besides taken: GridRows) {
        self.classes = classes
        guard case .text(let text) = cue.content else {
            losses.insert(.image)
            return
        }
        let lines = wrapped(lines(of: text))
        guard !lines.isEmpty else { return }
        let layout = cue.layout
        let region = layout.region.flatMap { name in regions.first { $0.id == name } }
        if layout.vertical != .horizontal { losses.insert(.alignment) }
        if layout.background != nil { losses.insert(.region) }
        let direction = layout.direction ?? TextDirection(of: text.plainText)
        let box = CueBox(layout, direction: direction, region: region)
        let top = free(from: top(of: box, count: lines.count), count: lines.count, taken)
        rows = top..<(top + lines.count)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let column = column(of: box, count: line.count)
            for (offset, cell) in line.enumerated() { screen[top + index, column + offset] = cell }
        }
        let encoder = SCCCaptionEncoder(screen)
        losses.formUnion(encoder.losses)
    }

    // MARK: Place

    private mutating func top(of box: CueBox, count: Int) -> Int {
        let most = CEA608Screen.rowCount - count
        let wanted: Double
        switch box.lines {
        case .automatic: return most
        case .counted(let lines, fromEnd: true): wanted = Double(most) - lines
        case .counted(let lines, fromEnd: false): wanted = lines
        case .percent(let percent, let alignment):
            let row = (percent - CaptionGrid.safeArea.lowerBound) / CEA608Screen.grid.rowHeight
            wanted =
                switch alignment {
                case .start: row
                case .center: row - Double(count) / 2
                case .end: row - Double(count)
                }
        }
        let row = min(max(wanted, 0), Double(most))
        // Text in the margin may be displaced by up to the height of the margin.
        if (row - wanted).magnitude > 2 { losses.insert(.position) }
        return Int(row.rounded())
    }

    /// The rows that are free and nearest to `top`; `top` if there are none.
    private mutating func free(from top: Int, count: Int, _ taken: GridRows) -> Int {
        let places = 0...(CEA608Screen.rowCount - count)
        let found = places.sorted { ($0 - top).magnitude < ($1 - top).magnitude }
            .first { taken.isDisjoint(with: GridRows($0..<($0 + count))) }
        if found != top { losses.insert(.position) }
        return found ?? top
    }

    private func column(of box: CueBox, count: Int) -> Int {
        func column(_ percent: Double) -> Double {
            (percent - CaptionGrid.safeArea.lowerBound) / CEA608Screen.grid.columnWidth
        }
        let wanted =
            switch box.side {
            case .left: column(box.start)
            case .center: column((box.start + box.end) / 2) - Double(count) / 2
            case .right: column(box.end) - Double(count)
            }
        // Halves go to the left, as encoders center.
        return Int(min(max(wanted - 0.01, 0), Double(CEA608Screen.columnCount - count)).rounded())
    }

    // MARK: Text

    private mutating func lines(of text: StyledText) -> [[Cell]] {
        var lines: [[Cell]] = [[]]
        for run in text.runs {
            if run.ruby != nil { losses.insert(.ruby) }
            if run.appearsAt != nil { losses.insert(.karaoke) }
            let pen = pen(of: run.style)
            for character in run.text {
                if character.isNewline {
                    lines.append([])
                    // No cue needs as many lines as would be wrapped here for nothing.
                    if lines.count > 4 * CEA608Screen.rowCount { break }
                } else {
                    lines[lines.count - 1] += scalars(of: character).map {
                        Cell(character: $0, pen: pen)
                    }
                }
            }
        }
        return lines
    }

    /// The characters of the grid that stand for a character.
    private mutating func scalars(of character: Character) -> [Unicode.Scalar] {
        if let known = CEA608Character.scalars[character] { return [known] }
        if let similar = SimilarCharacters.all[character] { return Array(similar.unicodeScalars) }
        if SimilarCharacters.isInvisible(character) { return [] }
        losses.insert(.text)
        let base = CEA608Character.base(of: String(character))
        return [CEA608Character.codes[base] == nil ? "?" : base]
    }

    /// Lines of at most 32 columns without spaces at their ends; at most 15, without empty ones at the ends.
    private mutating func wrapped(_ lines: [[Cell]]) -> [[Cell]] {
        let width = CEA608Screen.columnCount
        var result: [[Cell]] = []
        for line in lines {
            var rest = line[...]
            while rest.count > width {
                let end =
                    rest.prefix(width + 1).lastIndex { $0.character == " " }
                    ?? rest.startIndex + width
                result.append(Self.trimmed(rest[..<end]))
                rest = rest[end...].drop { $0.character == " " }
            }
            result.append(Self.trimmed(rest))
        }
        while result.last?.isEmpty == true { result.removeLast() }
        result = Array(result.drop(while: \.isEmpty))
        if result.count > CEA608Screen.rowCount { losses.insert(.text) }
        return Array(result.prefix(CEA608Screen.rowCount))
    }

    private static func trimmed(_ line: ArraySlice<Cell>) -> [Cell] {
        var line = line
        while line.last?.character == " " { line.removeLast() }
        return line.contains(where: \.hasInk) ? Array(line) : []
    }

    // MARK: Looks

    /// The kinds that pens carry in part.
    private static let carried: LossKinds = [.color, .background, .style]

    private mutating func pen(of style: TextStyle) -> CEA608Pen {
        var pen = CEA608Pen()
        pen.isItalic = style.isItalic
        pen.isUnderlined = style.isUnderlined
        if style.isBold || style.isStruckThrough || style.hasEffects { losses.insert(.style) }
        if style.isBasic { return pen }
        let ruled = style.classes.compactMap { classes[$0] }
        if let color = style.color ?? ruled.compactMap(\.text).last {
            // Black letters need a code of their own, and are seen only before a background.
            pen.color = Self.nearest(color, without: .black)
            if pen.color.value != color { losses.insert(.color) }
        }
        if let background = style.background ?? ruled.compactMap(\.background).last {
            pen.background = Self.nearest(background, without: nil)
            pen.opacity =
                switch background.alpha {
                case ..<64: .transparent
                case ..<192: .semiTransparent
                default: .opaque
                }
            if pen.opacity == .transparent { pen.background = .black }
            if pen.background.value(pen.opacity) != background { losses.insert(.background) }
        }
        pen.isFlashing = style.classes.contains("blink")
        if style.classes.contains(where: { classes[$0] == nil && $0 != "blink" }) {
            losses.insert(.style)
        }
        losses.formUnion(LossKinds(style).subtracting(Self.carried))
        return pen
    }

    private static func nearest(
        _ color: RGBA, without excluded: CEA608Pen.Color?
    ) -> CEA608Pen.Color {
        func distance(_ other: RGBA) -> Int {
            [(color.red, other.red), (color.green, other.green), (color.blue, other.blue)]
                .reduce(0) { sum, pair in
                    let difference = Int(pair.0) - Int(pair.1)
                    return sum + difference * difference
                }
        }
        return CEA608Pen.Color.allCases.filter { $0 != excluded }
            .min { distance($0.value) < distance($1.value) } ?? .white
    }
}

/// Rows of a screen.
struct GridRows: OptionSet {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The rows of a range within 0 to 14.
    init(_ range: Range<Int>) {
        rawValue = range.reduce(0) { $0 | 1 << UInt16($1) }
    }
}
