package import UndertextCore

/// Reads SubViewer 2 files and YouTube's `.sbv` as packets: a line `0:00:01.000,0:00:02.000`, then text.
///
/// A cue that does not end after its start lasts until the next one. Lines in brackets before the first
/// cue (`[TITLE]`, `[COLF]`) state nothing that players use.
package final class SubViewerFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file.
    package let stream = StreamDescription(index: 0, kind: .text, codec: .subViewer)
    private var table: TimedTextTable

    /// Parses `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        table = TimedTextTable(
            text, timeBase: .milliseconds, limits: limits, diagnostics: diagnostics)
        self.diagnostics = diagnostics
        var cursor = LineCursor(text)
        var open: (times: SubViewerTimingLine, line: Int)?
        var words = 0..<0
        var isDropping = false
        var hasGap = true
        func close(_ table: inout TimedTextTable) {
            guard let cue = open else { return }
            table.add(
                start: cue.times.start, end: cue.times.end, text: words, line: cue.line)
            open = nil
        }
        while let line = cursor.next() {
            if table.isBlank(line) {
                hasGap = true
                continue
            }
            table.noteLine(line, cursor)
            if let times = SubViewerTimingLine(text[line]) {
                close(&table)
                open = (times, cursor.number)
                words = line.upperBound..<line.upperBound
                isDropping = false
            } else if hasGap, SubViewerTimingLine.isAttempted(in: text[line]) {
                close(&table)
                isDropping = true
                table.notes.add(
                    .error, "bad-timing", at: .init(line: cursor.number),
                    "the line has no start and end such as 0:00:01.000,0:00:02.000; the cue is left out"
                )
            } else if open != nil {
                if hasGap, !words.isEmpty {
                    table.notes.add(
                        .warning, "blank-line", at: .init(line: cursor.number), kept: 1,
                        "there is an empty line in the text; the text continues after it")
                }
                words = (words.isEmpty ? line.lowerBound : words.lowerBound)..<line.upperBound
            } else if !isDropping, text[line.lowerBound] != UInt8(ascii: "[") {
                isDropping = true
                table.notes.add(
                    .error, "stray-text", at: .init(line: cursor.number),
                    "text before the first times is left out")
            }
            hasGap = false
        }
        close(&table)
    }

    /// The number of bytes of the text that have been parsed.
    package var position: Int { table.position }

    /// The reason why `text` is not SubViewer; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        var cursor = LineCursor(Array(text.prefix(64 << 10)))
        while let line = cursor.next() {
            if SubViewerTimingLine(cursor.bytes[line]) != nil { return nil }
        }
        return "no line has times such as 0:00:01.000,0:00:02.000"
    }

    /// The next cue's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? { table.nextPacket() }
}

/// A line of two times with a comma between them; milliseconds.
struct SubViewerTimingLine {
    let start: Int64
    let end: Int64

    /// Reads a complete line; `nil` if it has another form.
    init?(_ line: ArraySlice<UInt8>) {
        let line = line.trimmed
        // Longer ones are text.
        guard line.count <= 64 else { return nil }
        let sides = line.split(separator: Byte.comma, omittingEmptySubsequences: false)
        guard sides.count == 2, let start = Self.time(sides[0].trimmed),
            let end = Self.time(sides[1].trimmed)
        else { return nil }
        self.start = start
        self.end = end
    }

    /// `true` if a line begins like a line of times.
    static func isAttempted(in line: ArraySlice<UInt8>) -> Bool {
        let line = line.trimmed
        guard line.first?.isDigit == true, line.count <= 64 else { return false }
        let sides = line.split(separator: Byte.comma)
        return sides.count == 2
            && sides.allSatisfy { $0.count { $0 == Byte.colon } == 2 }
    }

    /// `H:MM:SS` with a fraction of any length.
    private static func time(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let clock = ClockFields(text, digits: 1...9), clock.count == 3 else { return nil }
        return clock.milliseconds
    }
}
