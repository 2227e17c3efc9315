internal import UndertextCore

/// An event of a script file: where its line stands, and when it is shown.
struct ASSScriptEvent {
    /// The line without its end.
    var line: Range<Int>
    /// The offset behind the line's end.
    var next: Int
    /// The line's number, from 1.
    var number: Int
    /// Milliseconds.
    var start: Int64
    /// Milliseconds, after ``start``.
    var end: Int64
    /// Which of ``ASSScriptScan/columns`` it follows.
    var columns: Int
}

/// Goes once through a script file: sections, events, embedded files, what is wrong with lines.
struct ASSScriptScan {
    /// The events, in the order of the file.
    private(set) var events: [ASSScriptEvent] = []
    /// The columns that events follow.
    private(set) var columns: [ASSEventColumns] = [.ass]
    /// Embedded files, in the order of the file.
    private(set) var embedded: [ASSEmbeddedRange] = []
    /// Sections behind the first event that hold no events: parts of the header for readers.
    private(set) var laterSections: [Range<Int>] = []
    /// Whether the script is SSA v4 rather than ASS.
    private(set) var isSSA = false
    /// What was found wrong.
    private(set) var notes: TextFileNotes

    private enum Section {
        case start
        case info
        case styles
        case events
        case fonts
        case graphics
        case other
    }

    private let limits: Limits
    private var section = Section.start
    private var sectionStart = 0
    private var statesStyles = false
    private var styleColumns = 0
    private var eventColumns = 0
    private var parts: [Range<Int>] = []

    init(_ text: [UInt8], limits: Limits) {
        self.limits = limits
        notes = TextFileNotes()
        var lines = LineCursor(text)
        while let line = lines.next() {
            read(text, line, next: min(lines.position, text.count), number: lines.number)
        }
        closeSection(at: text.count)
    }

    private mutating func read(_ text: [UInt8], _ line: Range<Int>, next: Int, number: Int) {
        if section == .fonts || section == .graphics {
            if !ASSSectionName.isHeading(text[line], withinData: true) {
                readData(text, line, next: next)
                return
            }
        }
        var start = line.lowerBound
        while start < line.upperBound, text[start].isSpace { start += 1 }
        guard start < line.upperBound else { return }
        let first = text[start]
        if first == 0x3B || first == 0x21 { return }
        if first == 0x5B {
            enterSection(text[start..<line.upperBound].trimmed, at: line.lowerBound)
            return
        }
        let body = start..<line.upperBound
        if first.lowercased == 0x64, let value = Self.value(of: "dialogue", text, body) {
            readEvent(text, line, value, next: next, number: number)
            return
        }
        switch section {
        case .events: readEventsLine(text, body, number: number, column: start - line.lowerBound)
        case .styles: readStylesLine(text, body, number: number, column: start - line.lowerBound)
        case .info: readInfoLine(text, body, number: number, column: start - line.lowerBound)
        case .start, .other, .fonts, .graphics: break
        }
    }

    // MARK: Sections

    private mutating func enterSection(_ heading: ArraySlice<UInt8>, at position: Int) {
        closeSection(at: position)
        sectionStart = position
        switch ASSSectionName(heading) {
        case .info: section = .info
        case .styles(let isLegacy):
            section = .styles
            isSSA = isLegacy
            statesStyles = true
            styleColumns = isLegacy ? 18 : 23
            if events.isEmpty, columns.count == 1 { columns = [isLegacy ? .ssa : .ass] }
        case .events: section = .events
        case .fonts: section = .fonts
        case .graphics: section = .graphics
        case nil: section = .other
        }
    }

    private mutating func closeSection(at position: Int) {
        guard section != .events, section != .start, let first = events.first,
            sectionStart > first.line.lowerBound, sectionStart < position
        else { return }
        laterSections.append(sectionStart..<position)
    }

    private mutating func readData(_ text: [UInt8], _ line: Range<Int>, next: Int) {
        let name = section == .fonts ? "fontname" : "filename"
        if let value = Self.value(of: name, text, line) {
            guard embedded.count < 10_000 else { return }
            embedded.append(
                ASSEmbeddedRange(name: value, isFont: section == .fonts, data: next..<next))
        } else if let last = embedded.last, last.isFont == (section == .fonts),
            last.data.upperBound == line.lowerBound
        {
            embedded[embedded.count - 1].data = last.data.lowerBound..<next
        }
    }

    // MARK: Lines

