public import UndertextCore

/// Reads ASS and SSA script files into packets of Matroska's form.
///
/// Packets come by their start, each with the event's place in the file as `ReadOrder`. The stream's
/// header is the script without its events. `Comment:` lines, what stands between events and how
/// lines are spelled come along as side data, so that ``ASSPacketWriter`` writes the same file.
///
/// Events with a time that cannot be read or with too few fields are left out with an error; those
/// that do not end after they start are shown by no player and are left out with a warning. All of
/// them stay in what ``ASSPacketWriter`` writes.
public final class ASSFileReader: TextFileReader {
    /// Index 0; its codec is `ass` or `ssa` by the styles of the script.
    public let stream: StreamDescription
    /// Bytes of the text that have been taken apart.
    public private(set) var position = 0

    private let text: [UInt8]
    private let limits: Limits
    private let scan: ASSScriptScan
    private var notes: TextFileNotes
    /// Whether lines in the usual columns with this end are written back without help.
    private let usualColumns: Int?
    private let lineEnd: [UInt8]
    /// The events by start.
    private let order: [Int]
    private var next = 0
    private var parts: [Range<Int>] = []

    /// Takes apart `text`: valid UTF-8 without a byte order mark.
    public init(_ text: [UInt8], limits: Limits) {
        self.text = text
        self.limits = limits
        let scan = ASSScriptScan(text, limits: limits)
        self.scan = scan
        notes = scan.notes
        let header = Self.header(text, scan)
        stream = StreamDescription(
            index: 0, kind: .text, codec: scan.isSSA ? .ssa : .ass, codecPrivate: header)
        let written = ASSFileHeader(codecPrivate: header, isSSA: scan.isSSA)
        lineEnd = written.lineEnd
        let usual = scan.isSSA ? ASSEventColumns.ssa : .ass
        usualColumns =
            written.columns == usual
            ? scan.columns.firstIndex(of: usual) : nil
        let indices = Array(scan.events.indices)
        let isSorted = zip(scan.events, scan.events.dropFirst()).allSatisfy { $0.start <= $1.start }
        order =
            isSorted
            ? indices
            : indices.sorted {
                (scan.events[$0].start, $0) < (scan.events[$1].start, $1)
            }
    }

    /// The next event, by start and place in the file.
    public func nextPacket() throws(UndertextError) -> Packet? {
        guard next < order.count else {
            position = text.count
            notes.finish()
            return nil
        }
        let index = order[next]
        next += 1
        let event = scan.events[index]
        position = max(position, event.next)
        return packet(event, index: index)
    }

    /// What went wrong since the last call.
    public func takeDiagnostics() -> [Diagnostic] { notes.take() }

    /// The fonts and images that the script holds.
    ///
    /// Those of more than ``Limits/attachmentSize`` bytes are left out, with a diagnostic.
    public var embeddedFiles: [EmbeddedFile] {
        scan.embedded.compactMap { range in
            guard let file = range.decoded(from: text, limit: limits.attachmentSize) else {
                let line = 1 + text[..<range.name.lowerBound].count { $0 == Byte.lineFeed }
                notes.add(
                    .error, "attachment-too-large", line: line, column: 0,
                    "an embedded file of more than \(limits.attachmentSize) bytes was left out")
                return nil
            }
            return file
        }
    }

