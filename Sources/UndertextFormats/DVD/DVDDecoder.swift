internal import UndertextCore

/// Decodes DVD sub-pictures: packets of units in, cues out.
///
/// Each change of the image, its colors or opacities within a unit becomes a separate cue. A cue ends at the
/// next change or at the unit's stop command; without one, at the end of its packet. A decoder shows one unit
/// at a time, so the next unit always ends the current one.
struct DVDDecoder: SubtitleDecoder {
    /// The frame size of most discs, used if the input states none.
    private static let usualCanvas = PixelSize(width: 720, height: 576)

    let header: SubtitleHeader

    private let streamIndex: Int
    private let settings: VobSubSettings
    private let limits: Limits
    private let budget: PixelBudget
    private let matrix: ColorMatrix
    private let canvas: PixelSize
    private var assembler: SubPictureAssembler
    let diagnostics: DiagnosticSink

    init(
        stream: StreamDescription, options: DecodingOptions,
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        let settings = VobSubSettings(
            codecPrivate: stream.codecPrivate, matrix: options.colorMatrix)
        self.settings = settings
        streamIndex = stream.index
        limits = options.limits
        budget = options.spending
        canvas = settings.size ?? stream.size ?? Self.usualCanvas
        matrix = options.colorMatrix ?? ColorMatrix(height: canvas.height)
        assembler = SubPictureAssembler(limits: options.limits)
        header = SubtitleHeader(
            codec: stream.codec, language: stream.language, title: stream.title, canvas: canvas)
        if settings.palette == nil, settings.customColors == nil {
            note(
                .warning, "missing-palette",
                "the input has no palette; images are gray", packet: nil)
        }
        if settings.showsForcedOnly {
            note(
                .info, "forced-only",
                "the input requests forced cues only (forced subs: ON); all cues are kept",
                packet: nil)
        }
    }

    mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        assembler.add(packet).flatMap { events(of: $0) }
    }

    mutating func finish() -> [DecodedEvent] {
        assembler.finish().flatMap { events(of: $0) }
    }

    mutating func reset() { _ = assembler.finish() }

    private func events(of assembled: SubPictureAssembler.Assembled) -> [DecodedEvent] {
        let packet = assembled.packet
        guard let unit = SubPictureUnit(packet.data) else {
            note(
                .error, "damaged-spu", "a packet that is not a sub-picture unit was left out",
                packet: packet)
            return []
        }
        if assembled.missing > 0 {
            note(
                .error, "truncated-spu",
                "a sub-picture unit has \(packet.data.count) of \(unit.size) bytes",
                packet: packet)
        } else if unit.isDamaged {
            note(
                .warning, "damaged-spu", "commands of a sub-picture unit are damaged",
                packet: packet)
        }
        guard packet.start != nil else {
            note(
                .error, "missing-time", "a subtitle without a time is left out", packet: packet)
            return []
        }
        let (steps, issues) = SubPictureComposer.steps(
            of: unit, settings: settings, limits: limits, matrix: matrix, budget: budget)
        for issue in SubPictureComposer.Issue.allCases where issues.contains(issue) {
            note(issue, packet)
        }
        return events(of: steps, packet)
    }

    private func events(
        of steps: [SubPictureComposer.Step], _ packet: Packet
    ) -> [DecodedEvent] {
        var events: [DecodedEvent] = []
        for (index, step) in steps.enumerated() {
            guard let start = time(step, in: packet) else { continue }
            guard let image = step.image else {
                // The images of the unit itself have ends; earlier ones may be open.
                if events.isEmpty { events.append(.clear(at: start)) }
                continue
            }
            var end: DecodedCue.KnownEnd?
            if index + 1 < steps.count, let next = time(steps[index + 1], in: packet) {
                end = .init(time: next, source: .explicit)
            } else if let packetEnd = packet.statedEnd, packetEnd > start {
                end = .init(time: packetEnd, source: .containerDuration)
            }
            let cue = DecodedCue(
                start: start, end: end, replacesEarlier: true, isForced: step.isForced,
                content: .images(CueImages(canvas: canvas, images: [image])))
            events.append(.cue(cue))
        }
        return events
    }

    /// A step's time on the track's clock.
    private func time(_ step: SubPictureComposer.Step, in packet: Packet) -> Timestamp? {
        guard let start = packet.start,
            let offset = Duration(ticks: step.ticks, timeBase: .mpeg)
        else { return nil }
        return start.advanced(by: offset)
    }

    private func note(_ issue: SubPictureComposer.Issue, _ packet: Packet) {
        switch issue {
        case .clippedRun:
            note(
                .warning, "clipped-run", "a run of pixels is longer than its line and is cut",
                packet: packet)
        case .truncatedPixels:
            note(.error, "truncated-image", "lines of an image are missing", packet: packet)
        case .badArea:
            note(
                .error, "bad-area", "an image without a usable area is left out",
                packet: packet)
        case .noPixels:
            note(
                .error, "missing-image",
                "a unit shows an image without an area or without pixel data",
                packet: packet)
        case .tooLarge:
            note(
                .error, "limit-exceeded",
                "a unit draws more pixels than allowed; the rest is left out", packet: packet)
        case .badStop:
            note(
                .warning, "bad-stop",
                "a unit ends before it is shown; its command to stop is ignored", packet: packet)
        case .noStart:
            note(
                .info, "missing-start",
                "a unit has no command to start its display; it is shown from its own time",
                packet: packet)
        }
    }

    private func note(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, packet: Packet?
    ) {
        diagnostics.report(
            severity, code, message, streamIndex: streamIndex, time: packet?.start,
            byteOffset: packet?.position)
    }
}
