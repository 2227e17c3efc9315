package import UndertextCore

/// Reads ASS and SSA script files into packets of Matroska's form.
///
/// Packets are ordered by start, each with the event's index in the file as `ReadOrder`. The stream's header is
/// the script without its events. `Comment:` lines, the lines between events and the spelling of lines are side
/// data, so that ``ASSPacketWriter`` writes the same file.
///
/// Events with a malformed time or too few fields are skipped with an error. Players do not show events that do
/// not end after they start; these are skipped with a warning. All of them are kept in the output of
/// ``ASSPacketWriter``.
package final class ASSFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// Index 0; its codec is `ass` or `ssa` by the styles of the script.
    package let stream: StreamDescription
    /// The number of bytes of the text that have been parsed.
    package private(set) var position = 0

    private let text: [UInt8]
    private let isSSA: Bool
    private let limits: Limits
    private let events: [ASSFileEvents.Event]
    private let embeddedFileLocations: [ASSScript.FileLocation]
    private let columns: [ASSEventColumns]
    private var notes: TextFileNotes
    /// The columns whose lines are written back without help, if they end with ``lineEnd``.
    private let usualColumns: Int?
    private let lineEnd: [UInt8]
    /// The events by start.
    private let order: [Int]
    private var next = 0
    private var parts: [Range<Int>] = []

    /// Reads `text`: valid UTF-8 without a byte order mark.
    package init(_ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()) {
        // Of a million lines only those of events stay.
        let script = ASSScript(text)
        let read = ASSFileEvents(script, limits: limits, diagnostics: diagnostics)
        self.diagnostics = diagnostics
        let events = read.events
        self.text = text
        isSSA = script.isSSA
        self.limits = limits
        self.events = events
        embeddedFileLocations = script.embeddedFileLocations
        columns = read.columns
        notes = read.notes
        let header = Self.header(script, events)
        stream = StreamDescription(
            index: 0, kind: .text, codec: script.isSSA ? .ssa : .ass, codecPrivate: header)
        let written = ASSFileHeader(ASSScript(header), isSSA: script.isSSA)
        lineEnd = written.lineEnd
        let usual = script.isSSA ? ASSEventColumns.ssa : .ass
        usualColumns = written.columns == usual ? columns.firstIndex(of: usual) : nil
        let indices = Array(events.indices)
        let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.start <= $1.start }
        order =
            isSorted
            ? indices : indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
    }

    /// The next event, by start and position in the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        guard next < order.count else {
            position = text.count
            notes.finish()
            return nil
        }
        let index = order[next]
        next += 1
        position = max(position, events[index].line.next)
        return packet(events[index], index: index)
    }

    /// The fonts and images that the script holds.
    ///
    /// Attachments of more than ``Limits/attachmentSize`` bytes are left out, with a diagnostic.
    package var embeddedFiles: [EmbeddedFile] {
        embeddedFileLocations.compactMap { location in
            guard let file = location.file(in: text, limit: limits.attachmentSize) else {
                notes.add(
                    .error, "attachment-too-large", at: .init(line: location.nameLine + 1),
                    "an embedded file of more than \(limits.attachmentSize) bytes was left out")
                return nil
            }
            return file
        }
    }

    /// The reason why `text`, the beginning of a file, is no script; `nil` if it is one.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        var lines = LineCursor(Array(text.prefix(1 << 16)))
        var isFirst = true
        while let range = lines.next() {
            let line = lines.bytes[range].trimmed
            guard let first = line.first, first != 0x3B, first != 0x21 else { continue }
            if first == 0x5B {
                if ASSSectionName(line) != nil { return nil }
            } else if isFirst {
                return "it does not begin with a section such as [Script Info]"
            }
            isFirst = false
        }
        return isFirst
            ? "it has no text"
            : "it has no section [Script Info], [V4+ Styles], [V4 Styles] or [Events]"
    }

    /// The script without its events, as Matroska stores it.
    private static func header(_ script: ASSScript, _ events: [ASSFileEvents.Event]) -> [UInt8] {
        let text = script.text
        guard let first = events.first else { return withoutNULs(text[...]) }
        let start = first.line.range.lowerBound
        var header = Array(text[..<start])
        // Both are in file order.
        var rest = events[...]
        var end = 0
        for section in script.sections
        where section.range.lowerBound > start && section.name != .events {
            while let event = rest.first, event.line.next <= section.range.lowerBound {
                end = event.line.next
                rest.removeFirst()
            }
            // Empty lines before it belong to it.
            var start = section.range.lowerBound
            while start > end, text[start - 1].isSpace { start -= 1 }
            header += text[start..<section.range.upperBound]
        }
        return withoutNULs(header[...])
    }

    /// A NUL would end the text of a block of Matroska.
    private static func withoutNULs(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(0) else { return Array(bytes) }
        return Array(bytes.lazy.map { $0 == 0 ? Byte.replacement : [$0] }.joined())
    }

    // MARK: Packets

    private func packet(_ event: ASSFileEvents.Event, index: Int) -> Packet {
        let line = event.line
        let columns = columns[Int(event.columns)]
        _ = columns.split(text, line.value..<line.range.upperBound, into: &parts)
        var data: [UInt8] = []
        data.reserveCapacity(line.range.count)
        data.appendDecimal(UInt64(index))
        appendFields(columns, to: &data)
        if data.contains(0) {
            notes.add(
                .warning, "nul-character", at: .init(line: Int(event.number)),
                "a NUL character became U+FFFD")
            data = Self.withoutNULs(data[...])
        }
        return Packet(
            streamIndex: 0, pts: event.start, duration: event.end - event.start,
            timeBase: .milliseconds, position: UInt64(line.range.lowerBound), data: data,
            sideData: sideData(event, index: index, columns))
    }

    /// Appends `,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    private func appendFields(_ columns: ASSEventColumns, to data: inout [UInt8]) {
        if columns == (isSSA ? .ssa : .ass) {
            data.append(Byte.comma)
            data += text[text[parts[0]].trimmed.indices]
            data.append(Byte.comma)
            data += text[parts[3].lowerBound..<parts[9].upperBound]
            return
        }
        func append(_ fields: [ASSEventColumns.Field], missing: String) {
            data.append(Byte.comma)
            for field in fields {
                guard let place = columns.fields.firstIndex(of: field), place < parts.count else {
                    continue
                }
                data += field == .text ? text[parts[place]] : text[parts[place]].trimmed
                return
            }
            data += missing.utf8
        }
        append(
            isSSA ? [.marked, .layer] : [.layer], missing: isSSA ? "Marked=0" : "0")
        append([.style], missing: "Default")
        append([.name], missing: "")
        append([.marginL], missing: "0")
        append([.marginR], missing: "0")
        append([.marginV, .marginB, .marginT], missing: "0")
        append([.effect], missing: "")
        append([.text], missing: "")
    }

    /// The bytes of the file that the fields alone would not restore.
    private func sideData(
        _ event: ASSFileEvents.Event, index: Int, _ columns: ASSEventColumns
    ) -> [SideData] {
        let line = event.line
        let start = line.range.lowerBound
        var result: [SideData] = []
        let before = index == 0 ? 0 : events[index - 1].line.next
        if index == 0 || before < start {
            result.append(SideData(.scriptBefore, Array(text[before..<start])))
        }
        if !isUsual(event) {
            func range(of field: ASSEventColumns.Field) -> Range<Int> {
                guard let column = columns.fields.firstIndex(of: field) else { return 0..<0 }
                let range = text[parts[column]].trimmed.indices
                return (range.lowerBound - start)..<(range.upperBound - start)
            }
            let stored = ASSStoredLine(
                Array(text[start..<line.next]), start: range(of: .start), end: range(of: .end))
            result.append(SideData(.scriptLine, stored.encoded))
        }
        if index == events.count - 1 {
            result.append(SideData(.scriptAfter, Array(text[line.next...])))
        }
        return result
    }

    /// Returns `true` if ``ASSPacketWriter`` would write the line of an event as it is.
    private func isUsual(_ event: ASSFileEvents.Event) -> Bool {
        let line = event.line
        guard Int(event.columns) == usualColumns,
            text[line.range.upperBound..<line.next].elementsEqual(lineEnd),
            text[line.range].starts(with: Self.prefix),
            line.value - line.range.lowerBound == Self.prefix.count - 1,
            parts[0].lowerBound + 1 == text[parts[0]].trimmed.startIndex,
            parts[0].upperBound == text[parts[0]].trimmed.endIndex,
            ASSClock.isCanonical(text[parts[1]]), ASSClock.isCanonical(text[parts[2]]),
            !text[line.range].contains(0)
        else { return false }
        return !isSSA || text[parts[0]].trimmed.starts(with: Self.marked)
    }

    private static let prefix = Array("Dialogue: ".utf8)
    private static let marked = Array("Marked".utf8)
}
