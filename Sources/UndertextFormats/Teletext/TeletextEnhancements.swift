/// The changes of packets X/26 to a page, by position.
///
/// EN 300 706, section 12.3: characters of level 1.5, and attributes of level 2.5. Objects and downloaded characters are
/// left out; a page is complete without them for decoders of lower levels.
struct TeletextEnhancements {
    /// A change at a position.
    enum Action: Hashable {
        case character(Character)
        /// Entries of the color tables.
        case foreground(Int)
        case background(Int)
        case flash(Bool)
        case display(Display)
    }

    /// Display attributes.
    struct Display: OptionSet, Hashable {
        let rawValue: UInt8
        static let doubleHeight = Display(rawValue: 0x01)
        static let boxed = Display(rawValue: 0x02)
        static let concealed = Display(rawValue: 0x04)
        static let inverted = Display(rawValue: 0x10)
        static let underlined = Display(rawValue: 0x20)
        static let doubleWidth = Display(rawValue: 0x40)
    }

    /// The color of each row as X/26 sets it.
    private(set) var rowColors = [Int?](repeating: nil, count: 25)
    /// `true` if there are objects or downloaded characters.
    private(set) var isPartial = false

    private var actions: [Int: [Action]] = [:]
    private let pageSet: TeletextCharacterSet
    /// The sets that the triplets name, up to the end of a row.
    private var set: TeletextCharacterSet
    /// The row of the active position; `nil` while it is not known.
    private var row: Int? = 0
    private var isEnded = false

    /// Reads the triplets of packets by their designation codes.
    init(_ packets: [[UInt32?]?], set: TeletextCharacterSet) {
        pageSet = set
        self.set = set
        for triplets in packets where !isEnded {
            guard let triplets else {
                row = nil
                continue
            }
            for triplet in triplets where !isEnded { take(triplet) }
        }
    }

    /// The changes at a position in their order.
    func actions(row: Int, column: Int) -> [Action] { actions[row * 40 + column] ?? [] }

    private mutating func take(_ triplet: UInt32?) {
        guard let triplet else {
            // It may have been another row.
            row = nil
            return
        }
        let address = Int(triplet & 0x3F)
        let mode = UInt8(triplet >> 6 & 0x1F)
        let data = UInt8(triplet >> 11 & 0x7F)
        if address >= 40 {
            takeRowTriplet(address == 40 ? 24 : address - 40, mode, data)
        } else if let row, row < 25 {
            takeColumnTriplet(row * 40 + address, mode, data)
        }
    }

    /// Table 27.
    private mutating func takeRowTriplet(_ row: Int, _ mode: UInt8, _ data: UInt8) {
        switch mode {
        case 0x01: activate(row, color: data)
        case 0x04: activate(row)
        case 0x07: activate(0, color: data)
        case 0x10...0x13, 0x18: isPartial = true
        case 0x15...0x17:
            isPartial = true
            isEnded = true
        case 0x1F: isEnded = true
        default: break
        }
    }

    private mutating func activate(_ row: Int, color: UInt8? = nil) {
        self.row = row
        set = pageSet
        guard let color else { return }
        let isForRowsBelow = color & 0x60 == 0x60
        guard isForRowsBelow || color & 0x60 == 0 else { return }
        for index in row..<(isForRowsBelow ? 25 : row + 1) {
            rowColors[index] = Int(color & 0x1F)
        }
    }

    /// Table 28.
    private mutating func takeColumnTriplet(_ place: Int, _ mode: UInt8, _ data: UInt8) {
        let isCharacter = data >= 0x20
        let color = data & 0x60 == 0 ? Int(data & 0x1F) : nil
        var action: Action?
        switch mode {
        case 0x00: action = color.map(Action.foreground)
        case 0x01 where isCharacter:
            action = .character(
                Character(
                    data & 0x20 != 0
                        ? TeletextCharacterSet.mosaic(data) : set.plainCharacter(data)))
        case 0x02 where isCharacter, 0x0B where isCharacter:
            action = .character(Character(TeletextCharacterSet.lineDrawing(data)))
        case 0x03: action = color.map(Action.background)
        case 0x07: action = .flash(data & 3 != 0)
        case 0x08: set = TeletextCharacterSet(designation: data) ?? set
        case 0x09 where isCharacter: action = .character(Character(set.character(data)))
        case 0x0C: action = .display(Display(rawValue: data))
        case 0x0D: isPartial = true
        case 0x0F where isCharacter:
            action = .character(Character(set.supplementaryCharacter(data)))
        case 0x10...0x1F where isCharacter:
            action = .character(set.character(data, mark: mode & 0x0F))
        default: break
        }
        if let action { actions[place, default: []].append(action) }
    }
}
