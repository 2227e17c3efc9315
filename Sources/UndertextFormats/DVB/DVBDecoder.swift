package import UndertextCore

/// Decodes DVB subtitles, ETSI EN 300 743.
///
/// A display set is returned when a packet of another time arrives: until then a packet may continue
/// with it or replace it, and its cue has no end yet.
package struct DVBDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader

    private let limits: Limits
    private var pages: DVBPages
    private var composer: DVBComposer
    private let emptyComposer: DVBComposer
    /// The set that is arriving.
    private var set = DVBDisplaySet()
    /// The start of the content that is shown or being received.
    private var time: Timestamp?
    /// The start of the page on screen.
    private var pageStart: Timestamp?
    /// The duration in the container.
    private var containerEnd: Timestamp?
    /// `true` if the screen at ``time`` differs from the one before.
    private var isChanged = false
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private var reported: Set<String> = []

    /// A decoder for `stream`, whose header names its pages.
    package init(
        stream: StreamDescription, options: DecodingOptions = .init(),
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        limits = options.limits
        pages = DVBPages(stream.codecPrivate)
        // Colors are those of BT.601 on every canvas (section 7.2.4).
        emptyComposer = DVBComposer(
            limits: options.limits, matrix: options.colorMatrix ?? .bt601, budget: options.spending)
        composer = emptyComposer
        header = SubtitleHeader(
            codec: .dvb, language: stream.language, title: stream.title, canvas: stream.size,
            codecPrivate: stream.codecPrivate)
    }

    /// Returns the image on screen until this packet's time, if this packet begins a new display set.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let start = packet.start else {
            report(
                Diagnostic(.error, "missing-time", "a packet without a time is left out"), packet)
            return []
        }
        composer.beginPacket()
        let segments = segments(of: packet)
        guard !segments.isEmpty else { return [] }
        let events = begin(
            at: start, hasPage: segments.contains { $0.type == .pageComposition }, packet)
        for segment in segments {
            // At one time only the last page counts, on top of what the others changed.
            if segment.type == .pageComposition, set.page != nil {
                let display = set.display
                settle()
                set.display = display
            }
            take(segment, packet)
        }
        return events
    }

    /// The display set that arrived last.
    package mutating func finish() -> [DecodedEvent] {
        composer.beginPacket()
        return shown()
    }

    /// Starts again after a seek.
    package mutating func reset() {
        pages.reset()
        composer = emptyComposer
        set = DVBDisplaySet()
        time = nil
        pageStart = nil
        containerEnd = nil
        isChanged = false
    }

    /// The segments of the pages that matter to the track.
    private mutating func segments(of packet: Packet) -> [DVBSegment] {
        var result: [DVBSegment] = []
        var reader = DVBSegmentReader(packet.data)
        while let segment = reader.next() {
            let isComposition = segment.type == .pageComposition
            switch pages.part(of: segment.page, isComposition: isComposition) {
            case .own: result.append(segment)
            case .shared where !isComposition: result.append(segment)
            case .shared, .foreign:
                if isComposition { reportForeign(segment.page, packet) }
            }
        }
        if reader.isDamaged {
            report(
                Diagnostic(
                    .error, "damaged-packet", "bytes outside of segments were skipped"),
                packet)
        }
        return result
    }

    /// Ends the current display set if the packet begins another one.
    ///
    /// A set without an end continues in packets without a page, regardless of their time.
    private mutating func begin(
        at start: Timestamp, hasPage: Bool, _ packet: Packet
    ) -> [DecodedEvent] {
        guard time != start else { return [] }
        guard hasPage || set.isEnded || set.page == nil else { return [] }
        let events = shown()
        time = start
        containerEnd = packet.statedEnd
        return events
    }

    private mutating func take(_ segment: DVBSegment, _ packet: Packet) {
        switch segment.type {
        case .pageComposition:
            set.page = DVBPageComposition(segment.body)
            if set.page == nil {
                report(DVBProblem.truncated("page").diagnostic, packet)
            }
        case .regionComposition: set.append(segment, to: \.regions, limit: limits.objects)
        case .clutDefinition: set.append(segment, to: \.cluts, limit: limits.objects)
        case .objectData: set.append(segment, to: \.objects, limit: limits.objects)
        case .displayDefinition: set.display = Array(segment.body)
        case .endOfDisplaySet: set.isEnded = true
        case .disparity:
            reportOnce(
                "disparity", "the depth of stereoscopic subtitles is left out", packet)
        case .alternativeCLUT:
            reportOnce(
                "alternative-clut",
                "colors for high dynamic range are ignored", packet)
        default: break
        }
    }

    /// Applies the received display set.
    private mutating func settle() {
        guard !set.isEmpty else { return }
        if set.page != nil { pageStart = time }
        isChanged = composer.apply(set) || isChanged
        set = DVBDisplaySet()
    }

    /// Returns the image on screen from ``time`` on, if it changed.
    private mutating func shown() -> [DecodedEvent] {
        settle()
        set = DVBDisplaySet()
        let images = isChanged ? composer.images() : []
        for problem in composer.takeProblems() {
            var placed = problem.diagnostic
            placed.time = time
            diagnostics.report(placed)
        }
        guard isChanged, let time else { return [] }
        isChanged = false
        guard !images.isEmpty else { return [.clear(at: time)] }
        let end = composer.timeOut.map { seconds in
            // Regions that change without a new page do not keep the page longer.
            let latest = (pageStart ?? time).advanced(by: .seconds(seconds))
            return DecodedCue.KnownEnd(time: latest, source: .clamped)
        }
        // The page is gone already.
        if let end, end.time <= time { return [] }
        var cue = DecodedCue(
            start: time, end: end, replacesEarlier: true,
            content: .images(CueImages(canvas: composer.canvas, images: images)))
        if let containerEnd, containerEnd > time {
            cue.fallbackEnd = .init(time: containerEnd, source: .containerDuration)
        }
        return [.cue(cue)]
    }

    // MARK: Diagnostics

    private func report(_ diagnostic: Diagnostic, _ packet: Packet) {
        var placed = diagnostic
        placed.time = packet.start
        placed.byteOffset = packet.position
        diagnostics.report(placed)
    }

    private mutating func reportOnce(_ code: String, _ message: String, _ packet: Packet) {
        guard reported.insert(code).inserted else { return }
        report(Diagnostic(.info, code, message), packet)
    }

    private mutating func reportForeign(_ page: UInt16, _ packet: Packet) {
        guard reported.insert("other-page").inserted else { return }
        report(
            Diagnostic(
                .warning, "other-page",
                "page \(page) of the stream belongs to another track and is ignored"),
            packet)
    }
}
