internal import MediaCore

/// The header of an ASS or SSA script, split where its events belong.
///
/// Matroska keeps the script up to its events in CodecPrivate; sections that followed them, such
/// as `[Fonts]`, may stand there too.
struct ASSFileHeader {
    /// A column of the events section.
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
        case effect
        case text
    }

    /// What precedes the events, its last line ended.
    let beforeEvents: [UInt8]
    /// What follows them; empty if nothing does.
    let afterEvents: [UInt8]
    /// How lines end.
    let lineEnd: [UInt8]
    /// The columns of an event.
    let fields: [Field]
    /// Whether anything had to be added to the stored header.
    let wasCompleted: Bool

    private static let assFormat: [Field] = [
        .layer, .start, .end, .style, .name, .marginL, .marginR, .marginV, .effect, .text,
    ]
    private static let ssaFormat: [Field] = [
        .marked, .start, .end, .style, .name, .marginL, .marginR, .marginV, .effect, .text,
    ]

    /// Splits `codecPrivate`; `isSSA` says what columns to assume where it does not tell.
    init(codecPrivate: [UInt8], isSSA: Bool) {
        let stored = Array(codecPrivate.prefix { $0 != 0 })
        let firstBreak = stored.firstIndex { $0 == Byte.lineFeed || $0 == Byte.carriageReturn }
        let usesReturns = firstBreak.map {
            stored[$0] == Byte.carriageReturn && $0 + 1 < stored.count
                && stored[$0 + 1] == Byte.lineFeed
        }
        lineEnd = usesReturns == true ? [Byte.carriageReturn, Byte.lineFeed] : [Byte.lineFeed]
        var split = EventsSplit()
        split.read(stored)
        let newLine = lineEnd
        func line(_ text: String) -> [UInt8] { Array(text.utf8) + newLine }
        func ended(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            guard let last = bytes.last else { return [] }
            let isEnded = last == Byte.lineFeed || last == Byte.carriageReturn
            return Array(bytes) + (isEnded ? [] : newLine)
        }
        let standard = isSSA ? Self.ssaFormat : Self.assFormat
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
            fields = standard
            wasCompleted = true
            return
        }
        afterEvents = Array(stored[eventsEnd...])
        let columns = split.format.flatMap { Self.fields(stored[$0]) }
        fields = columns ?? standard
        wasCompleted = columns == nil
        if let range = split.format, columns == nil {
            // Columns that a reader could not tell apart: the usual ones take their place.
            beforeEvents =
                stored[..<range.lowerBound] + formatLine
                + ended(stored[min(split.nextLine, eventsEnd)..<eventsEnd])
        } else {
            beforeEvents = ended(stored[..<eventsEnd]) + (columns == nil ? formatLine : [])
        }
    }

    /// The columns of a `Format:` line; `nil` if one is unknown or the text is not last.
    private static func fields(_ line: ArraySlice<UInt8>) -> [Field]? {
        guard let colon = line.firstIndex(of: Byte.colon) else { return nil }
        var fields: [Field] = []
        for column in line[line.index(after: colon)...].split(separator: Byte.comma) {
            let letters = column.filter { $0 > Byte.space }
            let name = String(decoding: letters, as: UTF8.self).lowercased()
            guard let field = name == "actor" ? .name : Field(rawValue: name) else { return nil }
            fields.append(field)
        }
        guard fields.last == .text, fields.contains(.start), fields.contains(.end) else {
            return nil
        }
        return fields
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
        var start = 0
        var isInEvents = false
        while start < script.count {
            let end = script[start...].firstIndex(of: Byte.lineFeed) ?? script.count
            let next = min(end + 1, script.count)
            let line = script[start..<end]
            let word = line.drop { $0 <= Byte.space }
            if word.first == 0x5B {
                if isInEvents { return }
                isInEvents = Self.matches(word, "[events]")
            }
            if isInEvents {
                if !word.isEmpty { eventsEnd = next }
                if format == nil, Self.matches(word, "format:") {
                    format = start..<end
                    nextLine = next
                }
            }
            start = next
        }
    }

    /// Whether `line` begins with `word`, which is in lower case, in any case.
    private static func matches(_ line: ArraySlice<UInt8>, _ word: String) -> Bool {
        line.prefix(word.utf8.count).lazy.map {
            (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
        }.elementsEqual(word.utf8)
    }
}
