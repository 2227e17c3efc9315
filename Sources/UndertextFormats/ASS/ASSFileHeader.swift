internal import UndertextCore

/// The header of an ASS or SSA script, split where its events belong.
///
/// Matroska keeps the script up to its events in CodecPrivate; sections that followed them, such
/// as `[Fonts]`, may stand there too.
struct ASSFileHeader {
    /// What precedes the events, its last line ended.
    let beforeEvents: [UInt8]
    /// What follows them; empty if nothing does.
    let afterEvents: [UInt8]
    /// How lines end.
    let lineEnd: [UInt8]
    /// The columns of an event.
    let columns: ASSEventColumns
    /// Whether anything had to be added to the stored header.
    let wasCompleted: Bool

    /// Splits `codecPrivate`; `isSSA` says what columns to assume where it does not tell.
    init(codecPrivate: [UInt8], isSSA: Bool) {
        let stored = Array(codecPrivate.prefix { $0 != 0 })
        lineEnd = Self.lineEnd(of: stored)
        var split = EventsSplit()
        split.read(stored)
        let newLine = lineEnd
        func line(_ text: String) -> [UInt8] { Array(text.utf8) + newLine }
        func ended(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            guard let last = bytes.last else { return [] }
            let isEnded = last == Byte.lineFeed || last == Byte.carriageReturn
            return Array(bytes) + (isEnded ? [] : newLine)
        }
        let standard = isSSA ? ASSEventColumns.ssa : .ass
        let formatLine = line(
            "Format: \(isSSA ? "Marked" : "Layer"), Start, End, Style, Name, MarginL, MarginR, "
                + "MarginV, Effect, Text")
        guard let eventsEnd = split.eventsEnd else {
            var head = ended(stored[...])
            if head.isEmpty {
                head = line("[Script Info]") + line("ScriptType: v4.00\(isSSA ? "" : "+")")
            }
            beforeEvents = head + newLine + line("[Events]") + formatLine
            afterEvents = []
            columns = standard
            wasCompleted = true
            return
        }
        afterEvents = Array(stored[eventsEnd...])
        let stated = split.format.flatMap { Self.columns(stored[$0]) }
        columns = stated ?? standard
        wasCompleted = stated == nil
        if let range = split.format, stated == nil {
            // Columns that a reader could not tell apart: the usual ones take their place.
            beforeEvents =
                stored[..<range.lowerBound] + formatLine
                + ended(stored[min(split.nextLine, eventsEnd)..<eventsEnd])
        } else {
            beforeEvents = ended(stored[..<eventsEnd]) + (stated == nil ? formatLine : [])
        }
    }

    /// How the first line ends; LF if none does.
    private static func lineEnd(of script: [UInt8]) -> [UInt8] {
        guard
            let first = script.firstIndex(where: {
                $0 == Byte.lineFeed || $0 == Byte.carriageReturn
            }),
            script[first] == Byte.carriageReturn
        else { return [Byte.lineFeed] }
        let isPair = first + 1 < script.count && script[first + 1] == Byte.lineFeed
        return isPair ? [Byte.carriageReturn, Byte.lineFeed] : [Byte.carriageReturn]
    }

    /// The columns of a `Format:` line; `nil` if one is unknown or the text is not last.
    private static func columns(_ line: ArraySlice<UInt8>) -> ASSEventColumns? {
        guard let colon = line.firstIndex(of: Byte.colon),
            let columns = ASSEventColumns(line[(colon + 1)...]), columns.fields.last == .text,
            !columns.fields.contains(where: { $0 == nil || $0 == .marginT || $0 == .marginB })
        else { return nil }
        return columns
    }
}

/// Where the events section of a script lies.
private struct EventsSplit {
    /// The offset behind the last line of the section that is not empty; `nil` without a section.
    var eventsEnd: Int?
    /// The `Format:` line of the section, its line end not included.
    var format: Range<Int>?
    /// The offset of the line behind ``format``.
    var nextLine = 0

    mutating func read(_ script: [UInt8]) {
        var lines = LineCursor(script)
        var isInEvents = false
        while let range = lines.next() {
            let word = script[range].drop { $0 <= Byte.space }
            if word.first == 0x5B {
                if isInEvents { return }
                isInEvents = Self.matches(word, "[events]")
            }
            guard isInEvents else { continue }
            let next = min(lines.position, script.count)
            if !word.isEmpty { eventsEnd = next }
            if format == nil, Self.matches(word, "format:") {
                format = range
                nextLine = next
            }
        }
    }

    /// Whether `line` begins with `word`, which is in lower case, in any case.
    private static func matches(_ line: ArraySlice<UInt8>, _ word: String) -> Bool {
        line.prefix(word.utf8.count).lazy.map {
            (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
        }.elementsEqual(word.utf8)
    }
}
