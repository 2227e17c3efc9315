internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats

/// A decoder that uses libavcodec, for bitmaps and rare text codecs.
///
/// It supplies the times that libavcodec leaves unset or sets wrong, separately for each codec.
struct FFmpegBackedDecoder: SubtitleDecoder {
    let header: SubtitleHeader

    private let stream: StreamDescription
    private let limits: Limits
    private let budget: PixelBudget
    private let decoder: FFmpegSubtitleDecoder
    let diagnostics: DiagnosticSink
    /// Reads the ASS lines into which libavcodec turns every text codec.
    private var assDecoder: (any SubtitleDecoder)?
    /// libavcodec's default style, for formats without styles.
    private let inventedLook: TextStyle?
    /// The canvas as last stated.
    private var canvas: PixelSize?

    init(
        stream: StreamDescription, limits: Limits, budget: PixelBudget = PixelBudget(),
        diagnostics: DiagnosticSink
    ) throws(UndertextError) {
        self.diagnostics = diagnostics
        self.stream = stream
        self.limits = limits
        self.budget = budget
        decoder = try FFmpegSubtitleDecoder(stream, limits: limits, diagnostics: diagnostics)
        if stream.kind == .text {
            var script = stream
            script.codec = .ass
            script.codecPrivate = decoder.header
            assDecoder = SubtitleFormat.decoder(of: script, diagnostics: diagnostics)
            let header = ASSScriptHeader(decoder.header)
            inventedLook = header.styles.first?.textStyle(canvas: header.canvas)
        } else {
            inventedLook = nil
        }
        canvas = stream.size
        header = SubtitleHeader(
            codec: stream.codec, language: stream.language, title: stream.title, canvas: stream.size
        )
    }

    mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        // The length is withheld: libavcodec would pass it off as the subtitle's own end.
        var input = packet
        if stream.kind == .bitmap { input.duration = nil }
        if let duration = packet.duration, duration < 0 {
            // libavcodec keeps lengths in 32 bits without a sign.
            input.duration = nil
            diagnostics.report(
                .warning, "negative-duration",
                "a packet ends before it starts: it lasts until the next one", for: packet)
        }
        let results = attempt { (decoder) throws(UndertextError) in try decoder.decode(input) }
        return (results ?? []).flatMap { events(of: $0, packet: packet) }
    }

    mutating func finish() -> [DecodedEvent] {
        decoder.flush().flatMap { events(of: $0, packet: nil) }
    }

    mutating func reset() {
        _ = attempt { (decoder) throws(UndertextError) in try decoder.reset() }
        assDecoder?.reset()
    }

    /// Runs a step of libavcodec's; an error becomes a diagnostic, which costs the packet.
    private mutating func attempt<Value>(
        _ step: (FFmpegSubtitleDecoder) throws(UndertextError) -> Value
    ) -> Value? {
        do throws(UndertextError) {
            return try step(decoder)
        } catch {
            diagnostics.report(.error, error.code.name, error.message, streamIndex: stream.index)
            return nil
        }
    }

    private mutating func events(of result: DecodedSubtitle, packet: Packet?) -> [DecodedEvent] {
        guard let base = result.start ?? packet?.start else {
            diagnostics.report(
                .error, "missing-time", "a subtitle without a time is left out",
                streamIndex: stream.index, byteOffset: packet?.position)
            return []
        }
        if stream.kind == .text { return textEvents(of: result, base: base, packet: packet) }
        let start = base.advanced(by: .milliseconds(Int64(result.startOffset)))
        var end: DecodedCue.KnownEnd?
        if let offset = result.endOffset {
            // A DVD's stop command is the end.
            end = .init(
                time: base.advanced(by: .milliseconds(Int64(offset))), source: .explicit)
        }
        guard !result.images.isEmpty else { return [.clear(at: start)] }
        guard budget.spend(result.images.reduce(0) { $0 + $1.indices.count }) else { return [] }
        if let size = result.canvas { canvas = size }
        return [false, true].compactMap { forced in
            let images = result.images.filter { $0.isForced == forced }.compactMap(placed)
            guard !images.isEmpty else { return nil }
            var cue = DecodedCue(
                start: start, end: end, replacesEarlier: true, isForced: forced,
                content: .images(CueImages(canvas: canvas, images: images)))
            if let packetEnd = packet?.statedEnd, packetEnd > start {
                cue.fallbackEnd = .init(time: packetEnd, source: .containerDuration)
            }
            return .cue(cue)
        }
    }

    private mutating func textEvents(
        of result: DecodedSubtitle, base: Timestamp, packet: Packet?
    ) -> [DecodedEvent] {
        let start = base.advanced(by: .milliseconds(Int64(result.startOffset)))
        let end = result.endOffset.map { base.advanced(by: .milliseconds(Int64($0))) }
        guard !result.isEmpty else { return [.clear(at: start)] }
        let lines = result.assLines.map { line in
            Packet(
                streamIndex: stream.index, pts: start.nanoseconds,
                duration: end.map { $0.nanoseconds &- start.nanoseconds }, timeBase: .nanoseconds,
                position: packet?.position, data: Array(line.utf8))
        }
        return lines.flatMap { assDecoder?.decode($0) ?? [] }.map(withoutInventedLook)
    }

    /// Removes the font of libavcodec's default script, which it adds for formats without fonts.
    private func withoutInventedLook(_ event: DecodedEvent) -> DecodedEvent {
        guard case .cue(var cue) = event, case .text(let text) = cue.content else { return event }
        var runs = text.runs
        for index in runs.indices {
            if runs[index].style.font == inventedLook?.font { runs[index].style.font = nil }
            if runs[index].style.fontSize == inventedLook?.fontSize {
                runs[index].style.fontSize = nil
            }
        }
        cue.content = .text(StyledText(runs: runs))
        cue.source = nil
        return .cue(cue)
    }

    private func placed(_ image: DecodedSubtitle.Image) -> PlacedBitmap? {
        let bitmap = IndexedBitmap(
            width: image.width, height: image.height, indices: image.indices,
            palette: image.palette.map(RGBA.init(rawValue:)))
        return bitmap.map { PlacedBitmap(x: image.x, y: image.y, bitmap: $0) }
    }
}
