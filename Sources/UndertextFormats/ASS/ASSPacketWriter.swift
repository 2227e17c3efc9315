package import UndertextCore

/// Writes the packets of an ASS or SSA track as a script.
///
/// The header is kept byte for byte; a missing events section and `Format:` line are added. Events follow the
/// columns of the `Format:` line and are ordered by `ReadOrder`, as in the original; sections after the events
/// stay after them. Packets are `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`, as in
/// Matroska and in libavformat for every container. Times are truncated to centiseconds, as in `mkvextract`.
///
/// Packets of ``ASSFileReader`` include the spelling of the file: with unchanged times the output equals the
/// file byte for byte, `Comment:` lines included; with changed times only the times differ.
///
/// Differences from `mkvextract`: no byte order mark is added and line endings stay as in the header; a line
/// break within an event becomes `\N`; other columns than the usual ones are supported; no empty line is added
/// around events; a packet without a duration lasts until the next one; a missing header is replaced by a
/// default one.
package struct ASSPacketWriter: PacketWriter {
    /// One file.
    package let fileExtensions: [String]
    /// Number of events accepted so far.
    package private(set) var cueCount = 0
    private let header: ASSFileHeader
    private let streamIndex: Int
    private var ends: OpenEndResolver<ASSPacketEvent>
    private var events: [WrittenEvent] = []
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    private struct WrittenEvent {
        var order: Int64
        var line: [UInt8]
        /// The bytes of a script file before the line and after it.
        var before: [UInt8]?
        var after: [UInt8]?
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - codecPrivate: the script up to its events, as stored.
    ///   - isSSA: `true` for SSA v4, `false` for ASS.
    ///   - streamIndex: the stream, for diagnostics.
    ///   - inputEnd: the end of a last event without a duration, if known.
    ///   - diagnostics: the sink for skipped content.
    package init(
        codecPrivate: [UInt8], isSSA: Bool, streamIndex: Int = 0, inputEnd: Timestamp? = nil,
        diagnostics: DiagnosticSink = .init()
    ) {
        self.init(
            ASSScript(codecPrivate: codecPrivate), isSSA: isSSA, streamIndex: streamIndex,
            inputEnd: inputEnd, diagnostics: diagnostics)
    }

    /// Creates a writer for a stream.
    ///
    /// libavformat names the codec of SSA `ass`, too; the script distinguishes them.
    package init(
        stream: StreamDescription, inputEnd: Timestamp?, diagnostics: DiagnosticSink = .init()
    ) {
        let script = ASSScript(codecPrivate: stream.codecPrivate)
        self.init(
            script, isSSA: stream.codec == .ssa || script.isSSA, streamIndex: stream.index,
            inputEnd: inputEnd, diagnostics: diagnostics)
    }

    private init(
        _ script: ASSScript, isSSA: Bool, streamIndex: Int, inputEnd: Timestamp?,
        diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        fileExtensions = [isSSA ? "ssa" : "ass"]
        header = ASSFileHeader(script, isSSA: isSSA)
        self.streamIndex = streamIndex
        ends = OpenEndResolver(inputEnd: inputEnd)
    }

    /// Writes nothing yet: only the first event of the script shows whether there is a file's own
    /// beginning.
    package mutating func begin(into output: inout [[UInt8]]) {}

    /// Adds a packet; events are written at the end, in the order of the script.
    package mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard let start = diagnostics.start(of: packet) else { return }
        for entry in ends.close(at: start) { keep(entry) }
        let text = packet.data.prefix { $0 != 0 }
        guard !text.isEmpty else { return }
        guard let event = ASSPacketEvent(text, packet: packet) else {
            diagnostics.report(
                .error, "malformed-ass-event", "an event without a ReadOrder was left out",
                for: packet)
            return
        }
        cueCount += 1
        for entry in ends.add(event, start: start, end: packet.end, byteCount: packet.data.count) {
            keep(entry)
        }
    }

    /// Writes the events and what follows them.
    package mutating func finish(into output: inout [[UInt8]]) {
        for entry in ends.finish() { keep(entry) }
        guard !output.isEmpty else { return }
        // Events of equal ReadOrder (damaged files) stay in the order of the container.
        let sorted = events.enumerated().sorted {
            ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }
        events = []
        // The first and last events of a file carry its beginning and its end.
        let first = sorted.first?.element
        if first?.order != 0 || first?.before == nil { appendHeader(to: &output[0]) }
        for (_, event) in sorted {
            if let before = event.before { output[0] += before }
            if let last = output[0].last, last != Byte.lineFeed, last != Byte.carriageReturn {
                output[0] += header.lineEnd
            }
            output[0] += event.line
        }
        output[0] += sorted.last?.element.after ?? header.afterEvents
    }

    private mutating func appendHeader(to output: inout [UInt8]) {
        output += header.beforeEvents
        guard header.wasCompleted else { return }
        diagnostics.report(
            .warning, "incomplete-ass-header",
            "the script's header has no usable events section: it was completed",
            streamIndex: streamIndex)
    }

    private mutating func keep(_ entry: TimedEntry<ASSPacketEvent>) {
        let event = entry.body
        events.append(
            WrittenEvent(
                order: event.readOrder,
                line: event.stored?.written(start: entry.start, end: entry.end)
                    ?? event.line(
                        start: entry.start / 10, end: entry.end / 10, columns: header.columns,
                        lineEnd: header.lineEnd),
                before: event.before, after: event.after))
    }
}

