internal import PNG
internal import SubtitleCodecs
internal import SubtitleFormats

/// The events of a picture folder as cues: PNG files become pictures of at most 256 colours.
struct PictureFolderDecoder: SubtitleDecoder {
    let header: SubtitleHeader
    private let limits: Limits
    private var diagnostics: [Diagnostic] = []

    init(stream: StreamDescription, limits: Limits) {
        header = SubtitleHeader(
            codec: stream.codec, language: stream.language, title: stream.title,
            canvas: stream.size)
        self.limits = limits
    }

    mutating func decode(_ packet: Packet) -> [DecodedEvent] {
        guard let start = packet.start, let end = packet.end else { return [] }
        let (isForced, files) = PictureFolderPacket.parts(of: packet.data)
        let pictures = files.compactMap { picture($0.file, x: $0.x, y: $0.y, at: start) }
        guard !pictures.isEmpty else { return [] }
        let cue = Cue(
            start: start, end: end, isForced: isForced,
            content: .pictures(CuePictures(canvas: header.canvas, pictures: pictures)))
        // Events of a folder may overlap: one does not end the other.
        return [
            .cue(
                CueDraft(
                    cue: cue, end: .init(time: end, source: .explicit), replacesEarlier: false))
        ]
    }

    mutating func finish() -> [DecodedEvent] { [] }

    mutating func reset() {}

    mutating func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }

    private mutating func picture(
        _ file: [UInt8], x: Int, y: Int, at time: Timestamp
    ) -> PlacedBitmap? {
        do throws(PNGError) {
            let decoded = try PNGDecoder.decodeRGBA(file, largestSide: limits.canvas)
            let pixels = stride(from: 0, to: decoded.rgba.count, by: 4).map { place in
                RGBA(
                    red: decoded.rgba[place], green: decoded.rgba[place + 1],
                    blue: decoded.rgba[place + 2], alpha: decoded.rgba[place + 3])
            }
            guard
                let raster = Raster(
                    x: x, y: y, width: decoded.width, height: decoded.height, pixels: pixels),
                let result = ColorReduction.indexed(raster, limit: 256)
            else {
                note("a picture has no pixels that can be shown", at: time)
                return nil
            }
            if !result.isExact {
                diagnostics.append(
                    Diagnostic(
                        .warning, "colours-reduced",
                        "a picture of more than 256 colours was reduced to 256", time: time))
            }
            return result.picture
        } catch {
            note(error.message, at: time)
            return nil
        }
    }

    private mutating func note(_ message: String, at time: Timestamp) {
        diagnostics.append(Diagnostic(.error, "malformed-picture", message, time: time))
    }
}
