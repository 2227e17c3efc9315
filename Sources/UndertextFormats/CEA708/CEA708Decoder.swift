package import UndertextCore

/// Decodes one service of CEA-708 captions: each window that a viewer sees becomes cues.
///
/// A packet is a run of triplets of `cc_data` (CTA-708-E), all of which arrive at the packet's time.
package struct CEA708Decoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// The text of a window and the time at which it appeared.
    private struct Shown {
        var start: Timestamp
        var blocks: [CaptionBlock]
        var priority: Int
        /// The number of carriage returns before the line that it is, if it is one.
        var returnCount: Int
    }

    private let service: CEA708Service
    private let isWide: Bool
    private let showsLines: Bool
    private var assembler = DTVCCAssembler()
    private var receiver = CEA708Receiver()
    private var shown = [Shown?](repeating: nil, count: 8)
    /// The windows at the last time that they were looked at.
    private var windows = [CEA708Window?](repeating: nil, count: 8)
    private var sequenceNumber: UInt8?
    private var lastTime: Timestamp?
    private var notes = NoteCounts()

    /// A decoder of the service that `stream` names, or of the first one.
    package init(
        stream: StreamDescription, options: DecodingOptions = DecodingOptions(),
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        service = stream.service.flatMap(CEA708Service.init(name:)) ?? .primary
        showsLines = options.rollUpLines
        isWide = Self.isWide(stream)
        header = SubtitleHeader(codec: .cea708, language: stream.language, title: stream.title)
    }

    /// `true` unless the video of a stream is known to be as narrow as 4:3.
    private static func isWide(_ stream: StreamDescription) -> Bool {
        guard let size = stream.size, size.height > 0 else { return true }
        return Double(size.width) * (stream.pixelAspect ?? 1) / Double(size.height) > 1.5
    }

    /// The cues that end with the packet.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let start = diagnostics.start(of: packet) else { return [] }
        var events: [DecodedEvent] = []
        resume(until: start, &events)
        // A clock that jumps back says nothing of the end.
        if let last = lastTime, start.advanced(by: .seconds(1)) < last {
            if receiver.resumption != nil { receiver.resume(at: last) }
            closeAll(at: last, &events)
        }
        lastTime = start
        for triplet in CaptionTriplet.all(in: packet.data) {
            for found in assembler.add(triplet) { receive(found, at: start, packet) }
        }
        if packet.data.count % 3 != 0 {
            report(
                .error, "truncated-packet", "the packet ends within a triplet of cc_data", packet)
        }
        show(at: start, &events)
        return events
    }

    /// The start of the window that has been shown longest.
    package var shownSince: Timestamp? { shown.compactMap { $0?.start }.min() }

    /// The cues that are still shown.
    package mutating func finish() -> [DecodedEvent] {
        var events: [DecodedEvent] = []
        if let last = assembler.finish(), let time = lastTime {
            take(last, at: time)
            show(at: time, &events)
        }
        resume(until: .distantFuture, &events)
        closeAll(at: nil, &events)
        diagnostics.report(notes.takeRest())
        return events
    }

    /// Forgets the windows.
    package mutating func reset() {
        assembler = DTVCCAssembler()
        receiver = CEA708Receiver()
        shown = [Shown?](repeating: nil, count: 8)
        windows = [CEA708Window?](repeating: nil, count: 8)
        sequenceNumber = nil
        lastTime = nil
    }

    // MARK: Packets

    private mutating func receive(_ found: DTVCCPacket, at time: Timestamp, _ packet: Packet) {
        check(found.sequenceNumber, packet)
        if !found.isComplete {
            report(
                .warning, "incomplete-packet",
                "a caption channel packet is shorter than its header says", packet)
        }
        if take(found, at: time) {
            report(
                .error, "damaged-block", "a service block is longer than its packet", packet)
        }
        let losses = receiver.takeLosses()
        if losses.invalidCharacters > 0 {
            report(
                .error, "invalid-character",
                "\(losses.invalidCharacters) characters became U+FFFD", packet)
        }
        if losses.displaced > 0 {
            report(
                .error, "long-line",
                "\(losses.displaced) characters beyond the end of a line were left out", packet)
        }
    }

    /// Gives the service its blocks; `true` if one is damaged.
    @discardableResult
    private mutating func take(_ found: DTVCCPacket, at time: Timestamp) -> Bool {
        let blocks = found.blocks
        for block in blocks.all where block.service == service.number {
            receiver.receive(block.data, at: time)
        }
        return blocks.isDamaged
    }

    /// Compares the number of a packet with that of the one before it.
    ///
    /// Windows stay after a gap: some encoders leave numbers out where nothing is missing.
    private mutating func check(_ number: UInt8, _ packet: Packet) {
        defer { sequenceNumber = number }
        guard let last = sequenceNumber, number != (last + 1) & 3 else { return }
        receiver.forgetIncompleteCode()
        if number == last {
            report(
                .warning, "sequence-number",
                "a caption channel packet has the number of the one before", packet, atMost: 1)
        } else {
            report(
                .warning, "lost-packet",
                "the numbers of caption channel packets have a gap: text may be missing", packet)
        }
    }

    private mutating func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ packet: Packet,
        atMost most: Int = TextFileNotes.kept
    ) {
        guard notes.keeps(severity, code, atMost: most) else { return }
        diagnostics.report(severity, code, message, for: packet)
    }

    // MARK: Windows

    /// Lets the delays end that are over at a time.
    private mutating func resume(until time: Timestamp, _ events: inout [DecodedEvent]) {
        while let end = receiver.resumption, end <= time {
            receiver.resume(at: end)
            show(at: end, &events)
        }
    }

    private mutating func show(at time: Timestamp, _ events: inout [DecodedEvent]) {
        for index in windows.indices where receiver.windows[index] != windows[index] {
            windows[index] = receiver.windows[index]
            show(index, at: time, &events)
        }
    }

    private mutating func show(_ index: Int, at time: Timestamp, _ events: inout [DecodedEvent]) {
        let window = windows[index]
        let returnCount = window?.returnCount ?? 0
        var blocks = window?.blocks(isWide: isWide) ?? []
        if showsLines, let window, window.isGrowing, !blocks.isEmpty {
            let line = window.blocks(isWide: isWide, only: window.line)
            // Lines before stay on the screen, but not in the cue.
            guard !line.isEmpty else { return }
            if shown[index] != nil, shown[index]?.returnCount == returnCount {
                shown[index]?.blocks = line
                return
            }
            blocks = line
        }
        let priority = window?.priority ?? 0
        guard blocks != shown[index]?.blocks ?? [] || priority != shown[index]?.priority else {
            return
        }
        close(index, at: time, &events)
        guard !blocks.isEmpty else { return }
        shown[index] = Shown(
            start: time, blocks: blocks, priority: priority, returnCount: returnCount)
    }

    /// Ends what is shown of all windows; `nil` = the time is not known.
    private mutating func closeAll(at time: Timestamp?, _ events: inout [DecodedEvent]) {
        for index in shown.indices { close(index, at: time, &events) }
    }

    private mutating func close(
        _ index: Int, at time: Timestamp?, _ events: inout [DecodedEvent]
    ) {
        guard let shown = shown[index] else { return }
        self.shown[index] = nil
        if let time, time <= shown.start { return }
        for block in shown.blocks {
            let cue = DecodedCue(
                start: shown.start, end: time.map { .init(time: $0, source: .nextEvent) },
                layer: -shown.priority, layout: block.layout, content: .text(block.text))
            events.append(.cue(cue))
        }
    }
}
