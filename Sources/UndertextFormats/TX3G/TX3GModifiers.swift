internal import UndertextCore

/// The boxes that may follow the text of a `tx3g` sample.
///
/// 3GPP TS 26.245, section 5.17.1.
struct TX3GModifiers: Hashable {
    /// Styles of characters, in order and without overlaps.
    var styles: [TX3GStyle.Record] = []
    /// The characters that are highlighted.
    var highlight: Range<Int>?
    /// The background color of highlighted characters.
    var highlightColor: RGBA?
    /// The times at which characters are highlighted, in ticks from the start of the sample.
    var karaoke: [Syllable] = []
    /// The rectangle that replaces that of the sample description.
    var box: TX3GBox?
    /// `true` if the sample is forced.
    var isForced = false
    /// The features that cues cannot represent.
    var effects: Set<TX3GEffect> = []

    /// Characters that are highlighted at a time.
    struct Syllable: Hashable {
        var characters: Range<Int>
        /// Ticks from the start of the sample.
        var start: Int64
    }

    /// Parses boxes until one is cut off.
    init(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        while let (type, content) = readBox(&reader) {
            var reader = ByteReader(content)
            switch type {
            case .style: readStyles(&reader)
            case .highlight: highlight = Self.range(&reader)
            case .highlightColor: highlightColor = reader.uint32().map(RGBA.init(rawValue:))
            case .karaoke: readKaraoke(&reader)
            case .textBox: box = TX3GBox(&reader)
            case .forced: isForced = true
            case .scrollDelay: effects.insert(.scroll)
            case .blink: effects.insert(.blink)
            case .hyperlink: effects.insert(.link)
            default: break
            }
        }
    }

    private mutating func readStyles(_ reader: inout ByteReader) {
        guard let count = reader.uint16() else { return }
        var end = styles.last?.end ?? 0
        for _ in 0..<count {
            guard var record = TX3GStyle.Record(&reader) else { return }
            // Records are sorted and do not overlap; what does is cut, which bounds the work.
            record.start = max(record.start, end)
            guard record.start < record.end else { continue }
            end = record.end
            styles.append(record)
        }
    }

    private mutating func readKaraoke(_ reader: inout ByteReader) {
        guard let first = reader.uint32(), let count = reader.uint16() else { return }
        var start = Int64(first)
        for _ in 0..<count {
            guard let end = reader.uint32(), let characters = Self.range(&reader) else { return }
            karaoke.append(Syllable(characters: characters, start: start))
            start = max(start, Int64(end))
        }
        // Sorted by position for the search.
        karaoke.sort { $0.characters.lowerBound < $1.characters.lowerBound }
    }

    private static func range(_ reader: inout ByteReader) -> Range<Int>? {
        guard let start = reader.uint16(), let end = reader.uint16() else { return nil }
        return Int(start)..<max(Int(start), Int(end))
    }
}

/// The features of a sample that cues cannot represent.
enum TX3GEffect: String, Hashable, Sendable {
    /// Text that moves in or out: `dlay`, and the display flags.
    case scroll = "scrolling"
    /// `blnk`.
    case blink = "blinking"
    /// `href`; the text of the link stays.
    case link = "the address of a link"
}

/// The type of a box, as four characters.
struct TX3GBoxType: RawRepresentable, Hashable {
    /// The four characters as a number.
    var rawValue: UInt32

    /// The box `styl`.
    static let style = TX3GBoxType(rawValue: 0x7374_796C)
    /// The box `hlit`.
    static let highlight = TX3GBoxType(rawValue: 0x686C_6974)
    /// The box `hclr`.
    static let highlightColor = TX3GBoxType(rawValue: 0x6863_6C72)
    /// The box `krok`.
    static let karaoke = TX3GBoxType(rawValue: 0x6B72_6F6B)
    /// The box `tbox`.
    static let textBox = TX3GBoxType(rawValue: 0x7462_6F78)
    /// The box `frcd`.
    static let forced = TX3GBoxType(rawValue: 0x6672_6364)
    /// The box `dlay`.
    static let scrollDelay = TX3GBoxType(rawValue: 0x646C_6179)
    /// The box `blnk`.
    static let blink = TX3GBoxType(rawValue: 0x626C_6E6B)
    /// The box `href`.
    static let hyperlink = TX3GBoxType(rawValue: 0x6872_6566)
    /// The box `ftab`.
    static let fontTable = TX3GBoxType(rawValue: 0x6674_6162)
}

/// The next box: its type and content; `nil` at the end, or where the box does not fit.
func readBox(_ reader: inout ByteReader) -> (TX3GBoxType, ArraySlice<UInt8>)? {
    guard let size = reader.uint32(), let type = reader.uint32(), size >= 8,
        let content = reader.slice(Int(size) - 8)
    else { return nil }
    return (TX3GBoxType(rawValue: type), content)
}