/// The header of an ASS or SSA script, split at the position of its events.
///
/// Matroska stores the script up to its events in CodecPrivate, sometimes with the sections that followed them,
/// such as `[Fonts]`.
struct ASSFileHeader {
    /// The bytes before the events, whose last line is ended.
    let beforeEvents: [UInt8]
    /// The bytes after the events; empty if there are none.
    let afterEvents: [UInt8]
    /// The line ends.
    let lineEnd: [UInt8]
    /// The columns of an event.
    let columns: ASSEventColumns
    /// `true` if anything had to be added to the stored header.
    let wasCompleted: Bool

    /// Splits the header of a script.
    ///
    /// - Parameters:
    ///   - script: the script up to its events, and what may follow them.
    ///   - isSSA: `true` if a missing `Format:` line is that of SSA.
    init(_ script: ASSScript, isSSA: Bool) {
        let newLine = script.lineEnd
        lineEnd = newLine
        func line(_ text: String) -> [UInt8] { Array(text.utf8) + newLine }
        func ended(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            guard let last = bytes.last else { return [] }
            let isEnded = last == Byte.lineFeed || last == Byte.carriageReturn
            return Array(bytes) + (isEnded ? [] : newLine)
        }
        let stored = script.text
        let standard = isSSA ? ASSEventColumns.ssa : .ass
        let formatLine = line(standard.formatLine)
        guard let section = script.sections.first(where: { $0.name == .events }) else {
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
        // Empty lines before the next section belong to that one.
        let last = script.lines[..<section.lines.upperBound].last { $0.kind != .blank }
        let end = last?.next ?? section.range.upperBound
        afterEvents = Array(stored[end...])
        let format = script.lines[section.lines].first { $0.kind == .format }
        let stated = format.flatMap { Self.columns(script.value(of: $0)) }
        columns = stated ?? standard
        wasCompleted = stated == nil
        if let format, stated == nil {
            // Columns that a reader could not distinguish are replaced by the usual ones.
            beforeEvents =
                stored[..<format.range.lowerBound] + formatLine + ended(stored[format.next..<end])
        } else {
            beforeEvents = ended(stored[..<end]) + (stated == nil ? formatLine : [])
        }
    }

    /// The columns of a `Format:` line; `nil` if one is unknown or the text is not last.
    private static func columns(_ value: ArraySlice<UInt8>) -> ASSEventColumns? {
        guard let columns = ASSEventColumns(value), columns.fields.last == .text,
            !columns.fields.contains(where: { $0 == nil || $0 == .marginT || $0 == .marginB })
        else { return nil }
        return columns
    }
}
