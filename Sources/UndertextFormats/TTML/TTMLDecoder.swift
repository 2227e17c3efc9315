package import UndertextCore

/// Decodes TTML: a packet is a complete document, like a `.ttml` file and a sample of `stpp`.
///
/// TTML1, TTML2, IMSC 1.0.1 to 1.2, EBU-TT-D and SMPTE-TT. Each paragraph is a cue, split only where its own
/// appearance changes; images are separate cues. Document times are relative to the zero of the timeline, or to
/// the start of the packet if the stream says so. If a packet has a duration, its content is clipped to it
/// (ISO/IEC 14496-30, section 5.6), and content that continues in the next packet is one cue.
package struct TTMLDecoder: SubtitleDecoder {
    /// Decodes a PNG file to an image whose top left corner is at a position; called once for each image of a
    /// document.
    package typealias ImageDecoder =
        @Sendable (_ png: [UInt8], _ x: Int, _ y: Int) -> TTMLDrawnImage

    /// The header of the track.
    package let header: SubtitleHeader
    private let limits: Limits
    private let isRelative: Bool
    private let clips: Bool
    private let images: ImageDecoder
    private var continuation = TTMLContinuation()
    /// The unsupported properties that were reported: once per track.
    private var leftOut: Set<String> = []

    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// Creates a decoder for `stream`.
    ///
    /// - Parameters:
    ///   - stream: the stream; its ``StreamDescription/inlineTimeOrigin`` determines the origin of times, by
    ///     default the zero of the timeline.
    ///   - options: limits for a document.
    ///   - clips: `true` if the content of a packet with a duration is clipped to it.
    ///   - diagnostics: the sink for lost and skipped content.
    ///   - images: decodes PNG files; `nil` for libpng.
    package init(
        stream: StreamDescription, options: DecodingOptions = DecodingOptions(),
        clips: Bool = true, diagnostics: DiagnosticSink = .init(), images: ImageDecoder? = nil
    ) {
        self.diagnostics = diagnostics
        header = SubtitleHeader(
            codec: .ttml, language: stream.language, title: stream.title,
            canvas: stream.kind == .bitmap ? stream.size : nil)
        limits = options.limits
        self.clips = clips
        self.images =
            images ?? { [limits, budget = options.spending] png, x, y in
                TTMLDrawnImage(png, x: x, y: y, limits: limits, budget: budget)
            }
        isRelative = stream.inlineTimeOrigin == .packet
    }

    /// The cues of one document, by start; cues that may continue in the next one are held back.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        var notes = TTMLNotes()
        defer { for note in notes.take() { diagnostics.report(placed(note, packet)) } }
        let offset = Int64(clamping: packet.inlineTimeOffset.nanoseconds128)
        let shift = isRelative ? packet.start?.nanoseconds ?? 0 : offset
        let window = clips ? window(of: packet) : nil
        guard
            let found = found(
                in: packet, part: window.map { Self.shifted($0, by: shift) }, notes: &notes)
        else { return events(continuation.take()) }
        var cues: [Cue] = []
        cues.reserveCapacity(found.entries.count)
        for entry in found.entries {
            if let cue = Self.closed(
                entry, end: found.end, shift: shift, window: window,
                earliest: clips ? packet.start : nil)
            {
                cues.append(cue)
            }
        }
        if window != nil {
            // Cutting moves starts to one time.
            let order = cues.indices.sorted { (cues[$0].start, $0) < (cues[$1].start, $1) }
            cues = order.map { cues[$0] }
        }
        return events(continuation.add(cues, window: window))
    }

    /// The cues of a document and the last time at which something changes; `nil` for what is no TTML.
    ///
    /// The document itself, which takes more memory than its cues, is gone by then.
    private mutating func found(
        in packet: Packet, part: Range<TTMLTime>?, notes: inout TTMLNotes
    ) -> (entries: [TTMLCues.Entry], end: Timestamp)? {
        guard let tree = TTMLTree.reading(packet.data, limits: limits, notes: &notes) else {
            return nil
        }
        for (name, count) in tree.leftOut.sorted(by: { $0.key < $1.key })
        where leftOut.insert(name).inserted {
            notes.add(
                .warning, "style-left-out",
                "the property '\(name)' is not supported and is ignored"
                    + (count > 1 ? " (\(count) times)" : ""))
        }
        let painter = TTMLPainter(
            tree, files: LinkedFile.files(of: packet), limits: limits, decode: images)
        let found = TTMLCues(tree, part: part, images: painter, limits: limits, notes: notes)
        notes = found.notes
        return (found.entries, found.documentEnd)
    }

    /// The interval of a packet; `nil` where it has no length.
    private func window(of packet: Packet) -> Range<Timestamp>? {
        guard let start = packet.start, let end = packet.end, start < end else { return nil }
        return start..<end
    }

    /// An interval of the timeline on the document's clock.
    private static func shifted(_ window: Range<Timestamp>, by shift: Int64) -> Range<TTMLTime> {
        func time(_ value: Timestamp) -> TTMLTime {
            let time = Int128(value.nanoseconds) - Int128(shift)
            return TTMLTime(min(max(time, 0), Int128(TTMLTime.latest)))
        }
        let start = time(window.lowerBound)
        return start..<max(start, time(window.upperBound))
    }

    /// A cue on the timeline with an end; `nil` if it is outside `window`, or after `earliest`.
    private static func closed(
        _ entry: TTMLCues.Entry, end documentEnd: Timestamp, shift: Int64,
        window: Range<Timestamp>?, earliest: Timestamp?
    ) -> Cue? {
        func moved(_ time: Timestamp) -> Timestamp { time.advanced(by: .nanoseconds(shift)) }
        var cue = entry.cue
        cue.start = moved(cue.start)
        if let end = entry.end {
            cue.end = moved(end)
        } else if let window {
            // Content without an end lasts as long as its packet.
            cue.end = window.upperBound
            cue.endSource = .containerDuration
        } else if documentEnd > entry.cue.start {
            cue.end = moved(documentEnd)
            cue.endSource = .endOfStream
        } else {
            let start = max(cue.start, earliest ?? cue.start)
            cue.end = min(start.advanced(by: .seconds(10)), moved(Timestamp(nanoseconds: .latest)))
            cue.endSource = .clamped
        }
        guard let window else {
            // The start of the packet is known, but not its duration.
            guard let earliest, earliest > cue.start else { return cue }
            cue.start = earliest
            return cue.end > earliest ? cue : nil
        }
        guard cue.start < window.upperBound, cue.end > window.lowerBound else { return nil }
        cue.start = max(cue.start, window.lowerBound)
        if cue.end > window.upperBound {
            cue.end = window.upperBound
            cue.endSource = .containerDuration
        }
        return cue
    }

    private func events(_ cues: [Cue]) -> [DecodedEvent] {
        cues.map { cue in
            diagnostics.reportComplexity(of: cue.content, at: cue.start)
            return .cue(DecodedCue(cue))
        }
    }

    private func placed(_ diagnostic: Diagnostic, _ packet: Packet) -> Diagnostic {
        var placed = diagnostic
        placed.streamIndex = packet.streamIndex
        placed.time = diagnostic.time ?? packet.start
        placed.byteOffset = packet.position ?? diagnostic.byteOffset
        return placed
    }

    /// The cues that were held back.
    package mutating func finish() -> [DecodedEvent] { events(continuation.take()) }

    /// Starts again after a seek.
    package mutating func reset() { _ = continuation.take() }
}
