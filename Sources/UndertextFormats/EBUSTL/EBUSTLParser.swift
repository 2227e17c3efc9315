internal import UndertextCore

/// A subtitle of one or more TTI blocks.
struct EBUSTLSubtitle {
    /// The offsets of its blocks in the file.
    var blocks: [Int]
    /// The frame in which it appears.
    var start: Int64 = 0
    /// The frame in which it disappears; `nil` = when the next one appears.
    var end: Int64?
}

/// Joins the TTI blocks of a file to subtitles.
struct EBUSTLParser {
    /// The subtitles that have a time and a text.
    private(set) var subtitles: [EBUSTLSubtitle] = []

    private let bytes: [UInt8]
    private let rate: Int64
    private let limits: Limits
    private let diagnostics: DiagnosticSink
    private var notes = NoteCounts()

    /// The subtitle whose last block has not come yet, and the number that the next block should have.
    private var open: (subtitle: EBUSTLSubtitle, next: UInt8)?
    /// The subtitles of the cumulative set that has not ended yet.
    private var set: [Int] = []
    /// The counts of the GSI block.
    private var counts = (blocks: 0, subtitles: 0)
    private var groups: Set<UInt8> = []
    /// The frames before the day of the last subtitle, and the frame in which that subtitle appears.
    private var day: Int64 = 0
    private var last: Int64?

    /// Most notes of one code.
    private static let notesAtMost = 100

    /// Takes a file apart whose time codes count `rate` frames in a second.
    init(_ bytes: [UInt8], rate: Int64, limits: Limits, diagnostics: DiagnosticSink) {
        self.bytes = bytes
        self.rate = rate
        self.limits = limits
        self.diagnostics = diagnostics
        last = EBUSTLHeader(bytes).programStart(rate: rate).map(\.frame)
        parse()
    }

