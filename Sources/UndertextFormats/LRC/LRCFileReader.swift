package import UndertextCore

/// Reads lyrics in LRC files as packets: `[01:02.34]text`, several times for one text allowed.
///
/// A line lasts until the next one, which may be empty; the last one's end is open. `[offset:500]` shows
/// all lines half a second earlier; `[ti:…]` and `[la:…]` are title and language.
package final class LRCFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream: StreamDescription
    private var table: TimedTextTable

    /// A text at one of its times.
    private struct Entry {
        var start: Int64
        var text: Range<Int>
        var line: Int
    }

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        table = TimedTextTable(
            text, timeBase: .milliseconds, limits: limits, diagnostics: diagnostics)
        self.diagnostics = diagnostics
        var stream = StreamDescription(index: 0, kind: .text, codec: .text)
        var entries: [Entry] = []
        var offset: Int64 = 0
        var cursor = LineCursor(text)
        while let line = cursor.next() {
            if table.isBlank(line) { continue }
            table.noteLine(line, cursor)
            var rest = text[line].trimmed
            var isTagged = false
            while let tag = LRCTag(rest), !isTagged || tag.isTime {
                isTagged = true
                rest = tag.rest.trimmed
                switch tag.content {
                // One more than the limit shows that there are too many.
                case .time(let start) where entries.count <= limits.cues:
                    entries.append(Entry(start: start, text: rest.indices, line: cursor.number))
                case .time: break
                case .largeTime:
                    table.notes.add(
                        .error, "bad-timing", at: .init(line: cursor.number),
                        "a time that is too large is left out")
                case .offset(let value): offset = value
                case .title(let title): stream.title = title
                case .language(let language): stream.language = language
                case .other: break
                }
            }
            if !isTagged {
                table.notes.add(
                    .error, "stray-text", at: .init(line: cursor.number),
                    "a line without a time is left out")
            }
            // The text of every time of the line follows the last one.
            var last = entries.count - 1
            while last >= 0, entries[last].line == cursor.number {
                entries[last].text = rest.indices
                last -= 1
            }
        }
        self.stream = stream
        add(entries.sorted { $0.start < $1.start }, earlier: offset)
    }

    /// Adds what is shown; an empty text only ends what is shown before it.
    private func add(_ entries: [Entry], earlier offset: Int64) {
        var ends = [Int64?](repeating: nil, count: entries.count)
        var next: (start: Int64, isEmpty: Bool)?
        var after: (start: Int64, isEmpty: Bool)?
        for index in entries.indices.reversed() {
            let entry = entries[index]
            if let known = next, known.start > entry.start {
                after = known
                next = nil
            }
            // The next text ends it.
            if let after, after.isEmpty { ends[index] = after.start }
            next = (entry.start, entry.text.isEmpty && next?.isEmpty != false)
        }
        for (entry, end) in zip(entries, ends) where !entry.text.isEmpty {
            let start = max(0, entry.start - offset)
            table.add(
                start: start, end: end.map { max(start + 1, $0 - offset) }, text: entry.text,
                line: entry.line)
        }
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { table.position }

    /// The reason why `text` is not LRC; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        var cursor = LineCursor(Array(text.prefix(64 << 10)))
        while let line = cursor.next() {
            let bytes = cursor.bytes[line].trimmed
            if bytes.isEmpty { continue }
            guard let tag = LRCTag(bytes) else { break }
            if tag.isTime { return nil }
        }
        return "no line has a time such as [00:01.50] before its text"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }
}

/// A tag at the beginning of a line of LRC.
struct LRCTag {
    enum Content {
        /// Milliseconds.
        case time(Int64)
        /// A time with too many digits.
        case largeTime
        /// Milliseconds by which all lines come earlier.
        case offset(Int64)
        case title(String)
        case language(LanguageTag)
        case other
    }

    let content: Content
    /// The text after the tag.
    let rest: ArraySlice<UInt8>

    /// `true` if it is a time.
    var isTime: Bool {
        switch content {
        case .time, .largeTime: true
        default: false
        }
    }

    /// More bytes than any tag has.
    private static let longest = 1024

    /// Reads a tag; `nil` if the line does not begin with one.
    init?(_ line: ArraySlice<UInt8>) {
        guard line.first == UInt8(ascii: "["),
            let end = line.prefix(Self.longest).firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        let inner = line[(line.startIndex + 1)..<end]
        guard let colon = inner.firstIndex(of: Byte.colon) else { return nil }
        rest = line[(end + 1)...]
        if let time = Self.time(inner) {
            content = .time(time)
            return
        }
        if Self.isLargeTime(inner) {
            content = .largeTime
            return
        }
        guard inner.first?.isLetter == true else { return nil }
        let value = inner[(colon + 1)...].trimmed
        switch inner[..<colon].trimmed.text.lowercased() {
        case "offset":
            let limit = 86_400_000
            content = .offset(Int64(min(limit, max(-limit, value.leadingInteger ?? 0))))
        case "ti" where !value.isEmpty: content = .title(value.text)
        case "la":
            guard let tag = LanguageTag(value.text) else { fallthrough }
            content = .language(tag)
        default: content = .other
        }
    }

    /// `true` if minutes have more digits than ``time(_:)`` reads.
    private static func isLargeTime(_ text: ArraySlice<UInt8>) -> Bool {
        let text = text.trimmed
        let minutes = text.prefix { $0.isDigit }
        let clock = [UInt8(ascii: "0")] + text.dropFirst(minutes.count)
        return minutes.count > digitsAtMost && time(clock[...]) != nil
    }

    /// Digits of a field of a time.
    private static let digitsAtMost = 6

    /// `MM:SS`, `MM:SS.xx` or `H:MM:SS.xx`.
    private static func time(_ text: ArraySlice<UInt8>) -> Int64? {
        let text = text.trimmed
        guard let clock = ClockFields(text, digits: 1...digitsAtMost) else { return nil }
        // Without a fraction three fields are those of SubViewer 1.
        guard clock.count == 2 || clock.count == 3 && clock.hasFraction else { return nil }
        return clock.milliseconds
    }
}
