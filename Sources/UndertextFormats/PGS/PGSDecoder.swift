package import UndertextCore

/// Decodes presentation graphics (Blu-ray subtitles) to images.
///
/// Packets may be whole display sets, single segments or parts of segments. A display set is drawn
/// when its END comes, or the next set where that is missing; its time is that of its composition.
/// Sizes are checked against ``UndertextCore/Limits``, and the objects of an epoch take
/// `Limits/packetSize` bytes at most, code and pixels together.
package struct PGSDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader

    private let stream: StreamDescription
    private let options: DecodingOptions
    private var splitter = PGSSegmentSplitter()
    private var epoch: PGSEpoch
    /// The display set that is arriving.
    private var set: DisplaySet?
    /// The content of the last display set, to which a palette-only update may refer.
    private var shown: (placements: [PGSComposition.Placement], palette: UInt8) = ([], 0)
    /// The start of the last display set.
    private var lastStart: Timestamp?
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The number of diagnostics about the packet at hand.
    private var reported = 0
    /// `true` if colors were defined, and if any object was placed or drawn with them.
    private var (hasColors, hasImages) = (false, false)

    private struct DisplaySet {
        var composition: PGSComposition
        var origin: PGSOrigin
        /// `true` if it defines colors.
        var hasPalette = false
    }

    /// Diagnostics about one packet; one that is damaged throughout must not fill memory.
    private static let diagnosticsAtMost = 1000

    /// Creates a decoder for a stream.
    package init(
        stream: StreamDescription, options: DecodingOptions = .init(),
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        self.stream = stream
        var known = options
        known.budget = options.spending
        self.options = known
        epoch = PGSEpoch(options: known)
        // The container may have copied the size of the plane from the stream itself.
        let limit = options.limits.canvas
        header = SubtitleHeader(
            codec: stream.codec, language: stream.language, title: stream.title,
            canvas: stream.size.flatMap { max($0.width, $0.height) <= limit ? $0 : nil })
    }

    /// The images that appear, and the clearing of the screen.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        reported = 0
        let origin = PGSOrigin(
            start: packet.start, end: packet.statedEnd, position: packet.position)
        var events: [DecodedEvent] = []
        for segment in splitter.push(packet.data, origin) { take(segment, &events) }
        note(splitter.takeProblems(), origin)
        return events
    }

    /// Draws a display set without an END segment.
    package mutating func finish() -> [DecodedEvent] {
        reported = 0
        var events: [DecodedEvent] = []
        let origin = set?.origin ?? PGSOrigin()
        for segment in splitter.finish() { take(segment, &events) }
        note(splitter.takeProblems(), origin)
        endSet(&events)
        if hasColors, !hasImages {
            let problem = PGSProblem(
                .warning, "no-images", "the track has palettes but no images; nothing is shown")
            note([problem], origin)
        }
        return events
    }

    /// Forgets the epoch: call it after a seek.
    package mutating func reset() {
        splitter = PGSSegmentSplitter()
        epoch = PGSEpoch(options: options)
        set = nil
        shown = ([], 0)
        lastStart = nil
    }

    private mutating func take(_ segment: PGSSegment, _ events: inout [DecodedEvent]) {
        switch segment.kind {
        case .composition: begin(segment, &events)
        case .windows: epoch.addWindows(segment.body)
        case .palette:
            if epoch.addPalette(segment.body) != nil {
                hasColors = true
                set?.hasPalette = true
            }
        case .object:
            hasImages = true
            epoch.objects.add(segment.body, isCutOff: segment.isCutOff)
        case .end: endSet(&events)
        }
        note(epoch.takeProblems(), set?.origin ?? segment.origin)
    }

    /// Begins a display set; one that is still open ends.
    private mutating func begin(_ segment: PGSSegment, _ events: inout [DecodedEvent]) {
        if let open = set {
            note([PGSProblem(.info, "missing-end", "a display set has no END")], open.origin)
            endSet(&events)
        }
        guard var composition = PGSComposition(segment.body) else {
            let problem = PGSProblem(
                .error, "damaged-composition",
                "a composition of \(segment.body.count) bytes is too short")
            return note([problem], segment.origin)
        }
        if composition.missing > 0 {
            let problem = PGSProblem(
                .error, "damaged-composition",
                "\(composition.missing) objects of a composition are cut off")
            note([problem], segment.origin)
        }
        if composition.placements.count > options.limits.objects {
            composition.placements.removeLast(
                composition.placements.count - options.limits.objects)
            let problem = PGSProblem(
                .error, "too-many-objects",
                "more than \(options.limits.objects) images at once; the rest is left out")
            note([problem], segment.origin)
        }
        if let canvas = composition.canvas,
            max(canvas.width, canvas.height) > options.limits.canvas
        {
            composition.canvas = nil
            let problem = PGSProblem(
                .error, "image-too-large",
                "a canvas of \(canvas.width)x\(canvas.height) is left out")
            note([problem], segment.origin)
        }
        if !composition.placements.isEmpty { hasImages = true }
        epoch.enter(composition.state)
        set = DisplaySet(composition: composition, origin: segment.origin)
    }

    /// Ends the open display set and returns its content.
    private mutating func endSet(_ events: inout [DecodedEvent]) {
        epoch.objects.finishFragments()
        guard let set else { return }
        self.set = nil
        let (composition, origin) = (set.composition, set.origin)
        var placements = composition.placements
        if isPaletteOnly(set) { placements = shown.placements }
        shown = (placements, composition.palette)
        guard let start = origin.start else {
            let problem = PGSProblem(
                .error, "missing-time", "a display set without a time is left out")
            return note([problem], origin)
        }
        // A set at the very time of the one before it replaces that as well; what it replaces within a
        // packet need not be held.
        if lastStart == start {
            while case .cue(let cue) = events.last, cue.start == start {
                events.removeLast()
            }
            events.append(.clear(at: start))
        }
        lastStart = start
        var cues: [DecodedEvent] = []
        for isForced in [false, true] where placements.contains(where: { $0.isForced == isForced })
        {
            let images = epoch.draw(
                placements, palette: composition.palette, on: composition.canvas,
                isForced: isForced)
            guard !images.isEmpty else { continue }
            let content = CueImages(canvas: composition.canvas, images: images)
            var cue = DecodedCue(
                start: start, end: nil, replacesEarlier: true, isForced: isForced,
                content: .images(content))
            if let end = origin.end, end > start {
                cue.fallbackEnd = .init(time: end, source: .containerDuration)
            }
            cues.append(.cue(cue))
        }
        note(epoch.takeProblems(), origin)
        events += cues.isEmpty ? [.clear(at: start)] : cues
    }

    /// `true` if a display set without objects recolors what is shown, instead of clearing it.
    ///
    /// A palette-only update changes only the colors (US 2009/0185789 on
    /// `palette_update_flag`), so that there is no need to name the objects again, and streams are
    /// found that do not. A set that brings no colors and names no other palette would change
    /// no object then: it can only clear the screen.
    private func isPaletteOnly(_ set: DisplaySet) -> Bool {
        let composition = set.composition
        return composition.isPaletteUpdate && composition.state == .normal
            && composition.placements.isEmpty && composition.missing == 0
            && (set.hasPalette || composition.palette != shown.palette)
    }

    private mutating func note(_ problems: [PGSProblem], _ origin: PGSOrigin) {
        for problem in problems where reported < Self.diagnosticsAtMost {
            reported += 1
            diagnostics.report(
                problem.severity, problem.code, problem.message, streamIndex: stream.index,
                time: origin.start, byteOffset: origin.position)
        }
    }
}
