package import UndertextCore

/// Decodes one service of CEA-608 captions: each screen that a viewer sees becomes cues.
///
/// A packet is a run of triplets of `cc_data` (ANSI/SCTE 128, section 8.2): a byte with `cc_valid` and `cc_type`, and a
/// pair with its parity bits. Each pair of a field is sent in a frame of its own, 1001/30000 s after the one before it;
/// the packet's time is that of its first pair. libavformat's packets are the same.
package struct CEA608Decoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// A screen and the time at which it appeared.
    private struct Shown {
        var start: Timestamp
        var screen: CEA608Screen
        /// `true` if it appeared at once.
        var isComplete: Bool
    }

    private let service: CEA608Service
    private let showsLines: Bool
    private var receiver: CEA608Receiver
    private var shown: Shown?
    private var lastTime: Timestamp?
    /// `true` if the next character begins another line of roll-up captions.
    private var isLineComplete = false
    private var notes = NoteCounts()

    /// A decoder of the service that `stream` names, or of the first one.
    package init(
        stream: StreamDescription, options: DecodingOptions = DecodingOptions(),
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        service = CEA608Service(of: stream)
        showsLines = options.rollUpLines
        receiver = CEA608Receiver(service: service)
        header = SubtitleHeader(
            codec: .cea608, language: stream.language, title: stream.title)
    }

    /// The description of the program in field 2, which may be incomplete.
    package var extendedData: CEA608ExtendedData { receiver.extendedData }

    /// The cues that end with one of the packet's pairs.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let start = diagnostics.start(of: packet) else { return [] }
        var events: [DecodedEvent] = []
        // A clock that jumps back says nothing of the end; packets of both fields may overlap a little.
        if let shown, start.advanced(by: .seconds(1)) < shown.start {
            close(at: lastTime, &events)
        }
        var pairs: Int64 = 0
        var damaged = 0
        for triplet in CaptionTriplet.all(in: packet.data)
        where triplet.isValid && triplet.type == UInt8(service.field) {
            let time = Self.time(ofPair: pairs, of: start)
            pairs += 1
            let effect = receiver.receive(triplet.first, triplet.second)
            if effect.contains(.parityError) { damaged += 1 }
            if effect.contains(.rolledUp) { isLineComplete = true }
            if effect.contains(.screen) { show(at: time, &events) }
            lastTime = time
        }
        if damaged > 0 {
            report(
                .error, "parity", "\(damaged) pairs of the packet have wrong parity", packet)
        }
        if packet.data.count % 3 != 0 {
            report(
                .error, "truncated-packet", "the packet ends within a triplet of cc_data", packet)
        }
        return events
    }

    /// The time of a pair, by the number of pairs of its field before it in a packet.
    static func time(ofPair index: Int64, of start: Timestamp) -> Timestamp {
        start.advanced(by: .nanoseconds(index * 1_001_000_000 / 30))
    }

    /// The start of the screen that is shown.
    package var shownSince: Timestamp? { shown?.start }

    /// The cues that are still shown.
    package mutating func finish() -> [DecodedEvent] {
        var events: [DecodedEvent] = []
        close(at: nil, &events)
        diagnostics.report(notes.takeRest())
        return events
    }

    /// Forgets the screen.
    package mutating func reset() {
        receiver = CEA608Receiver(service: service)
        shown = nil
        lastTime = nil
        isLineComplete = false
    }

    private mutating func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ packet: Packet
    ) {
        guard notes.keeps(severity, code, atMost: TextFileNotes.kept) else { return }
        diagnostics.report(severity, code, message, for: packet)
    }

    // MARK: Screens

    private mutating func show(at time: Timestamp, _ events: inout [DecodedEvent]) {
        var screen = receiver.displayed
        if showsLines, case .rollUp = receiver.mode {
            let isLine = screen.keeping(row: receiver.baseRow)
            // Rows above stay on the screen, but not in the cue.
            if isLine.isBlank, !screen.isBlank { return }
            if !isLine.isBlank, shown != nil, !isLineComplete {
                shown?.screen = isLine
                return
            }
            if !isLine.isBlank { isLineComplete = false }
            screen = isLine
        }
        guard screen != shown?.screen else { return }
        close(at: time, &events)
        guard !screen.isBlank else { return }
        shown = Shown(start: time, screen: screen, isComplete: receiver.mode == .popOn)
    }

    /// Ends the current screen; `nil` = the time is not known.
    private mutating func close(at time: Timestamp?, _ events: inout [DecodedEvent]) {
        guard let shown else { return }
        self.shown = nil
        if let time, time <= shown.start { return }
        for block in shown.screen.blocks(isComplete: shown.isComplete) {
            let cue = DecodedCue(
                start: shown.start, end: time.map { .init(time: $0, source: .nextEvent) },
                layout: block.layout, content: .text(block.text))
            events.append(.cue(cue))
        }
    }
}
