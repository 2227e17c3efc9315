internal import UndertextCore

/// Parses a SubRip file into cues.
///
/// There is no standard. A line with times begins a cue regardless of its neighbors, and the number before it
/// is dropped. Everything up to the next such line is text, empty lines included, so that an extra empty line
/// loses nothing. A block that begins like a cue, with an empty line and the next number, but has no times is
/// skipped, because its times are unknown.
struct SubRipFileParser {
    private var cursor: LineCursor
    private let longest: Int
    private var notes: SubRipFileNotes
    /// The cue whose text is read.
    private var open: SubRipFileCue?
    /// A number whose meaning depends on the next line.
    private var number: SubRipNumberLine?
    private var lastNumber: Int?
    /// `true` if lines are left out until the next times.
    private var isDropping = false
    private var gap = SubRipGap.none
    /// `true` if text has to be looked at byte by byte when it is copied.
    private var needsRepair = false

    /// Starts at the beginning of `text`, of whose lines at most `longestLine` bytes are kept.
    init(_ text: [UInt8], longestLine: Int, diagnostics: DiagnosticSink) {
        notes = SubRipFileNotes(diagnostics)
        cursor = LineCursor(text, joinsReturns: true)
        longest = longestLine
    }

    /// The offset in the file of what was not yet looked at.
    var position: Int { cursor.position }

    /// The next cue; `nil` at the end of the file.
    mutating func next() -> SubRipFileCue? {
        guard let cue = findNext() else { return nil }
        if cue.text.isEmpty {
            notes.add(.emptyCue, line: cue.line)
        } else if cue.end <= cue.start {
            notes.add(cue.end < cue.start ? .negativeDuration : .zeroDuration, line: cue.line)
        }
        return cue
    }

    private mutating func findNext() -> SubRipFileCue? {
        if let usual = nextUsual() { return usual }
        while let line = cursor.next() {
            noteTraits(of: line)
            if isBlank(line) { continue }
            let before = gap
            gap = .none
            let finished: SubRipFileCue?
            if cursor.traits.contains(.greater),
                let timing = SubRipTimingLine(cursor.bytes, line)
            {
                finished = begin(timing, after: before)
            } else {
                finished = add(line, after: before)
            }
            if let finished { return finished }
        }
        return end()
    }

    /// The open cue, where it and the head of the next one are written as usual; changes nothing elsewhere.
    private mutating func nextUsual() -> SubRipFileCue? {
        guard var cue = open, cue.isPlain, cue.text.isEmpty, number == nil, gap == .none,
            let lastNumber,
            let block = SubRipUsualBlock(
                cursor.bytes, at: cursor.position, next: lastNumber + 1, longest: longest)
        else { return nil }
        cue.text = block.text
        cue.hasTags = block.hasTags
        if block.hasReturns { needsRepair = true }
        cursor.go(to: block.end, line: cursor.number + block.lines + 1)
        open = SubRipFileCue(
            start: block.times.start, end: block.times.end, text: block.end..<block.end,
            line: cursor.number)
        self.lastNumber = lastNumber + 1
        return cue
    }

    /// The rectangle that a timing line states, as side data; `nil` if it states none.
    func coordinates(of cue: SubRipFileCue) -> [UInt8]? {
        let (offset, length) = cue.coordinates
        guard length > 0,
            case .coordinates(let data) = SubRipLineEnd(cursor.bytes[offset..<offset + length])
        else { return nil }
        return data
    }

    /// The bytes of a cue's text: UTF-8 with line feeds, without NUL.
    func content(_ range: Range<Int>) -> [UInt8] {
        guard needsRepair else { return Array(cursor.bytes[range]) }
        return TextLines.repaired(range, of: cursor.bytes, longest: longest, joinsReturns: true)
    }

    /// Adds a note about a cue.
    mutating func note(_ note: SubRipFileNotes.Note, line: Int) { notes.add(note, line: line) }

    /// Reports the number of further occurrences, once after the last cue.
    mutating func finishNotes() { notes.finish() }

    /// The text of the file.
    var text: [UInt8] { cursor.bytes }

    // MARK: Kinds of lines

    /// A line with times: ends one cue and begins another.
    private mutating func begin(
        _ timing: SubRipTimingLine, after gap: SubRipGap
    ) -> SubRipFileCue? {
        takeNumber(after: gap, isOnTimingLine: timing.oddities.contains(.number))
        let finished = open
        let line = cursor.number
        var cue = SubRipFileCue(
            start: timing.start, end: timing.end, text: cursor.position..<cursor.position,
            line: line)
        if !timing.oddities.isEmpty { notes.add(timing.oddities, line: line) }
        if !timing.rest.isEmpty {
            switch SubRipLineEnd(cursor.bytes[timing.rest]) {
            case .empty: break
            case .coordinates:
                cue.coordinates = (timing.rest.lowerBound, timing.rest.count)
                cue.isPlain = false
            case .badCoordinates: notes.add(.badCoordinates, line: line)
            case .settings: notes.add(.settings, line: line)
            case .text:
                cue.text = timing.rest
                cue.isPlain = false
                notes.add(.textAfterTimes, line: line)
            }
        }
        open = cue
        isDropping = false
        return finished
    }

