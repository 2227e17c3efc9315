internal import UndertextCore

/// Writes cues as an EBU STL file (EBU Tech 3264-E) of 25 or 30 frames a second.
///
/// The header counts what follows it, and display standard and character code table suit all cues together, so that
/// cues are held back until the last one has come.
struct EBUSTLWriter: CueWriter {
    /// The losses, once the file is finished.
    private(set) var losses = ConversionLosses()
    /// Number of cues written so far.
    private(set) var cueCount = 0

    private let header: SubtitleHeader
    private let sources: SourceLosses
    /// Frames a second.
    private let rate: TimeBase
    private var cues: [Cue] = []

    /// The most blocks that the header can count.
    private static let blocksAtMost = 99_999
    /// Numbers of subtitles in a group; 0 is not used.
    private static let numbersAtMost = 0xFFFF

    /// The rates of the standard, the usual one first.
    static let frameRates = [TimeBase(25, 1), TimeBase(30, 1)]

    /// Creates a writer of one of ``frameRates``; every other rate is the usual one.
    init(header: SubtitleHeader = SubtitleHeader(), frameRate: TimeBase? = nil) {
        self.header = header
        rate = Self.frameRates.last { $0 == frameRate } ?? Self.frameRates[0]
        sources = SourceLosses([], header: header)
    }

    /// Writes nothing yet.
    mutating func begin(into output: inout [UInt8]) {}

    /// Holds a cue back.
    mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        guard cue.plainText?.contains(where: { !$0.isWhitespace }) == true else {
            losses.record(cue.plainText == nil ? .image : .text, in: cue)
            return
        }
        guard cues.count < Self.blocksAtMost,
            timecode(frame(at: cue.end)) != nil
        else {
            // Beyond a day there is no time code.
            losses.record(.text, in: cue)
            return
        }
        cueCount += 1
        cues.append(cue)
    }

    /// Writes the file.
    mutating func finish(into output: inout [UInt8]) {
        let grid = EBUSTLGrid(cues, header: header)
        var blocks: [UInt8] = []
        var count = 0
        if let first = cues.first, grid.classes.hasOtherRules { losses.record(.style, in: first) }
        for cue in cues {
            let caption = EBUSTLCaption(cue, on: grid)
            losses.record(caption.losses, of: cue, sources: sources)
            let encoded = self.blocks(of: caption, cue, index: count)
            guard blocks.count + encoded.count <= Self.blocksAtMost * EBUSTLBlock.size else {
                losses.record(.text, in: cue)
                continue
            }
            blocks += encoded
            count += 1
        }
        cueCount = count
        output += information(grid, blocks: blocks.count / EBUSTLBlock.size, subtitles: count)
        output += blocks
        cues = []
    }

    // MARK: Blocks

    /// The first block, and extension blocks for text that does not fit in it.
    private func blocks(of caption: EBUSTLCaption, _ cue: Cue, index: Int) -> [UInt8] {
        let number = index % Self.numbersAtMost + 1
        let start = frame(at: cue.start)
        let end = max(start + 1, frame(at: cue.end))
        let times = [start, end].flatMap { timecode($0)?.bytes ?? [0, 0, 0, 0] }
        var result: [UInt8] = []
        var rest = caption.bytes[...]
        var extensionNumber: UInt8 = 0
        repeat {
            let text = rest.prefix(EBUSTLBlock.textSize)
            rest = rest.dropFirst(EBUSTLBlock.textSize)
            let isLast = rest.isEmpty || extensionNumber == 0xEF
            result.append(UInt8(truncatingIfNeeded: index / Self.numbersAtMost))
            result += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            result += [isLast ? EBUSTLBlock.lastExtension : extensionNumber, 0]
            result += times
            result += [caption.verticalPosition, caption.justification, 0]
            result += text
            result += [UInt8](
                repeating: EBUSTLBlock.unusedSpace, count: EBUSTLBlock.textSize - text.count)
            if isLast { break }
            extensionNumber += 1
        } while true
        return result
    }

    /// The frame nearest to `time`.
    private func frame(at time: Timestamp) -> Int64 {
        max(0, time.ticks(in: TimeBase(rate.denominator, rate.numerator)) ?? 0)
    }

    private func timecode(_ frame: Int64) -> EBUSTLTimecode? {
        EBUSTLTimecode(frame: frame, rate: Int64(rate.numerator))
    }

    // MARK: Header

    /// The GSI block; it has no date but a fixed one, so that equal cues make equal files.
    private func information(_ grid: EBUSTLGrid, blocks: Int, subtitles: Int) -> [UInt8] {
        typealias Field = EBUSTLHeader.Field
        var block = EBUSTLHeaderWriter([])
        block.set(Field.codePage, "850")
        block.set(Field.diskFormat, "STL\(rate.numerator).01")
        block.set(Field.displayStandard, grid.isTeletext ? "1" : "0")
        block.set(Field.characters, number: grid.characters.rawValue)
        block.set(Field.language, EBUSTLLanguage.code(of: header.language))
        block.set(Field.title, EBUSTLCodePage(number: 850).bytes(header.title ?? ""))
        block.set(Field.dates, "000101000101")
        block.set(Field.revision, "00")
        block.setCounts(
            blocks: blocks, subtitles: subtitles,
            groups: (subtitles + Self.numbersAtMost - 1) / Self.numbersAtMost)
        block.set(Field.columns, number: EBUSTLGrid.columns)
        block.set(Field.rows, number: EBUSTLGrid.rows)
        block.set(Field.timecodeStatus, "1")
        block.set(Field.programStart, "00000000")
        let first = cues.first.map { frame(at: $0.start) } ?? 0
        block.set(Field.firstCue, timecode(first)?.digits ?? "00000000")
        block.set(Field.disks, "11")
        block.set(Field.country, EBUSTLLanguage.country(of: header.language) ?? "")
        return block.bytes
    }
}

