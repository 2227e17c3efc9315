internal import UndertextCore
internal import UndertextFormats

/// Packets of one track in, finished cues out.
struct TrackDecoder {
    let stream: StreamDescription
    private var decoder: any SubtitleDecoder
    private var assembler: CueAssembler
    private var folder: FadeMerger?
    private let mapping: TimelineMapping
    private let takesAll: Bool
    /// Finds the end of the input, which is only wanted if a cue has no end.
    private let inputEnd: () throws(UndertextError) -> Timestamp?
    /// The pixel budget, shared with the encoders of the track's outputs.
    let budget: PixelBudget
    private let diagnostics: DiagnosticSink
    /// The start of the current packet.
    private var time: Timestamp?
    /// The events of the current packet; a property so that its memory is reused.
    private var events: [DecodedEvent] = []

    /// Creates a decoder that reports to `diagnostics` with the stream's index and times of `mapping`.
    init(
        stream: StreamDescription, mapping: TimelineMapping, container: ContainerDescription,
        forcedOnly: Bool, limits: Limits, images: ImageDecoding = ImageDecoding(),
        inputEnd: (() throws(UndertextError) -> Timestamp?)? = nil, rollUpLines: Bool = false,
        isTextFile: Bool = false, diagnostics: DiagnosticSink
    ) throws(UndertextError) {
        self.stream = stream
        let ours = diagnostics.changing { $0.streamIndex = stream.index }
        let stored = ours.changing { $0.time = $0.time.map(mapping.mapped) }
        self.diagnostics = stored
        budget = PixelBudget(limits: limits)
        if let reason = SubtitleFormat.decodingRefusal(of: stream.codec) {
            throw UndertextError(.unsupported, reason, streamIndex: stream.index)
        }
        let options = DecodingOptions(
            colorMatrix: images.colorMatrix, limits: limits, budget: budget,
            rollUpLines: rollUpLines)
        if let decoder = SubtitleFormat.decoder(
            of: stream, options: options, diagnostics: stored)
        {
            self.decoder = decoder
        } else {
            decoder = try FFmpegBackedDecoder(
                stream: stream, limits: limits, budget: budget, diagnostics: stored)
        }
        folder = images.mergesFades ? FadeMerger() : nil
        assembler = CueAssembler(
            mapping: mapping, trackIsForced: stream.isForced, forcedOnly: forcedOnly,
            limits: limits, isTextFile: isTextFile, diagnostics: ours)
        self.mapping = mapping
        takesAll = !forcedOnly && !stream.isForced
        self.inputEnd = inputEnd ?? { container.storedEnd }
    }

    /// The known part of the track's header.
    var header: SubtitleHeader {
        var header = decoder.header
        // Marks the output, whose name then contains `forced`.
        header.isForced = !takesAll
        return header
    }

    mutating func decode(_ packet: Packet) -> [Cue] {
        var cues: [Cue] = []
        decode(packet, into: &cues)
        return cues
    }

    /// Appends the cues that are finished by a packet.
    mutating func decode(_ packet: Packet, into cues: inout [Cue]) {
        if stream.kind == .bitmap, budget.isExhausted { return reportBudget() }
        budget.add(bytes: packet.data.count)
        time = packet.start
        events.removeAll(keepingCapacity: true)
        decoder.decode(packet, into: &events)
        reportBudget()
        guard folder == nil else {
            cues += folded(events.flatMap { assembler.add($0) })
            return reportBudget()
        }
        // A document is one packet, and may have a million of them.
        let isDocument = events.count > 4096
        if isDocument { cues.reserveCapacity(cues.count + events.count) }
        for event in events { assembler.add(event, to: &cues) }
        if isDocument { events = [] }
    }

    /// `true` if cues of plain text would come out as their packets state them.
    var takesPlainCues: Bool { stream.kind == .text && takesAll && mapping.isIdentity }

    /// Returns the pending cues, given that all further cues begin at `start` or later.
    mutating func settle(before start: Timestamp) -> [Cue] { assembler.settleText(before: start) }

    /// Counts cues that need no decoding; returns the position of the first one.
    mutating func countPlainCues(_ count: Int) -> Int { assembler.count(count) }

    /// `true` if a cue that began before `time` is on screen, and only comes out when it ends.
    func shows(before time: Timestamp) -> Bool {
        decoder.shownSince.map { mapping.mapped($0) < time } ?? false
    }

    mutating func finish() -> [Cue] {
        let last = decoder.finish()
        reportBudget()
        let cues = last.flatMap { assembler.add($0) }
        let end = self.end
        let all = folded(cues + assembler.finish(duration: end()))
        return all + (folder?.finish() ?? [])
    }

    /// Finds the end of the input, for a cue without an end.
    private var end: () -> Timestamp? {
        { [inputEnd, diagnostics] in
            do throws(UndertextError) {
                // A packet without a known length makes FFmpeg write a file of 49 days.
                return try inputEnd().flatMap { $0 < .seconds(1 << 21) ? $0 : nil }
            } catch {
                diagnostics.report(
                    .warning, "unknown-end",
                    "the end of the last cue is a guess, because that of the input is unknown: "
                        + error.description)
                return nil
            }
        }
    }

    private mutating func folded(_ cues: [Cue]) -> [Cue] {
        guard folder != nil else { return cues }
        return cues.flatMap { cue in
            // Detecting a fade examines all pixels of an image.
            if case .images(let content) = cue.content, !budget.spend(content.pixelCount) {
                return [Cue]()
            }
            return folder?.add(cue) ?? []
        }
    }

    /// Reports once that the images cost more than they may: those who write them spend pixels, too.
    func reportBudget() {
        if let limit = budget.takeDiagnostic(time: time) { diagnostics.report(limit) }
    }
}
