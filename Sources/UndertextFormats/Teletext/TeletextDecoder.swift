package import UndertextCore

/// Decodes one page of teletext: each screen that a viewer sees becomes cues.
///
/// A packet is the payload of a PES packet (EN 300 472). A page is shown when its last row has arrived, at the time of
/// the packet with that row; that it is complete is known when another page begins.
package struct TeletextDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// A screen and the time at which it appeared.
    private struct Shown {
        var start: Timestamp
        var blocks: [CaptionBlock]
    }

    private let page: TeletextPageAddress?
    private var receiver: TeletextReceiver
    private var shown: Shown?
    /// The time of the last line of the page.
    private var arrival: Timestamp?
    /// Pages of subtitles that were sent before the page; `nil` once it has arrived.
    private var others: TeletextSubtitlePages? = TeletextSubtitlePages()
    private var notes = NoteCounts()

    /// A decoder of the page that `stream` names, or that its header recommends, or of the first one with subtitles.
    package init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        self.diagnostics = diagnostics
        page = TeletextPageAddress(stream)
        receiver = TeletextReceiver(page: page)
        header = SubtitleHeader(
            codec: .teletext, language: stream.language, title: stream.title)
    }

    /// The page; `nil` while it is not known.
    package var address: TeletextPageAddress? { receiver.address }

    /// The cues that a page of the packet ends.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let start = diagnostics.start(of: packet) else { return [] }
        var events: [DecodedEvent] = []
        // A clock that jumps back says nothing of the end.
        if let arrival, start.advanced(by: .seconds(1)) < arrival { settle(&events) }
        let units = TeletextDataUnits(packet.data)
        for line in units.lines {
            if receiver.isEnded(by: line) { show(&events) }
            if receiver.receive(line) {
                arrival = start
                others = nil
            }
            others?.add(line)
        }
        report(units, packet)
        return events
    }

    /// The cues that are still shown.
    package mutating func finish() -> [DecodedEvent] {
        var events: [DecodedEvent] = []
        if receiver.isReceiving { show(&events) }
        close(at: nil, &events)
        reportAbsence()
        diagnostics.report(notes.takeRest())
        return events
    }

    /// Forgets the page and the screen.
    package mutating func reset() {
        receiver = TeletextReceiver(page: page ?? receiver.address)
        shown = nil
        arrival = nil
    }

    // MARK: Screens

    /// Shows the page that is complete.
    private mutating func show(_ events: inout [DecodedEvent]) {
        guard let arrival else { return }
        let (screen, isPartial) = receiver.screen()
        if isPartial, notes.keeps(.info, "teletext-objects", atMost: 1) {
            diagnostics.report(
                .info, "teletext-objects",
                "objects and downloaded characters of the page are left out", time: arrival)
        }
        let blocks = screen.blocks
        guard blocks != shown?.blocks else { return }
        close(at: arrival, &events)
        guard !blocks.isEmpty else { return }
        shown = Shown(start: arrival, blocks: blocks)
    }

    /// Ends what is shown, where the clock begins again.
    private mutating func settle(_ events: inout [DecodedEvent]) {
        if receiver.isReceiving { show(&events) }
        close(at: arrival, &events)
        receiver = TeletextReceiver(page: page ?? receiver.address)
        arrival = nil
    }

    /// Ends the current screen; `nil` = the time is not known.
    private mutating func close(at time: Timestamp?, _ events: inout [DecodedEvent]) {
        guard let shown else { return }
        self.shown = nil
        if let time, time <= shown.start { return }
        for block in shown.blocks {
            let cue = DecodedCue(
                start: shown.start, end: time.map { .init(time: $0, source: .nextEvent) },
                layout: block.layout, content: .text(block.text))
            events.append(.cue(cue))
        }
    }

    // MARK: Diagnostics

    /// Reports that the page was never sent, though others were.
    private mutating func reportAbsence() {
        guard let page = receiver.address, let pages = others?.pages, !pages.isEmpty else { return }
        others = nil
        diagnostics.report(
            .warning, "teletext-page",
            "\(page.service) was never sent; the stream has subtitles on "
                + pages.prefix(8).map(\.service).joined(separator: ", "))
    }

    private mutating func report(_ units: TeletextDataUnits, _ packet: Packet) {
        let damage = receiver.damage
        receiver.damage = TeletextReceiver.Damage()
        if damage.characters > 0 {
            report(
                .error, "parity",
                "\(damage.characters) characters of the packet have wrong parity", packet)
        }
        if damage.repaired > 0 {
            report(
                .warning, "parity-repaired",
                "\(damage.repaired) characters with wrong parity were taken from an earlier transmission",
                packet)
        }
        if damage.codes + units.damagedCount > 0 {
            report(
                .error, "hamming",
                "\(damage.codes + units.damagedCount) addresses or triplets of the packet cannot be read",
                packet)
        }
        if units.isTruncated {
            report(.error, "truncated-packet", "the packet ends within a data unit", packet)
        }
        if units.isForeign {
            report(.error, "damaged-packet", "the packet has no teletext", packet)
        }
    }

    private mutating func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ packet: Packet
    ) {
        guard notes.keeps(severity, code, atMost: TextFileNotes.kept) else { return }
        diagnostics.report(severity, code, message, for: packet)
    }
}

extension TeletextPageAddress {
    /// The page of a track: the one that its service names, or that its header recommends; `nil` without either.
    init?(_ stream: StreamDescription) {
        let named = stream.service.flatMap(TeletextPageAddress.init(service:))
        guard let page = named ?? TeletextPageList(stream).entries.first?.page else { return nil }
        self = page
    }
}