/// The properties that all subtitles of a file share.
struct EBUSTLGrid {
    /// Columns of a row.
    static let columns = 40
    /// Rows of the screen, of teletext and of open subtitles.
    static let rows = 23

    /// `true` for teletext, which has colors; `false` for open subtitles, which have italics and underline.
    let isTeletext: Bool
    /// The table of all characters, or the one that lacks the fewest.
    let characters: EBUSTLCharacters
    /// The colors of classes.
    let classes: WebVTTClassColors
    /// The regions that cues may be in.
    let regions: [Region]

    /// Chooses what keeps most of `cues`: open subtitles, unless more letters have colors than italics or underline.
    init(_ cues: [Cue], header: SubtitleHeader) {
        let classes = WebVTTClassColors(header.styleSheets)
        self.classes = classes
        regions = header.regions
        var colored = 0
        var emphasized = 0
        var letters: Set<Character> = []
        for cue in cues {
            guard case .text(let text) = cue.content else { continue }
            letters.formUnion(text.plainText)
            guard text.unstyled == nil else { continue }
            for run in text.runs {
                let count = run.text.count { !$0.isWhitespace }
                if run.style.isItalic || run.style.isUnderlined { emphasized += count }
                if EBUSTLPen(run.style, classes: classes).isColored { colored += count }
            }
        }
        isTeletext = colored > emphasized
        let missing = EBUSTLCharacters.allCases.map { table in
            (table, letters.count { table.bytes(similarTo: $0) == nil })
        }
        // Of equal ones the first: Latin.
        characters = missing.min { $0.1 < $1.1 }?.0 ?? .latin
    }
}

extension EBUSTLCharacters {
    /// The bytes of a character, or of characters that readers take for it; `nil` if there are none.
    func bytes(similarTo character: Character) -> [UInt8]? {
        if let found = bytes(of: character) { return found }
        if let similar = SimilarCharacters.all[character] {
            let parts = similar.map { bytes(similarTo: $0) }
            if !parts.contains(nil) { return parts.flatMap { $0 ?? [] } }
        }
        return character.isNewline || SimilarCharacters.isInvisible(character) ? [] : nil
    }
}
