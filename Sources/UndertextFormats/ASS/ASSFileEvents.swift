internal import UndertextCore

/// The events of a script file, and what is wrong with its lines.
struct ASSFileEvents {
    /// An event: its line and when it is shown; there may be a million of them.
    struct Event {
        /// The line.
        var line: ASSScript.Line
        /// The index of its columns in ``ASSFileEvents/columns``.
        var columns: UInt16
        /// The number of the line, from 1.
        var number: UInt32
        /// Milliseconds.
        var start: Int64
        /// Milliseconds, after ``start``.
        var end: Int64
    }

    /// The events, in the order of the file.
    private(set) var events: [Event] = []
    /// The columns that events follow.
    private(set) var columns: [ASSEventColumns] = [.ass]
    /// The notes on damaged and odd lines.
    private(set) var notes: TextFileNotes

    private let script: ASSScript
    private let limits: Limits
    private var section: ASSScript.Section
    private var styleColumns = 0
    private var eventColumns = 0
    private var parts: [Range<Int>] = []

    /// Reads the lines of a script.
    init(_ script: ASSScript, limits: Limits, diagnostics: DiagnosticSink) {
        notes = TextFileNotes(diagnostics)
        self.script = script
        self.limits = limits
        section = script.sections[0]
        for next in script.sections {
            section = next
            if case .styles(let isLegacy)? = section.name {
                styleColumns = ASSStyleColumns(isLegacy: isLegacy).fields.count
                if events.isEmpty, columns.count == 1 { columns = [isLegacy ? .ssa : .ass] }
            }
            for index in section.lines { read(script.lines[index], at: index) }
        }
    }

    private mutating func read(_ line: ASSScript.Line, at index: Int) {
        switch line.kind {
        case .dialogue: readEvent(line, at: index)
        case .property where section.name == .info: readInfo(line, at: index)
        case .format where section.name == .events: readFormat(line, at: index)
        case .format: styleColumns = count(of: line)
        case .style:
            let (count, expected) = (count(of: line), styleColumns)
            guard count < expected else { return }
            note(
                .warning, "short-style", at: index,
                "a style has \(count) of \(expected) values; defaults replace the others")
        case .unknown where section.name != nil:
            note(
                .warning, "unknown-line", at: index,
                "a line that is not part of a script was skipped")
        default: break
        }
    }

    private func count(of line: ASSScript.Line) -> Int {
        script.value(of: line).lazy.filter { $0 == Byte.comma }.count + 1
    }

    /// Adds a note at an offset in the text; by default at the beginning of a line.
    private mutating func note(
        _ severity: Diagnostic.Severity, _ code: String, at line: Int, offset: Int? = nil,
        _ message: @autoclosure () -> String
    ) {
        let start = script.lines[line].range.lowerBound
        let offset = offset ?? script.start(of: script.lines[line])
        notes.add(
            severity, code, at: .init(line: line + 1, column: offset - start + 1), message())
    }

    private mutating func readInfo(_ line: ASSScript.Line, at index: Int) {
        let key = script.key(of: line)
        let value = script.value(of: line)
        if key.equalsIgnoringCase("timer") {
            guard let percent = value.leadingNumber, percent != 100, percent != 0 else { return }
            note(
                .info, "timer-ignored", at: index,
                "the script's Timer is not 100 %; as in players, it is ignored")
        } else if key.equalsIgnoringCase("collisions") {
            guard value.trimmed.equalsIgnoringCase("reverse") else { return }
            note(
                .info, "collisions-reversed", at: index,
                "Collisions: Reverse is not applied in other formats")
        }
    }

    private mutating func readFormat(_ line: ASSScript.Line, at index: Int) {
        guard let read = ASSEventColumns(script.value(of: line)) else {
            eventColumns = 0
            note(
                .warning, "unusable-format", at: index,
                "a Format line lacks Start, End or Text; the default columns are used")
            return
        }
        // Files rarely change the columns, and comparing all of them takes time.
        if let known = columns.indices.suffix(16).first(where: { columns[$0] == read }) {
            eventColumns = known
        } else if columns.count < 1000 {
            eventColumns = columns.count
            columns.append(read)
        }
    }

    private mutating func readEvent(_ line: ASSScript.Line, at index: Int) {
        let range = line.range
        let longest = limits.lineLength
        guard range.count <= longest else {
            note(
                .error, "line-too-long", at: index, offset: range.lowerBound,
                "an event of \(range.count) bytes was left out; \(longest) are allowed")
            return
        }
        let columns = self.columns[eventColumns]
        guard columns.split(script.text, line.value..<range.upperBound, into: &parts) else {
            note(
                .error, "malformed-event", at: index, offset: range.upperBound,
                "an event with fewer than \(columns.fields.count) fields was left out")
            return
        }
        guard let start = time(.start, of: columns, at: index),
            let end = time(.end, of: columns, at: index)
        else { return }
        guard end > start else {
            note(
                .warning, "empty-event", at: index, offset: line.value,
                "an event that does not end after its start is never shown")
            return
        }
        if section.name != .events, section.heading != nil {
            note(
                .warning, "misplaced-event", at: index, offset: range.lowerBound,
                "an event outside of the section [Events] was read")
        }
        events.append(
            Event(
                line: line, columns: UInt16(clamping: eventColumns),
                number: UInt32(clamping: index + 1), start: start, end: end))
    }

    private mutating func time(
        _ field: ASSEventColumns.Field, of columns: ASSEventColumns, at index: Int
    ) -> Int64? {
        guard let column = columns.fields.firstIndex(of: field) else { return nil }
        if let time = ASSClock.milliseconds(script.text[parts[column]]) { return time }
        note(
            .error, "malformed-time", at: index, offset: parts[column].lowerBound,
            "an event with an unreadable \(field.rawValue) was left out")
        return nil
    }
}