    private mutating func parse() {
        guard bytes.count >= EBUSTLHeader.size else {
            note(.error, "truncated", at: 0, "the file ends within its header")
            return
        }
        var offset = EBUSTLHeader.size
        while let block = EBUSTLBlock(bytes[offset...]) {
            add(block, at: offset)
            offset += EBUSTLBlock.size
        }
        if offset < bytes.count {
            note(.error, "truncated", at: offset, "the file ends within a block")
        }
        closeUnfinished()
        closeSet()
        check(EBUSTLHeader(bytes))
        diagnostics.report(notes.takeRest(streamIndex: 0))
    }

    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, at offset: Int, atMost: Int = notesAtMost,
        _ message: @autoclosure () -> String
    ) {
        guard notes.keeps(severity, code, atMost: atMost) else { return }
        let block = (offset - EBUSTLHeader.size) / EBUSTLBlock.size + 1
        let place = offset < EBUSTLHeader.size ? "" : "block \(block): "
        diagnostics.report(
            severity, code, place + message(), streamIndex: 0, byteOffset: UInt64(offset))
    }

    // MARK: Blocks

    private mutating func add(_ block: EBUSTLBlock, at offset: Int) {
        guard !block.isPadding else {
            note(.info, "padding", at: offset, atMost: 1, "a block of equal bytes is left out")
            return
        }
        counts.blocks += 1
        groups.insert(block.group)
        switch block.extensionNumber {
        case EBUSTLBlock.userData:
            note(.info, "user-data", at: offset, atMost: 1, "blocks of user data are left out")
            return
        case 0xF0...0xFD:
            note(
                .warning, "reserved-block", at: offset,
                "a block with the reserved number \(block.extensionNumber) is left out")
            return
        default: break
        }
        if let first = open?.subtitle.blocks.first.flatMap({ EBUSTLBlock(bytes[$0...]) }),
            first.group != block.group || first.number != block.number
        {
            closeUnfinished()
        }
        var current = open ?? (EBUSTLSubtitle(blocks: []), 0)
        let isLast = block.extensionNumber == EBUSTLBlock.lastExtension
        if !isLast, block.extensionNumber != current.next {
            note(
                .error, "missing-block", at: offset,
                "the subtitle lacks the block before it, or blocks are not in order")
        }
        current.subtitle.blocks.append(offset)
        current.next = block.extensionNumber &+ 1
        open = current
        if isLast { close() }
    }

    /// Ends a subtitle whose last block is missing.
    private mutating func closeUnfinished() {
        guard let offset = open?.subtitle.blocks.last else { return }
        note(.error, "missing-block", at: offset, "the last block of the subtitle is missing")
        close()
    }

    private mutating func close() {
        guard var subtitle = open?.subtitle, let offset = subtitle.blocks.first,
            let block = EBUSTLBlock(bytes[offset...])
        else { return }
        open = nil
        counts.subtitles += 1
        guard !block.isComment else {
            note(.info, "comment", at: offset, atMost: 1, "comments are left out")
            return
        }
        guard let stated = block.start(rate: rate) else {
            note(
                .error, "bad-timing", at: offset,
                "the time code in is not valid: the subtitle is left out")
            return
        }
        let start = continued(stated, at: offset)
        subtitle.start = start
        subtitle.end = end(of: block, at: offset, after: start)
        let hasText = subtitle.blocks.contains {
            EBUSTLBlock(bytes[$0...])?.text.contains(where: Self.isInk) ?? false
        }
        guard hasText else {
            note(.info, "empty-cue", at: offset, "a subtitle without text is left out")
            return
        }
        let most = limits.cues
        guard subtitles.count < most else {
            note(
                .error, "too-many-cues", at: offset, atMost: 1,
                "more than \(most) subtitles: the rest of the file is left out")
            return
        }
        subtitles.append(subtitle)
        addToSet(block, at: offset)
    }

    /// The frame of a time code, counted from the first day: time codes begin again at midnight.
    private mutating func continued(_ frame: Int64, at offset: Int) -> Int64 {
        let length = 24 * 3600 * rate
        guard let last else {
            self.last = frame
            return frame
        }
        // A program that starts long before its first subtitle has a wrong start rather than a night in between.
        let most = subtitles.isEmpty ? 3600 * rate : length / 2
        if day + frame < last, day + frame + length - last < most {
            day += length
            note(
                .info, "midnight", at: offset, atMost: 1,
                "the time codes pass midnight: they continue on the next day")
        } else if day > 0, day + frame - last > length / 2 {
            day -= length
        }
        self.last = day + frame
        return day + frame
    }

    private static func isInk(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) || byte > 0xA0
    }

    private mutating func end(
        of block: EBUSTLBlock, at offset: Int, after start: Int64
    ) -> Int64? {
        guard let stated = block.end(rate: rate) else {
            note(
                .warning, "bad-timing", at: offset,
                "the time code out is not valid: the subtitle lasts until the next one")
            return nil
        }
        var end = day + stated
        // A time code out of zero may be an unset one rather than midnight.
        if end < start, end + 24 * 3600 * rate - start < 3600 * rate {
            end += 24 * 3600 * rate
            note(
                .info, "midnight", at: offset, atMost: 1,
                "the time codes pass midnight: they continue on the next day")
        }
        guard end <= start else { return end }
        let (code, word) =
            end < start ? ("negative-duration", "before") : ("zero-duration", "when")
        note(
            .warning, code, at: offset,
            "the subtitle ends \(word) it starts: it lasts until the next one")
        return nil
    }

    // MARK: Cumulative sets

    private mutating func addToSet(_ block: EBUSTLBlock, at offset: Int) {
        let status = block.cumulativeStatus
        guard (1...3).contains(status) else {
            if status != 0 {
                note(
                    .warning, "cumulative-status", at: offset,
                    "the cumulative status \(status) is unknown and ignored")
            }
            if !set.isEmpty { reportOpenSet(before: offset) }
            closeSet()
            return
        }
        if status == 1 {
            if !set.isEmpty { reportOpenSet(before: offset) }
            closeSet()
        } else if set.isEmpty {
            note(
                .warning, "cumulative-status", at: offset,
                "a cumulative set begins with a subtitle that is not its first one")
        }
        set.append(subtitles.count - 1)
        if status == 3 { closeSet() }
    }

    private mutating func reportOpenSet(before offset: Int) {
        note(
            .warning, "cumulative-status", at: offset,
            "the cumulative set before this subtitle has no last one")
    }

    /// Lets all subtitles of a set disappear with the last one.
    private mutating func closeSet() {
        let end = set.compactMap { subtitles[$0].end }.max()
        for index in set where end.map({ $0 > subtitles[index].start }) ?? true {
            subtitles[index].end = end
        }
        set = []
    }

    // MARK: Counts

    /// Compares the numbers that the header states.
    private mutating func check(_ header: EBUSTLHeader) {
        let stated = header.counts
        let found: [(name: String, stated: Int?, found: Int)] = [
            ("blocks", stated.blocks, counts.blocks),
            ("subtitles", stated.subtitles, counts.subtitles),
            ("subtitle groups", stated.groups, groups.count),
        ]
        for entry in found where entry.stated != entry.found {
            let words =
                switch entry.stated {
                case nil: "no number of \(entry.name)"
                case 1: "1 \(entry.name.dropLast())"
                case let count?: "\(count) \(entry.name)"
                }
            note(
                .warning, "block-count", at: 0,
                "the header states \(words), the file has \(entry.found)")
        }
    }
}
