internal import UndertextCore

/// The columns of an events section, as its `Format:` line names them.
struct ASSEventColumns: Hashable {
    /// A column.
    enum Field: String, CaseIterable {
        case layer = "Layer"
        case marked = "Marked"
        case start = "Start"
        case end = "End"
        case style = "Style"
        case name = "Name"
        case marginL = "MarginL"
        case marginR = "MarginR"
        case marginV = "MarginV"
        /// V4++ has margins for the top and the bottom instead of one for both.
        case marginT = "MarginT"
        case marginB = "MarginB"
        case effect = "Effect"
        case text = "Text"

        /// The columns by their names; Aegisub calls the name of the speaker `Actor`.
        fileprivate static let byName = Dictionary(
            uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) } + [
                ("actor", .name)
            ])
    }

    /// The columns in order; `nil` for unknown ones.
    let fields: [Field?]
    private let textIndex: Int

    /// The columns of v4+ scripts.
    static let ass = ASSEventColumns(known: .layer)
    /// The columns of v4 scripts.
    static let ssa = ASSEventColumns(known: .marked)

    private init(known first: Field) {
        fields = [
            first, .start, .end, .style, .name, .marginL, .marginR, .marginV, .effect, .text,
        ]
        textIndex = 9
    }

    /// The columns that the value of a `Format:` line names; `nil` without times or text.
    init?(_ value: ArraySlice<UInt8>) {
        var fields = columnNames(value).map { Field.byName[$0] }
        // A comma after the last column adds none.
        if value.trimmed.last == Byte.comma { fields.removeLast() }
        guard fields.contains(.start), fields.contains(.end),
            let index = fields.firstIndex(of: .text)
        else { return nil }
        self.fields = fields
        textIndex = index
    }

    /// The `Format:` line of known columns.
    var formatLine: String { "Format: \(fields.compactMap(\.?.rawValue).joined(separator: ", "))" }

    /// Splits the value of an event line into the columns: `false` if it has too few of them.
    ///
    /// Only the text may hold commas, wherever its column is.
    func split(_ bytes: [UInt8], _ line: Range<Int>, into parts: inout [Range<Int>]) -> Bool {
        parts.removeAll(keepingCapacity: true)
        var start = line.lowerBound
        var index = start
        let span = bytes.span
        while parts.count < textIndex {
            guard index < line.upperBound else { return false }
            if span[index] == Byte.comma {
                parts.append(start..<index)
                start = index + 1
            }
            index += 1
        }
        // Columns after the text are counted from the end.
        var ends: [Int] = []
        var end = line.upperBound
        while ends.count < fields.count - 1 - textIndex {
            guard let comma = bytes[start..<end].lastIndex(of: Byte.comma) else { return false }
            ends.append(comma)
            end = comma
        }
        parts.append(start..<end)
        for (place, comma) in ends.reversed().enumerated() {
            let next = ends.count - place - 2
            parts.append((comma + 1)..<(next >= 0 ? ends[next] : line.upperBound))
        }
        return true
    }
}

/// The columns of a styles section, as its `Format:` line names them.
struct ASSStyleColumns {
    /// A column.
    enum Field: String, CaseIterable {
        case name = "Name"
        case font = "Fontname"
        case fontSize = "Fontsize"
        case primaryColor = "PrimaryColour"
        case secondaryColor = "SecondaryColour"
        /// The outline of ASS.
        case outlineColor = "OutlineColour"
        /// SSA's outline color, which is never drawn.
        case tertiaryColor = "TertiaryColour"
        case backColor = "BackColour"
        case bold = "Bold"
        case italic = "Italic"
        case underline = "Underline"
        case strikeOut = "StrikeOut"
        case scaleX = "ScaleX"
        case scaleY = "ScaleY"
        case spacing = "Spacing"
        case angle = "Angle"
        case borderStyle = "BorderStyle"
        case outline = "Outline"
        case shadow = "Shadow"
        case alignment = "Alignment"
        case marginLeft = "MarginL"
        case marginRight = "MarginR"
        case marginVertical = "MarginV"
        /// V4++ has margins for the top and the bottom instead of one for both.
        case marginTop = "MarginT"
        case marginBottom = "MarginB"
        case alphaLevel = "AlphaLevel"
        case encoding = "Encoding"

        /// The columns by their names, American spellings included.
        fileprivate static let byName: [String: Field] = {
            var table: [String: Field] = [:]
            for field in allCases {
                let name = field.rawValue.lowercased()
                table[name] = field
                table[name.replacing("colour", with: "color")] = field
            }
            return table
        }()
    }

    /// The columns in order; `nil` for unknown ones.
    let fields: [Field?]

    /// The columns of v4+ scripts.
    static let ass = ASSStyleColumns(fields: [
        .name, .font, .fontSize, .primaryColor, .secondaryColor, .outlineColor, .backColor, .bold,
        .italic, .underline, .strikeOut, .scaleX, .scaleY, .spacing, .angle, .borderStyle, .outline,
        .shadow, .alignment, .marginLeft, .marginRight, .marginVertical, .encoding,
    ])
    /// The columns of v4 scripts.
    static let ssa = ASSStyleColumns(fields: [
        .name, .font, .fontSize, .primaryColor, .secondaryColor, .tertiaryColor, .backColor, .bold,
        .italic, .borderStyle, .outline, .shadow, .alignment, .marginLeft, .marginRight,
        .marginVertical, .alphaLevel, .encoding,
    ])

    private init(fields: [Field?]) { self.fields = fields }

    /// The columns of a section without a `Format:` line.
    init(isLegacy: Bool) { self = isLegacy ? .ssa : .ass }

    /// The columns that the value of a `Format:` line names.
    init(_ value: ArraySlice<UInt8>) {
        self.init(fields: columnNames(value).map { Field.byName[$0] })
    }

    /// The `Format:` line of known columns.
    var formatLine: String { "Format: \(fields.compactMap(\.?.rawValue).joined(separator: ", "))" }

    /// Reads a line of the section: a `Format:` line replaces the columns, a `Style:` line returns a style.
    mutating func read(_ line: ASSScript.Line, of script: ASSScript) -> ASSStyleLine? {
        switch line.kind {
        case .format: self = ASSStyleColumns(script.value(of: line))
        case .style: return ASSStyleLine(script.value(of: line), columns: fields)
        default: break
        }
        return nil
    }
}

/// A `Style:` line, split into its columns.
struct ASSStyleLine {
    /// The columns in order; `nil` for unknown ones.
    let columns: [ASSStyleColumns.Field?]
    /// The values without white space around them; there may be more or fewer of them than columns.
    let values: [ArraySlice<UInt8>]

    fileprivate init(_ value: ArraySlice<UInt8>, columns: [ASSStyleColumns.Field?]) {
        self.columns = columns
        values = value.split(
            separator: Byte.comma, maxSplits: 99, omittingEmptySubsequences: false
        ).map(\.trimmed)
    }

    /// The value of a column; the last one if several have that name.
    subscript(field: ASSStyleColumns.Field) -> ArraySlice<UInt8>? {
        columns.prefix(values.count).lastIndex { $0 == field }.map { values[$0] }
    }
}

/// The names of a `Format:` line, in lower case and without white space.
func columnNames(_ value: ArraySlice<UInt8>) -> [String] {
    value.split(separator: Byte.comma, maxSplits: 99, omittingEmptySubsequences: false).map {
        String(decoding: $0.filter { $0 > Byte.space }.map(\.lowercased), as: UTF8.self)
    }
}
