internal import UndertextCore

/// The columns of an events section, as its `Format:` line names them.
struct ASSEventColumns: Hashable {
    /// A column.
    enum Field: String {
        case layer
        case marked
        case start
        case end
        case style
        case name
        case marginL = "marginl"
        case marginR = "marginr"
        case marginV = "marginv"
        /// V4++ has margins for the top and the bottom instead of one for both.
        case marginT = "margint"
        case marginB = "marginb"
        case effect
        case text

        /// The column of that name; Aegisub calls the name of the speaker `Actor`.
        init?(_ name: ArraySlice<UInt8>) {
            let letters = name.filter { $0 > Byte.space }.map(\.lowercased)
            let text = String(decoding: letters, as: UTF8.self)
            guard let field = text == "actor" ? .name : Field(rawValue: text) else { return nil }
            self = field
        }
    }

    /// The columns in order; `nil` stands for one that we do not know.
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

    /// The columns that the value of a `Format:` line names; `nil` if there are no times or no text.
    init?(_ value: ArraySlice<UInt8>) {
        fields = value.split(separator: Byte.comma, maxSplits: 63).map(Field.init)
        guard fields.contains(.start), fields.contains(.end),
            let place = fields.firstIndex(of: .text)
        else { return nil }
        textIndex = place
    }

    /// Cuts the value of an event line into the columns: `false` if it has too few of them.
    ///
    /// Only the text may hold commas, wherever its column stands.
    func split(_ bytes: [UInt8], _ line: Range<Int>, into parts: inout [Range<Int>]) -> Bool {
        parts.removeAll(keepingCapacity: true)
        var start = line.lowerBound
        var index = start
        while parts.count < textIndex {
            guard index < line.upperBound else { return false }
            if bytes[index] == Byte.comma {
                parts.append(start..<index)
                start = index + 1
            }
            index += 1
        }
        // Columns behind the text are counted from the end.
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
