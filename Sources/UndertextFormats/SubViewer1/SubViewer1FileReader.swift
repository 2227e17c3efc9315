package import UndertextCore

/// Reads a SubViewer 1 file as packets: a line `[00:00:10]`, a line of text, and a line `[00:00:12]` that ends it.
///
/// A text without such an end lasts until the next one. `[DELAY]2` shows what follows two seconds later.
package final class SubViewer1FileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream: StreamDescription
    private var table: TimedTextTable

    /// A time, and the lines after it.
    private struct Entry {
        var time: Int64
        var text: Range<Int>
        var line: Int
    }

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        self.diagnostics = diagnostics
        table = TimedTextTable(
            text, timeBase: TimeBase(1, 1), limits: limits, diagnostics: diagnostics)
        var stream = StreamDescription(index: 0, kind: .text, codec: .subViewer1)
        var cursor = LineCursor(text)
        var open: Entry?
        var title: String?
        var expectsTitle = false
        var delay: Int64 = 0
        while let line = cursor.next() {
            if table.isBlank(line) { continue }
            table.noteLine(line, cursor)
            switch SubViewer1Line(text[line].trimmed) {
            case .time(let time):
                let time = max(0, time + delay)
                if let entry = open { Self.add(entry, until: time, to: &table) }
                open = Entry(
                    time: time, text: line.upperBound..<line.upperBound, line: cursor.number)
            case .delay(let seconds): delay = seconds
            case .tag(let name):
                expectsTitle = name == "title"
                // Content after the script is not text.
                if name == "end", let entry = open {
                    Self.add(entry, until: nil, to: &table)
                    open = nil
                }
            case .text:
                if let entry = open {
                    let start = entry.text.isEmpty ? line.lowerBound : entry.text.lowerBound
                    open?.text = start..<line.upperBound
                } else if expectsTitle {
                    title = text[line].trimmed.text
                    expectsTitle = false
                }
            }
        }
        if let entry = open { Self.add(entry, until: nil, to: &table) }
        stream.title = title
        self.stream = stream
    }

    private static func add(
        _ entry: Entry, until end: Int64?, to table: inout TimedTextTable
    ) {
        // A time without text only ends the one before it.
        guard !entry.text.isEmpty else { return }
        table.add(start: entry.time, end: end, text: entry.text, line: entry.line)
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { table.position }

    /// The reason why `text` is not SubViewer 1; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let reason = "no line is a time such as [00:00:10]"
        guard LineCursor.firstLine(of: text).first == UInt8(ascii: "[") else { return reason }
        var cursor = LineCursor(Array(text.prefix(64 << 10)))
        while let line = cursor.next() {
            if case .time = SubViewer1Line(cursor.bytes[line].trimmed) { return nil }
        }
        return reason
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }
}

/// A line of a SubViewer 1 file.
private enum SubViewer1Line {
    /// Seconds.
    case time(Int64)
    /// Seconds by which all that follows comes later.
    case delay(Int64)
    /// Any other tag, in lower case.
    case tag(String)
    case text

    init(_ line: ArraySlice<UInt8>) {
        guard line.first == UInt8(ascii: "["), line.count <= 64,
            let end = line.firstIndex(of: UInt8(ascii: "]"))
        else {
            self = .text
            return
        }
        let inner = line[(line.startIndex + 1)..<end]
        let rest = line[(end + 1)...]
        if let clock = ClockFields(inner, digits: 1...6), clock.count == 3, !clock.hasFraction {
            self = rest.isEmpty ? .time(clock.milliseconds / 1000) : .text
        } else if inner.equalsIgnoringCase("delay") {
            let limit = 86_400
            self = .delay(Int64(min(limit, max(-limit, rest.leadingInteger ?? 0))))
        } else if inner.allSatisfy({ $0.isLetter || $0 == Byte.space }), rest.isEmpty {
            self = .tag(inner.text.lowercased())
        } else {
            self = .text
        }
    }
}