    /// Why `text`, the beginning of a file, is no script; `nil` if it is one.
    public static func refusal(of text: ArraySlice<UInt8>) -> String? {
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
    private static func header(_ text: [UInt8], _ scan: ASSScriptScan) -> [UInt8] {
        guard let first = scan.events.first else { return withoutNULs(text[...]) }
        var header = Array(text[..<first.line.lowerBound])
        // Both come in the order of the file.
        var events = scan.events[...]
        var behind = 0
        for range in scan.laterSections {
            while let event = events.first, event.next <= range.lowerBound {
                behind = event.next
                events.removeFirst()
            }
            // Empty lines before it belong to it.
            var start = range.lowerBound
            while start > behind, text[start - 1].isSpace { start -= 1 }
            header += text[start..<range.upperBound]
        }
        return withoutNULs(header[...])
    }

    /// A NUL would end the text of a block of Matroska.
    private static func withoutNULs(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(0) else { return Array(bytes) }
        return Array(bytes.lazy.map { $0 == 0 ? Byte.replacement : [$0] }.joined())
    }

    // MARK: Packets

    private func packet(_ event: ASSScriptEvent, index: Int) -> Packet {
        var value = event.line
        while text[value.lowerBound] != Byte.colon {
            value = (value.lowerBound + 1)..<value.upperBound
        }
        value = (value.lowerBound + 1)..<value.upperBound
        let columns = scan.columns[event.columns]
        _ = columns.split(text, value, into: &parts)
        var data: [UInt8] = []
        data.reserveCapacity(event.line.count)
        data.appendDecimal(UInt64(index))
        appendFields(columns, to: &data)
        if data.contains(0) {
            notes.add(
                .warning, "nul-character", line: event.number, column: 0,
                "a NUL character became U+FFFD")
            data = Self.withoutNULs(data[...])
        }
        return Packet(
            streamIndex: 0, pts: event.start, duration: event.end - event.start,
            timeBase: .milliseconds, position: UInt64(event.line.lowerBound), data: data,
            sideData: sideData(event, index: index, value: value, columns))
    }

    /// Appends `,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    private func appendFields(_ columns: ASSEventColumns, to data: inout [UInt8]) {
        let usual = scan.isSSA ? ASSEventColumns.ssa : .ass
        if columns == usual {
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
        append(scan.isSSA ? [.marked, .layer] : [.layer], missing: scan.isSSA ? "Marked=0" : "0")
        append([.style], missing: "Default")
        append([.name], missing: "")
        append([.marginL], missing: "0")
        append([.marginR], missing: "0")
        append([.marginV, .marginB, .marginT], missing: "0")
        append([.effect], missing: "")
        append([.text], missing: "")
    }

    /// What the fields alone would not give back.
    private func sideData(
        _ event: ASSScriptEvent, index: Int, value: Range<Int>, _ columns: ASSEventColumns
    ) -> [SideData] {
        var result: [SideData] = []
        let before = index == 0 ? 0 : scan.events[index - 1].next
        if index == 0 || before < event.line.lowerBound {
            result.append(SideData(.scriptBefore, Array(text[before..<event.line.lowerBound])))
        }
        if !isUsual(event, value: value) {
            func place(_ field: ASSEventColumns.Field) -> Range<Int> {
                guard let column = columns.fields.firstIndex(of: field) else { return 0..<0 }
                let range = text[parts[column]].trimmed.indices
                let base = event.line.lowerBound
                return (range.lowerBound - base)..<(range.upperBound - base)
            }
            let stored = ASSStoredLine(
                Array(text[event.line.lowerBound..<event.next]), start: place(.start),
                end: place(.end))
            result.append(SideData(.scriptLine, stored.encoded))
        }
        if index == scan.events.count - 1 {
            result.append(SideData(.scriptAfter, Array(text[event.next...])))
        }
        return result
    }

    /// Whether ``ASSPacketWriter`` would write the line as it stands.
    private func isUsual(_ event: ASSScriptEvent, value: Range<Int>) -> Bool {
        guard event.columns == usualColumns,
            text[event.line.upperBound..<event.next].elementsEqual(lineEnd),
            text[event.line].starts(with: Self.prefix),
            value.lowerBound - event.line.lowerBound == Self.prefix.count - 1,
            parts[0].lowerBound + 1 == text[parts[0]].trimmed.startIndex,
            parts[0].upperBound == text[parts[0]].trimmed.endIndex,
            ASSClock.isCanonical(text[parts[1]]), ASSClock.isCanonical(text[parts[2]]),
            !text[event.line].contains(0)
        else { return false }
        return !scan.isSSA || text[parts[0]].trimmed.starts(with: Self.marked)
    }

    private static let prefix = Array("Dialogue: ".utf8)
    private static let marked = Array("Marked".utf8)
}
