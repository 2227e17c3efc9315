public import MediaCore

/// Writes the packets of an ASS or SSA track as a script.
///
/// The header is kept byte for byte; an events section and its `Format:` line are added where they
/// are missing. Events follow the columns of the `Format:` line and come in the order of
/// `ReadOrder`, as in the original; sections that stood behind the events stay behind them.
/// Packets are `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`: Matroska, and
/// libavformat for every container. Times are cut to centiseconds, as `mkvextract` does.
///
/// Differences from `mkvextract`: no byte order mark is added and line ends stay as in the header;
/// a line break within an event becomes `\N`; columns other than the usual ones are followed; no
/// empty line is added around events; a packet without a duration lasts until the next one; a
/// missing header is made up.
public struct ASSPacketWriter: PacketWriter {
    /// One file.
    public let fileExtensions: [String]
    /// Number of events accepted so far.
    public private(set) var cueCount = 0
    private let header: ASSFileHeader
    private var ends: EndCompletion<ASSPacketEvent>
    private var events: [(order: Int64, line: [UInt8])] = []
    private var notes = PacketNotes()

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - codecPrivate: the script up to its events, as stored.
    ///   - isSSA: whether the track is SSA v4 rather than ASS.
    ///   - streamIndex: the stream, for diagnostics.
    ///   - inputEnd: where a last event without a duration ends, if that is known.
    public init(
        codecPrivate: [UInt8], isSSA: Bool, streamIndex: Int = 0, inputEnd: Timestamp? = nil
    ) {
        fileExtensions = [isSSA ? "ssa" : "ass"]
        header = ASSFileHeader(codecPrivate: codecPrivate, isSSA: isSSA)
        ends = EndCompletion(inputEnd: inputEnd)
        if header.wasCompleted {
            notes.add(
                .warning, "incomplete-ass-header",
                "the script's header has no usable events section: it was completed",
                stream: streamIndex)
        }
    }

    /// Writes the header.
    public mutating func begin(into output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        output[0] += header.beforeEvents
    }

    /// Takes a packet; events are written at the end, in the order of the script.
    public mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard let start = notes.start(of: packet) else { return }
        if let entry = ends.close(at: start) { keep(entry) }
        let text = packet.data.prefix { $0 != 0 }
        guard !text.isEmpty else { return }
        guard let event = ASSPacketEvent(text) else {
            notes.add(
                .error, "malformed-ass-event", "an event without a ReadOrder was left out",
                for: packet)
            return
        }
        cueCount += 1
        if let entry = ends.add(event, start: start, end: packet.end) { keep(entry) }
    }

    /// Writes the events and what follows them.
    public mutating func finish(into output: inout [[UInt8]]) {
        if let entry = ends.finish() { keep(entry) }
        guard !output.isEmpty else { return }
        // Events of equal ReadOrder (damaged files) stay in the order of the container.
        let sorted = events.enumerated().sorted {
            ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }
        for event in sorted { output[0] += event.element.line }
        output[0] += header.afterEvents
        events = []
    }

    /// What went wrong since the last call.
    public mutating func takeDiagnostics() -> [Diagnostic] { notes.take() }

    private mutating func keep(_ entry: TimedEntry<ASSPacketEvent>) {
        events.append((entry.body.readOrder, line(entry)))
    }

    private func line(_ entry: TimedEntry<ASSPacketEvent>) -> [UInt8] {
        let event = entry.body
        var line = Array("Dialogue: ".utf8)
        for (column, field) in header.fields.enumerated() {
            if column > 0 { line.append(Byte.comma) }
            switch field {
            case .start: Self.appendTime(entry.start, to: &line)
            case .end: Self.appendTime(entry.end, to: &line)
            case .layer: line += event.layer
            case .marked: line += event.marked
            case .style: line += event.fields[0]
            case .name: line += event.fields[1]
            case .marginL: line += event.fields[2]
            case .marginR: line += event.fields[3]
            case .marginV: line += event.fields[4]
            case .effect: line += event.fields[5]
            case .text: line += event.fields[6]
            }
        }
        return line + header.lineEnd
    }

    /// Appends `H:MM:SS.cc`.
    private static func appendTime(_ milliseconds: Int64, to line: inout [UInt8]) {
        let centiseconds = UInt64(max(0, milliseconds)) / 10
        line.appendDecimal(centiseconds / 360_000)
        line.append(Byte.colon)
        line.appendDecimal(centiseconds / 6000 % 60, digits: 2)
        line.append(Byte.colon)
        line.appendDecimal(centiseconds / 100 % 60, digits: 2)
        line.append(Byte.period)
        line.appendDecimal(centiseconds % 100, digits: 2)
    }
}

/// An event as a packet holds it.
struct ASSPacketEvent {
    /// The position among the events of the script.
    let readOrder: Int64
    /// `Layer`, or what stands in its place.
    let layer: ArraySlice<UInt8>
    /// Style, Name, MarginL, MarginR, MarginV, Effect, Text: always seven.
    let fields: [[UInt8]]

    /// SSA's first column.
    var marked: [UInt8] {
        if layer.starts(with: "Marked".utf8) { return Array(layer) }
        return Array("Marked=".utf8) + (layer.isEmpty ? [0x30] : Array(layer))
    }

    /// Takes a packet apart; `nil` if it does not begin with a number and a comma.
    init?(_ data: ArraySlice<UInt8>) {
        let parts = data.split(
            separator: Byte.comma, maxSplits: 8, omittingEmptySubsequences: false)
        guard parts.count > 1, let number = Int64(String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        readOrder = number
        layer = parts[1]
        var fields = parts.dropFirst(2).dropLast().map(Self.joinedLines)
        let text = parts.count > 2 ? Self.joinedLines(parts[parts.count - 1]) : []
        while fields.count < 6 { fields.append([]) }
        self.fields = fields + [text]
    }

    /// One line: breaks at the end go, others become `\N`.
    private static func joinedLines(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(where: { $0 == Byte.lineFeed || $0 == Byte.carriageReturn }) else {
            return Array(text)
        }
        var lines = unifiedLineEnds(text)
        while let last = lines.last, last == Byte.lineFeed { lines.removeLast() }
        return Array(lines.map { $0 == Byte.lineFeed ? [0x5C, 0x4E] : [$0] }.joined())
    }
}
