package import UndertextCore

/// Decodes XSUB, the images of DivX media files.
///
/// Packets state their times themselves; the container's times are ignored.
package struct XSUBDecoder: SubtitleDecoder {
    /// The header of the track.
    package let header: SubtitleHeader

    private let hasAlpha: Bool
    private let limits: Limits
    private let budget: PixelBudget
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink

    /// A decoder for `stream`, whose codec tag states whether colors have opacities.
    package init(
        stream: StreamDescription, options: DecodingOptions = .init(),
        diagnostics: DiagnosticSink = .init()
    ) {
        self.diagnostics = diagnostics
        hasAlpha = stream.details?.codecTagString == "DXSA"
        limits = options.limits
        budget = options.spending
        header = SubtitleHeader(
            codec: .xsub, language: stream.language, title: stream.title, canvas: stream.size)
    }

    /// The image of a packet, with its end.
    package mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard !packet.data.isEmpty else { return [] }
        guard let times = XSUBTimes(packet.data),
            let image = XSUBImage(packet.data, hasAlpha: hasAlpha)
        else {
            report(.error, "truncated-packet", "a packet has no times or is cut off", packet)
            return []
        }
        // One that is too large does not use up what others may cost.
        let isAllowed = max(image.width, image.height) <= limits.canvas
        if isAllowed, !budget.spend(width: image.width, height: image.height) { return [] }
        guard
            var plane = IndexPlane(
                width: image.width, height: image.height, limit: limits.canvas)
        else {
            let size = "\(image.width)x\(image.height)"
            report(
                .error, "image-too-large", "an image of \(size) is left out", packet,
                times.start)
            return []
        }
        if !draw(image, on: &plane) {
            report(
                .error, "damaged-image", "the lines of an image are damaged", packet,
                times.start)
        }
        let isVisible = (0..<256).map { $0 < 4 && image.palette[$0].alpha > 0 }
        let end = DecodedCue.KnownEnd(time: times.end, source: .explicit)
        let isOpen = times.end <= times.start
        guard let visible = plane.visibleBounds(isVisible),
            let part = plane.cropped(to: visible),
            let bitmap = IndexedBitmap(
                width: part.width, height: part.height, indices: part.indices,
                palette: image.palette)
        else { return [.clear(at: times.start)] }
        let placed = PlacedBitmap(
            x: image.x + visible.x, y: image.y + visible.y, bitmap: bitmap)
        let cue = DecodedCue(
            start: times.start, end: isOpen ? nil : end, replacesEarlier: true,
            content: .images(CueImages(canvas: header.canvas, images: [placed])))
        return [.cue(cue)]
    }

    /// Nothing is held back.
    package mutating func finish() -> [DecodedEvent] { [] }

    /// Nothing is kept between packets.
    package mutating func reset() {}

    /// Draws both fields; `false` if they are damaged.
    ///
    /// The lower field follows the upper one. Its stated offset is wrong in many files and is used only if the
    /// upper field is damaged.
    private func draw(_ image: XSUBImage, on plane: inout IndexPlane) -> Bool {
        var runs = NibbleRunLength(image.runs)
        let upper = runs.draw(from: 0, on: &plane)
        if upper != (false, false), (0..<image.runs.count).contains(image.secondField) {
            runs = NibbleRunLength(image.runs, from: image.secondField)
            _ = runs.draw(from: 1, on: &plane)
            return false
        }
        return runs.draw(from: 1, on: &plane) == (false, false) && upper == (false, false)
    }

    private func report(
        _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ packet: Packet,
        _ time: Timestamp? = nil
    ) {
        diagnostics.report(
            severity, code, message, time: time ?? packet.start,
            byteOffset: packet.position)
    }
}
