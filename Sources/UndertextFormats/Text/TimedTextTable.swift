internal import UndertextCore

/// The cues of a text file whose format has only times and lines of text.
struct TimedTextTable {
    private struct Entry {
        var start: Int64
        var end: Int64?
        var text: Range<Int>
    }

    /// The file.
    let text: [UInt8]
    /// The diagnostics.
    var notes: TextFileNotes
    private let timeBase: TimeBase
    private let limits: Limits
    private var entries: [Entry] = []
    private var taken = 0
    private var isFull = false
    /// The size of all texts in bytes: one text may have many times.
    private var size = 0
    private let sizeAtMost: Int
    /// `true` if text must be checked byte by byte when it is copied.
    private var needsRepair = false

    /// Creates a table without cues, whose times are ticks of `timeBase`.
    init(_ text: [UInt8], timeBase: TimeBase, limits: Limits, diagnostics: DiagnosticSink) {
        self.text = text
        notes = TextFileNotes(diagnostics)
        self.timeBase = timeBase
        self.limits = limits
        // Lyrics repeat a chorus a few times.
        sizeAtMost = (1 << 20) + 16 * text.count
    }

    /// The number of bytes of the text that have been parsed.
    var position: Int { taken == 0 ? 0 : entries[taken - 1].text.upperBound }

    /// Records the traits of a line that its text does not keep.
    mutating func noteLine(_ line: Range<Int>, _ cursor: LineCursor) {
        if line.count > limits.lineLength {
            needsRepair = true
            notes.add(
                .error, "long-line", at: .init(line: cursor.number),
                "the line is too long: it is cut")
        }
        guard !cursor.traits.isDisjoint(with: [.carriageReturn, .null]) else { return }
        needsRepair = true
        if cursor.traits.contains(.null) {
            notes.add(
                .warning, "nul", at: .init(line: cursor.number), kept: 1, "NUL became U+FFFD")
        }
    }

    /// Adds each line of the file as a cue whose times precede its text.
    ///
    /// - Parameters:
    ///   - header: the numbers of lines that are not cues.
    ///   - times: reads the times of a line; returns `nil` for a line without times, which is skipped.
    mutating func addLines(
        except header: Set<Int> = [], times: ([UInt8], Range<Int>) -> TimedLine?
    ) {
        var cursor = LineCursor(text)
        while let line = cursor.next() {
            if isBlank(line) || header.contains(cursor.number) { continue }
            noteLine(line, cursor)
            guard let found = times(text, line) else {
                if TimedLine.isTooLarge(text[line]) {
                    notes.add(
                        .error, "bad-timing", at: .init(line: cursor.number),
                        "a line with a time that is too large is left out")
                } else {
                    notes.add(
                        .error, "stray-text", at: .init(line: cursor.number),
                        "a line without times is left out")
                }
                continue
            }
            add(
                start: found.start, end: found.end, text: found.textStart..<line.upperBound,
                line: cursor.number)
        }
    }

    /// Adds a cue.
    ///
    /// A cue that does not end after its start lasts until the next one, as in SubRip files.
    ///
    /// - Parameters:
    ///   - start: the start, in ticks.
    ///   - end: the end, in ticks; `nil` for the start of the next cue.
    ///   - range: the lines of its text in the file.
    ///   - line: the number of the line with its times.
    mutating func add(start: Int64, end: Int64?, text range: Range<Int>, line: Int) {
        let range = text.trimmed(range)
        guard !range.isEmpty else {
            notes.add(
                .info, "empty-cue", at: .init(line: line), "a cue without text is left out")
            return
        }
        guard size <= sizeAtMost - range.count else {
            if !isFull {
                notes.add(
                    .error, "too-much-text", at: .init(line: line),
                    "texts are repeated too often: the rest of the file is left out")
            }
            isFull = true
            return
        }
        size += range.count
        guard entries.count < limits.cues else {
            if !isFull {
                notes.add(
                    .error, "too-many-cues", at: .init(line: line),
                    "more than \(limits.cues) cues: the rest of the file is left out")
            }
            isFull = true
            return
        }
        var end = end
        if let stated = end, stated <= start {
            end = nil
            let (code, word) =
                stated < start ? ("negative-duration", "before") : ("zero-duration", "when")
            notes.add(
                .warning, code, at: .init(line: line),
                "the cue ends \(word) it starts: it lasts until the next one")
        }
        entries.append(Entry(start: start, end: end, text: range))
    }

    /// The next cue's packet; `nil` after the last one.
    mutating func nextPacket() -> Packet? {
        guard taken < entries.count else {
            notes.finish()
            return nil
        }
        let entry = entries[taken]
        taken += 1
        // A line has at most the length that limits allow, and the limit for packets is larger.
        let range = entry.text.prefix(limits.packetSize)
        let data =
            needsRepair
            ? TextLines.repaired(range, of: text, longest: limits.lineLength) : Array(text[range])
        return Packet(
            streamIndex: 0, pts: entry.start, duration: entry.end.map { $0 - entry.start },
            timeBase: timeBase, position: UInt64(range.lowerBound), data: data)
    }

    /// `true` if a line contains only white space.
    func isBlank(_ line: Range<Int>) -> Bool { text[line].allSatisfy(\.isSpace) }
}

/// A line of text with its times.
struct TimedLine {
    /// The start, in ticks.
    let start: Int64
    /// The end, in ticks; `nil` for the start of the next line.
    let end: Int64?
    /// The offset of the text, which extends to the end of the line.
    let textStart: Int
}

extension TimedLine {
    /// Numbers of this length never overflow, regardless of the frame duration.
    private static let digitsAtMost = 10

    /// `true` if one of the two bracketed numbers at the beginning of a line has too many digits.
    static func isTooLarge(_ line: ArraySlice<UInt8>) -> Bool {
        var rest = line.trimmed
        for _ in 0..<2 {
            guard let open = rest.popFirst(), [0x7B, 0x5B].contains(open) else { return false }
            let digits = rest.prefix { $0.isDigit }
            if digits.count > digitsAtMost { return true }
            rest = rest.dropFirst(digits.count + 1)
        }
        return false
    }

    /// Reads a line that begins with two numbers in brackets, `{100}{200}` or `[100][]`; `nil` if it does not.
    init?(_ bytes: [UInt8], _ line: Range<Int>, open: UInt8, close: UInt8) {
        var position = line.lowerBound
        func number() -> Int64?? {
            guard position < line.upperBound, bytes[position] == open else { return nil }
            var index = position + 1
            var value: Int64?
            while index < line.upperBound, bytes[index].isDigit {
                guard index - position <= Self.digitsAtMost else { return nil }
                value = (value ?? 0) * 10 + Int64(bytes[index] - 0x30)
                index += 1
            }
            guard index < line.upperBound, bytes[index] == close else { return nil }
            position = index + 1
            return .some(value)
        }
        while position < line.upperBound, bytes[position].isSpace { position += 1 }
        guard case .some(.some(let start)) = number(), case .some(let end) = number() else {
            return nil
        }
        self.init(start: start, end: end, textStart: position)
    }
}

extension LineCursor {
    /// The first line of `text` that is not blank, within its first 64 KiB, without white space before it.
    static func firstLine(of text: ArraySlice<UInt8>) -> [UInt8] {
        let rest = text.prefix(64 << 10).drop(while: \.isSpace)
        return Array(rest.prefix { $0 != Byte.lineFeed && $0 != Byte.carriageReturn })
    }
}