    /// A line without times.
    private mutating func add(_ line: Range<Int>, after gap: SubRipGap) -> SubRipFileCue? {
        let value = SubRipNumberLine.value(cursor.bytes, line)
        let isBroken = value == nil && looksLikeTimes(line)
        var finished: SubRipFileCue?
        if let number {
            self.number = nil
            let isNext = number.gap != .none || isExpected(number.value) || open == nil
            if isBroken && gap == .none && isNext || beginsBlock(number, next: value) {
                if !isBroken { notes.add(.missingTimes, line: number.line) }
                lastNumber = number.value
                finished = drop()
            } else {
                append(number.range, line: number.line, after: number.gap)
            }
        }
        if let value {
            number = SubRipNumberLine(value: value, range: line, line: cursor.number, gap: gap)
        } else if isBroken, gap != .none || open == nil {
            let fault = SubRipTimingLine.fault(in: cursor.bytes, line)
            notes.add(
                .badTiming, line: cursor.number,
                column: TextLines.column(of: fault, from: line.lowerBound, in: cursor.bytes))
            finished = finished ?? drop()
            isDropping = true
        } else {
            append(line, line: cursor.number, after: gap)
        }
        return finished
    }

    /// The end of the file.
    private mutating func end() -> SubRipFileCue? {
        if let number {
            self.number = nil
            if beginsBlock(number, next: nil) {
                notes.add(.cutOff, line: number.line)
            } else {
                append(number.range, line: number.line, after: number.gap)
            }
        }
        defer { open = nil }
        return open
    }

    // MARK: Numbers and text

    private func isExpected(_ value: Int) -> Bool { lastNumber.map { value == $0 + 1 } ?? false }

    /// Decides, at a line with times, whether the number before it is the cue's or text.
    private mutating func takeNumber(after gap: SubRipGap, isOnTimingLine: Bool) {
        let hasText = open.map { !$0.text.isEmpty } ?? false
        guard let number, isNumber(number, after: gap, hasText: hasText) else {
            if let number { append(number.range, line: number.line, after: number.gap) }
            if gap == .none, hasText || number != nil {
                notes.add(.missingBlankLine, line: cursor.number)
            }
            if !isOnTimingLine { notes.add(.missingNumber, line: cursor.number) }
            number = nil
            lastNumber = lastNumber.map { $0 + 1 }
            return
        }
        self.number = nil
        lastNumber = number.value
        if gap != .none { notes.add(.blankBeforeTimes, line: cursor.number) }
        if hasText, number.gap == .none { notes.add(.missingBlankLine, line: number.line) }
    }

    /// `true` if a number before times, `gap` between them, is that of the cue.
    private func isNumber(
        _ number: SubRipNumberLine, after gap: SubRipGap, hasText: Bool
    ) -> Bool {
        if open != nil, !hasText {
            // The number may be all of the text.
            return isExpected(number.value) || number.gap != .none && gap == .none
        }
        return gap == .none || number.gap != .none || open == nil
    }

    /// `true` if a number begins a new block although no times follow.
    private func beginsBlock(_ number: SubRipNumberLine, next: Int?) -> Bool {
        if open == nil, !isDropping { return true }
        guard number.gap != .none, isExpected(number.value), next != number.value else {
            return false
        }
        return open.map { !$0.text.isEmpty } ?? true
    }

    /// Ends the open cue; what follows is left out.
    private mutating func drop() -> SubRipFileCue? {
        isDropping = true
        defer { open = nil }
        return open
    }

    /// Adds a line to the text of the open cue.
    private mutating func append(_ range: Range<Int>, line: Int, after gap: SubRipGap) {
        guard let cue = open else {
            if !isDropping { notes.add(.strayText, line: line) }
            isDropping = true
            return
        }
        if gap == .empty { notes.add(.blankInText, line: line) }
        let start = cue.text.isEmpty ? range.lowerBound : cue.text.lowerBound
        open?.text = start..<range.upperBound
        if cursor.traits.contains(.tag) { open?.hasTags = true }
        if cue.isPlain, gap != .none || line != cursor.number || !isPlain(range) {
            open?.isPlain = false
        }
    }

    // MARK: Looking at lines

    /// `true` if the line at hand can be copied; lines of other formats may still need another spelling.
    private func isPlain(_ line: Range<Int>) -> Bool {
        let traits = cursor.traits
        guard traits.isDisjoint(with: [.null, .doubledReturn]), line.count <= longest,
            cursor.bytes[line.upperBound - 1] > Byte.space
        else { return false }
        guard traits.contains(.carriageReturn) else { return true }
        let next = line.upperBound + 1
        return next < cursor.bytes.count && cursor.bytes[next] == Byte.lineFeed
    }

    /// `true` if a line contains only white space; such a line is part of the gap before the next one.
    private mutating func isBlank(_ line: Range<Int>) -> Bool {
        if line.isEmpty {
            gap = .empty
            return true
        }
        guard cursor.bytes[line.lowerBound] <= Byte.space else { return false }
        guard cursor.bytes[line].allSatisfy(\.isSpace) else { return false }
        if gap == .none { gap = .blank }
        return true
    }

    /// `true` if a line has an arrow and something like a time.
    private func looksLikeTimes(_ line: Range<Int>) -> Bool {
        guard cursor.traits.contains(.arrow) else { return false }
        var index = line.lowerBound + 1
        while index + 1 < line.upperBound {
            if cursor.bytes[index] == Byte.colon, cursor.bytes[index - 1].isDigit,
                cursor.bytes[index + 1].isDigit
            {
                return true
            }
            index += 1
        }
        return false
    }

    private mutating func noteTraits(of line: Range<Int>) {
        let traits = cursor.traits
        if line.count > longest {
            needsRepair = true
            notes.add(.longLine, line: cursor.number)
        }
        guard !traits.isDisjoint(with: [.carriageReturn, .null]) else { return }
        needsRepair = true
        if traits.contains(.null) { notes.add(.null, line: cursor.number) }
        if traits.contains(.doubledReturn) { notes.add(.lineEnds, line: cursor.number) }
    }
}