    /// What stands behind `name:`, compared without case; `nil` if the line begins otherwise.
    private static func value(
        of name: String, _ text: [UInt8], _ line: Range<Int>
    ) -> Range<Int>? {
        let length = name.utf8.count
        guard line.count > length else { return nil }
        var index = line.lowerBound
        for letter in name.utf8 {
            guard text[index].lowercased == letter else { return nil }
            index += 1
        }
        while index < line.upperBound, text[index].isSpace { index += 1 }
        guard index < line.upperBound, text[index] == Byte.colon else { return nil }
        return (index + 1)..<line.upperBound
    }

    private mutating func readInfoLine(
        _ text: [UInt8], _ line: Range<Int>, number: Int, column: Int
    ) {
        if let value = Self.value(of: "scripttype", text, line) {
            if !statesStyles { isSSA = !text[value].contains(0x2B) }
            return
        }
        if let value = Self.value(of: "timer", text, line) {
            if let percent = text[value].leadingNumber, percent != 100, percent != 0 {
                notes.add(
                    .info, "timer-ignored", line: number, column: column,
                    "the script's timer is not 100 %; as in players, times are taken as they stand")
            }
        } else if let value = Self.value(of: "collisions", text, line) {
            if text[value].trimmed.equalsIgnoringCase("reverse") {
                notes.add(
                    .info, "collisions-reversed", line: number, column: column,
                    "the script stacks events from the top down; other formats leave that to players"
                )
            }
        } else if !text[line].contains(Byte.colon) {
            addUnknownLine(number, column)
        }
    }

    private mutating func readStylesLine(
        _ text: [UInt8], _ line: Range<Int>, number: Int, column: Int
    ) {
        if let value = Self.value(of: "format", text, line) {
            styleColumns = text[value].lazy.filter { $0 == Byte.comma }.count + 1
        } else if let value = Self.value(of: "style", text, line) {
            let count = text[value].lazy.filter { $0 == Byte.comma }.count + 1
            if count < styleColumns {
                notes.add(
                    .warning, "short-style", line: number, column: column,
                    "a style has \(count) of \(styleColumns) values; the others are the usual ones")
            }
        } else {
            addUnknownLine(number, column)
        }
    }

    private mutating func readEventsLine(
        _ text: [UInt8], _ line: Range<Int>, number: Int, column: Int
    ) {
        if let value = Self.value(of: "format", text, line) {
            guard let read = ASSEventColumns(text[value]) else {
                eventColumns = 0
                notes.add(
                    .warning, "unusable-format", line: number, column: column,
                    "a Format line lacks Start, End or Text; the usual columns are taken")
                return
            }
            // Nobody changes them that often; comparing them all would take its time.
            if let known = columns.indices.suffix(16).first(where: { columns[$0] == read }) {
                eventColumns = known
            } else if columns.count < 1000 {
                eventColumns = columns.count
                columns.append(read)
            }
            if !statesStyles, read.fields.first == .marked { isSSA = true }
            return
        }
        for known in ["comment", "picture", "sound", "movie", "command"]
        where Self.value(of: known, text, line) != nil {
            return
        }
        addUnknownLine(number, column)
    }

    private mutating func addUnknownLine(_ number: Int, _ column: Int) {
        notes.add(
            .warning, "unknown-line", line: number, column: column,
            "a line that is no part of a script was passed over")
    }

    private mutating func readEvent(
        _ text: [UInt8], _ line: Range<Int>, _ value: Range<Int>, next: Int, number: Int
    ) {
        func column(_ index: Int) -> Int { index - line.lowerBound }
        guard line.count <= limits.lineLength else {
            notes.add(
                .error, "line-too-long", line: number, column: 0,
                "an event of \(line.count) bytes was left out; \(limits.lineLength) are allowed")
            return
        }
        let columns = self.columns[eventColumns]
        guard columns.split(text, value, into: &parts) else {
            notes.add(
                .error, "malformed-event", line: number, column: column(value.upperBound),
                "an event with fewer than \(columns.fields.count) fields was left out")
            return
        }
        var times: [Int64] = []
        for field in [ASSEventColumns.Field.start, .end] {
            guard let place = columns.fields.firstIndex(of: field) else { return }
            guard let time = ASSClock.milliseconds(text[parts[place]]) else {
                notes.add(
                    .error, "malformed-time", line: number, column: column(parts[place].lowerBound),
                    "an event whose \(field.rawValue) is no time was left out")
                return
            }
            times.append(time)
        }
        guard times[1] > times[0] else {
            notes.add(
                .warning, "empty-event", line: number, column: column(value.lowerBound),
                "an event that does not end after its start is never shown: it is no cue")
            return
        }
        if section != .events, section != .start {
            notes.add(
                .warning, "misplaced-event", line: number, column: 0,
                "an event outside the section [Events] was read all the same")
        }
        events.append(
            ASSScriptEvent(
                line: line, next: next, number: number, start: times[0], end: times[1],
                columns: eventColumns))
    }
}
