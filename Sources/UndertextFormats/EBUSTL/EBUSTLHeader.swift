internal import UndertextCore

/// The General Subtitle Information (GSI) block, with which a file begins.
///
/// EBU Tech 3264-E, section 4.
struct EBUSTLHeader {
    /// The number of bytes of the block.
    static let size = 1024
    /// The rows of a screen of teletext that subtitles may use.
    static let teletextRows = 23

    /// The offsets of fields.
    enum Field {
        static let codePage = 0..<3
        static let diskFormat = 3..<11
        static let displayStandard = 11..<12
        static let characters = 12..<14
        static let language = 14..<16
        static let title = 16..<48
        /// The dates of creation and of the last revision.
        static let dates = 224..<236
        static let revision = 236..<238
        static let blocks = 238..<243
        static let subtitles = 243..<248
        static let groups = 248..<251
        static let columns = 251..<253
        static let rows = 253..<255
        static let timecodeStatus = 255..<256
        static let programStart = 256..<264
        static let firstCue = 264..<272
        static let disks = 272..<274
        static let country = 274..<277
    }

    /// The names that the texts of the block get as tags.
    private static let texts: [(name: String, field: Range<Int>)] = [
        ("title", Field.title), ("episode", 48..<80), ("translated_title", 80..<112),
        ("translated_episode", 112..<144), ("translator", 144..<176),
        ("translator_contact", 176..<208), ("reference", 208..<224), ("creation_date", 224..<230),
        ("revision_date", 230..<236), ("revision", Field.revision), ("country", Field.country),
        ("publisher", 277..<309), ("editor", 309..<341), ("editor_contact", 341..<373),
    ]

    private let bytes: [UInt8]

    /// Reads the block at the beginning of `bytes`; fields that are not there are blank.
    init(_ bytes: [UInt8]) {
        let block = Array(bytes.prefix(Self.size))
        self.bytes = block + [UInt8](repeating: Byte.space, count: Self.size - block.count)
    }

    /// A Boolean value that indicates whether a file begins with a GSI block.
    static func isSignature(_ head: ArraySlice<UInt8>) -> Bool {
        hasDiskFormat(head) || hasOtherFields(head)
    }

    /// A Boolean value that indicates whether the fields around an unknown disk format code are those of a GSI block.
    private static func hasOtherFields(_ head: ArraySlice<UInt8>) -> Bool {
        guard head.count >= Field.disks.lowerBound else { return false }
        func field(_ range: Range<Int>) -> ArraySlice<UInt8> {
            head.dropFirst(range.lowerBound).prefix(range.count)
        }
        func isNumber(_ range: Range<Int>) -> Bool { field(range).allSatisfy(\.isDigit) }
        let numbers = [
            Field.codePage, Field.characters, Field.blocks, Field.subtitles, Field.groups,
            Field.columns, Field.rows, Field.timecodeStatus,
        ]
        return numbers.allSatisfy(isNumber)
            && ["437", "850", "860", "863", "865"].contains(field(Field.codePage).text)
            && ["0", "1", "2", " "].contains(field(Field.displayStandard).text)
            && field(Field.language).allSatisfy { $0.hexValue != nil || $0 == Byte.space }
    }

    private static func hasDiskFormat(_ head: ArraySlice<UInt8>) -> Bool {
        guard head.count >= Field.diskFormat.upperBound else { return false }
        let code = head.dropFirst(Field.diskFormat.lowerBound).prefix(Field.diskFormat.count)
        return code.hasPrefix("STL") && code.suffix(3).elementsEqual(".01".utf8)
            && code.dropFirst(3).prefix(2).allSatisfy(\.isDigit)
    }

    private func number(_ field: Range<Int>) -> Int? {
        let text = bytes[field].trimmed
        return text.allSatisfy(\.isDigit) ? text.leadingInteger : nil
    }

    // MARK: Fields

    /// The whole number of frames of a second that time codes count.
    var frameCount: Int64? { number(6..<8).map { Int64($0) } }

