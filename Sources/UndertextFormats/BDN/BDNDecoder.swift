internal import UndertextCore
internal import UndertextPNG

/// The events of an image folder as cues: PNG files become images of at most 256 colors.
struct BDNDecoder: SubtitleDecoder {
    let header: SubtitleHeader
    private let limits: Limits
    private let budget: PixelBudget
    let diagnostics: DiagnosticSink

    init(stream: StreamDescription, options: DecodingOptions, diagnostics: DiagnosticSink) {
        self.diagnostics = diagnostics
        budget = options.spending
        header = SubtitleHeader(
            codec: stream.codec, language: stream.language, title: stream.title,
            canvas: stream.size)
        limits = options.limits
    }

    mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let start = packet.start, let end = packet.end else { return [] }
        let (isForced, files) = BDNPacket.parts(of: packet.data)
        // All images of an event are held at once.
        var room = limits.canvas.multipliedReportingOverflow(by: limits.canvas).partialValue
        var images: [PlacedBitmap] = []
        for file in files {
            let size = PNGDecoder.size(of: file.bytes) ?? (0, 0)
            let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
            guard !overflow, area <= room else {
                diagnostics.report(
                    .error, "limit-exceeded",
                    "\(file.name): the images of an event have more pixels than allowed",
                    time: start)
                continue
            }
            room -= area
            let isAllowed = max(size.width, size.height) <= limits.canvas
            if isAllowed, !budget.spend(area) { break }
            if let image = image(file, at: start) { images.append(image) }
        }
        guard !images.isEmpty else { return [] }
        // Events of a folder may overlap: one does not end the other.
        return [
            .cue(
                DecodedCue(
                    start: start, end: .init(time: end, source: .explicit), isForced: isForced,
                    content: .images(CueImages(canvas: header.canvas, images: images))))
        ]
    }

    mutating func finish() -> [DecodedEvent] { [] }

    mutating func reset() {}

    private func image(
        _ file: BDNPacket.Image, at time: Timestamp
    ) -> PlacedBitmap? {
        do throws(PNGError) {
            guard
                let result = try PNGImage.indexed(
                    file.bytes, x: file.x, y: file.y, limits: limits)
            else {
                note("\(file.name): it has no visible pixels", at: time)
                return nil
            }
            if !result.isExact {
                diagnostics.report(
                    .warning, "colors-reduced",
                    "\(file.name): more than 256 colors were reduced to 256", time: time)
            }
            return result.image
        } catch {
            note("\(file.name): \(error.message)", at: time)
            return nil
        }
    }

    private func note(_ message: String, at time: Timestamp) {
        diagnostics.report(.error, "malformed-image", message, time: time)
    }
}
