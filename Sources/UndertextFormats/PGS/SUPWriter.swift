package import UndertextCore

/// Writes images as a Blu-ray .sup file.
///
/// Every screen is a separate epoch with its windows, palette and objects; a set without objects clears it,
/// unless another screen follows immediately. Images that are shown together become two objects, the maximum of
/// a composition; more are joined. Objects keep their forced flags. Decoding times follow the model of the
/// standard, but are never before the previous set.
///
/// Colors are converted to Y, Cb and Cr with an error of at most 2 of 255; colors from PGS are reproduced
/// exactly. More than 255 colors on a screen, and images beyond the canvas, are losses.
package struct SUPWriter: ImageCueWriter {
    /// One file.
    package let fileExtensions = ["sup"]
    /// The losses so far.
    package private(set) var losses = ConversionLosses()

    private let canvas: PixelSize?
    private let frameRate: FrameRate
    private let matrix: ColorMatrix?
    /// Screens written so far.
    package private(set) var screenCount = 0
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private var spans: ScreenSpans
    private var number: UInt16 = 0
    /// The windows of the screen that is shown, and when it ends.
    private var open: (windows: [PixelRectangle], canvas: PixelSize, end: Int64)?
    private var lastTime: Int64 = 0
    private var converted: [RGBA: LumaChroma] = [:]

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - canvas: the canvas of cues that do not state one; 1920 × 1080 if unknown.
    ///   - frameRate: the frame rate in compositions.
    ///   - matrix: the conversion from RGB to Y, Cb and Cr; `nil` to choose by the height of the canvas.
    ///   - budget: the limit for drawing overlapping cues; `nil` for no limit.
    ///   - diagnostics: the sink for lost cues.
    package init(
        canvas: PixelSize? = nil, frameRate: FrameRate = .film, matrix: ColorMatrix? = nil,
        budget: PixelBudget? = nil, diagnostics: DiagnosticSink = .init()
    ) {
        spans = ScreenSpans(budget: budget)
        self.diagnostics = diagnostics
        self.canvas = canvas
        self.frameRate = frameRate
        self.matrix = matrix
    }

    /// Writes the screens that are over when `cue` appears.
    package mutating func write(_ cue: Cue, into output: inout [[UInt8]]) {
        guard case .images = cue.content, !output.isEmpty else { return }
        let (finished, isShown) = spans.add(cue)
        if !isShown { lose(cue, ScreenSpans.notShown) }
        for span in finished { show(span, into: &output[0]) }
    }

    /// Writes the screens that are left, and clears the last one.
    package mutating func finish(into output: inout [[UInt8]]) {
        guard !output.isEmpty else { return }
        for span in spans.finish() { show(span, into: &output[0]) }
        clear(before: .max, into: &output[0])
    }

    private mutating func show(_ span: ScreenSpan, into output: inout [UInt8]) {
        guard let first = span.cues.first else { return }
        let size = canvas(of: span.cues)
        let start = Self.ticks(span.start)
        guard let composition = PGSScreen(span.cues, canvas: size) else {
            return lose(first, "no part of it is on the canvas")
        }
        let objects = composition.objects.map {
            PGSRunLengthEncoder.encode($0.indices, width: $0.image.bitmap.width)
        }
        guard objects.allSatisfy({ $0.count <= PGSScreen.objectSizeAtMost }) else {
            return lose(first, "its image takes more than the 16 MB of an object")
        }
        for kind in ConversionLosses.Kind.allCases where composition.losses.contains(kind) {
            losses.record(kind, in: first)
        }
        clear(before: start, into: &output)
        let timing = PGSTiming(composition, canvas: size)
        let dts = min(start, max(lastTime, start - timing.whole))
        var segments = PGSSegments()
        segments.composition(
            composition.objects, canvas: size, frameRate: frameRate, number: number,
            state: .epochStart, pts: start, dts: dts)
        segments.windows(
            composition.windows, pts: max(dts, start - timing.windows), dts: dts)
        segments.palette(entries(composition.palette, height: size.height), at: dts)
        var decoded = dts
        for (index, object) in composition.objects.enumerated() {
            let before = decoded
            decoded = min(start, dts + timing.objects[index])
            segments.object(
                index, width: object.image.bitmap.width, height: object.image.bitmap.height,
                data: objects[index], pts: decoded, dts: before)
        }
        segments.end(at: decoded)
        output += segments.bytes
        number &+= 1
        lastTime = start
        screenCount += 1
        open = (composition.windows, size, max(start + 1, Self.ticks(span.end)))
    }

    private mutating func lose(_ cue: Cue, _ reason: String) {
        losses.record(.image, in: cue)
        diagnostics.reportLoss(of: cue, reason)
    }

    /// Clears the screen at its end, if that is before the next one.
    private mutating func clear(before next: Int64, into output: inout [UInt8]) {
        guard let open, open.end < next else { return }
        self.open = nil
        let timing = PGSTiming(clearing: open.windows)
        let dts = min(open.end, max(lastTime, open.end - timing.whole))
        var segments = PGSSegments()
        segments.composition(
            [], canvas: open.canvas, frameRate: frameRate, number: number, state: .normal,
            pts: open.end, dts: dts)
        segments.windows(open.windows, pts: dts, dts: dts)
        segments.end(at: dts)
        output += segments.bytes
        number &+= 1
        lastTime = open.end
    }

    private func canvas(of cues: [Cue]) -> PixelSize {
        for cue in cues {
            if case .images(let content) = cue.content, let canvas = content.canvas {
                return canvas
            }
        }
        return canvas ?? PixelSize(width: 1920, height: 1080)
    }

    private mutating func entries(
        _ colors: [RGBA], height: Int
    ) -> [(color: LumaChroma, alpha: UInt8)] {
        let matrix = self.matrix ?? ColorMatrix(height: height)
        // A track has few colors; one that has not need not be remembered.
        if converted.count > 1 << 14 { converted.removeAll() }
        return colors.map { color in
            let opaque = RGBA(rawValue: color.rawValue | 0xFF)
            let known = converted[opaque] ?? matrix.lumaChroma(of: opaque)
            converted[opaque] = known
            return (known, color.alpha)
        }
    }

    private static func ticks(_ time: Timestamp) -> Int64 {
        max(0, time.ticks(in: .mpeg) ?? 0)
    }
}