    /// Frames a second; `nil` if the disk format code has no such rate.
    ///
    /// The standard has 25 and 30; the others are those of programs.
    var frameRate: TimeBase? {
        switch frameCount {
        case 23: TimeBase(24_000, 1001)
        case 29: TimeBase(30_000, 1001)
        case 59: TimeBase(60_000, 1001)
        case 24, 25, 30, 48, 50, 60: frameCount.map { TimeBase(Int32($0), 1) }
        default: nil
        }
    }

    /// `true` for subtitles of teletext, `false` for open ones and where the block does not say.
    var isTeletext: Bool {
        bytes[Field.displayStandard] == [UInt8(ascii: "1")]
            || bytes[Field.displayStandard] == [UInt8(ascii: "2")]
    }

    /// The character code table of text fields; `nil` if it is unknown.
    var characters: EBUSTLCharacters? {
        number(Field.characters).flatMap(EBUSTLCharacters.init(rawValue:))
    }

    /// The language.
    var language: LanguageTag? { EBUSTLLanguage.tag(code: bytes[Field.language]) }

    /// The rows of the screen that vertical positions count.
    var rows: Int {
        if isTeletext { return Self.teletextRows }
        let rows = number(Field.rows) ?? 0
        return rows > 0 ? rows : Self.teletextRows
    }

    /// The time code at which the program starts; `nil` if it is not valid.
    func programStart(rate: Int64) -> EBUSTLTimecode? {
        let digits = bytes[Field.programStart]
        guard digits.allSatisfy(\.isDigit) else { return nil }
        let fields = stride(from: digits.startIndex, to: digits.endIndex, by: 2).map {
            Int64(digits[$0] - 0x30) * 10 + Int64(digits[$0 + 1] - 0x30)
        }
        return EBUSTLTimecode(fields, rate: rate)
    }

    /// `true` if a start of the program is stated, valid or not.
    var statesProgramStart: Bool { !bytes[Field.programStart].trimmed.isEmpty }

    /// The stated numbers of blocks, subtitles and groups of subtitles; `nil` where a field has no number.
    var counts: (blocks: Int?, subtitles: Int?, groups: Int?) {
        (number(Field.blocks), number(Field.subtitles), number(Field.groups))
    }

    /// The texts that are not blank.
    var tags: [MetadataTag] {
        let codePage = EBUSTLCodePage(number: number(Field.codePage))
        return Self.texts.compactMap { name, field in
            let text = codePage.text(bytes[field])
            return text.isEmpty ? nil : MetadataTag(name, text)
        }
    }
}

/// Fills the fields of a GSI block.
struct EBUSTLHeaderWriter {
    /// The block.
    private(set) var bytes: [UInt8]

    /// Changes fields of `block`.
    init(_ block: [UInt8]) {
        bytes = Array(block.prefix(EBUSTLHeader.size))
        bytes += [UInt8](repeating: Byte.space, count: EBUSTLHeader.size - bytes.count)
    }

    /// Writes a text, cut to the length of the field.
    mutating func set(_ field: Range<Int>, _ text: [UInt8]) {
        let text = text.prefix(field.count)
        let spaces = [UInt8](repeating: Byte.space, count: field.count - text.count)
        bytes.replaceSubrange(field, with: text + spaces)
    }

    /// Writes ASCII, cut to the length of the field.
    mutating func set(_ field: Range<Int>, _ text: String) { set(field, Array(text.utf8)) }

    /// Writes a number with leading zeros.
    mutating func set(_ field: Range<Int>, number: Int) {
        set(field, String(zeroPadded(number, to: field.count).suffix(field.count)))
    }

    /// Writes the numbers of blocks, subtitles and groups of subtitles.
    mutating func setCounts(blocks: Int, subtitles: Int, groups: Int) {
        set(EBUSTLHeader.Field.blocks, number: blocks)
        set(EBUSTLHeader.Field.subtitles, number: subtitles)
        set(EBUSTLHeader.Field.groups, number: groups)
    }
}
