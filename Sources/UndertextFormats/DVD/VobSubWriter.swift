package import UndertextCore

/// Writes images as a VobSub pair, .idx and .sub.
///
/// A unit shows one image of four colors, so images that are shown together become one, and
/// colors are reduced; the track has sixteen. The units are written as they come; the .idx, which
/// begins with the palette, at the end. Every unit has its own command to stop.
///
/// Coordinates have 12 bits: a track on a larger canvas is brought down to 1920 pixels a line. A
/// image that takes more than 64 KiB is written with fewer colors. Both are losses.
package struct VobSubWriter: ImageCueWriter {
    /// The index and the packs.
    package let fileExtensions = ["idx", "sub"]
    /// The losses so far.
    package private(set) var losses = ConversionLosses()

    private let canvas: PixelSize?
    private let language: LanguageTag?
    /// Screens written so far.
    package private(set) var screenCount = 0
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    private var spans: ScreenSpans
    private var palette = VobSubPalette()
    private var lines: [UInt8] = []
    private var subSize: UInt64 = 0
    /// The canvas of the .idx, once a cue states it.
    private var size: PixelSize?

    /// The line of a canvas that is too large.
    private static let reducedWidth = 1920
    /// The area of an image at most, which hostile positions could make any size.
    private static let largestSide = 8192

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - canvas: the canvas of cues that do not state one; 720×576 if unknown.
    ///   - language: the language.
    ///   - budget: the limit for drawing overlapping cues; `nil` for no limit.
    ///   - diagnostics: the sink for lost cues.
    package init(
        canvas: PixelSize? = nil, language: LanguageTag? = nil, budget: PixelBudget? = nil,
        diagnostics: DiagnosticSink = .init()
    ) {
        spans = ScreenSpans(budget: budget)
        self.diagnostics = diagnostics
        self.canvas = canvas
        self.language = language
    }

    /// Writes the units of screens that are over when `cue` appears.
    package mutating func write(_ cue: Cue, into output: inout [[UInt8]]) {
        guard case .images = cue.content, output.count == fileExtensions.count else { return }
        let (finished, isShown) = spans.add(cue)
        if !isShown { lose(cue, ScreenSpans.notShown) }
        for span in finished { show(span, into: &output[1]) }
    }

    /// Writes what is left, and the .idx.
    package mutating func finish(into output: inout [[UInt8]]) {
        guard output.count == fileExtensions.count else { return }
        for span in spans.finish() { show(span, into: &output[1]) }
        let canvas = size ?? self.canvas ?? PixelSize(width: 720, height: 576)
        let head = """
            # VobSub index file, v7 (do not modify this line!)
            size: \(canvas.width)x\(canvas.height)
            org: 0, 0
            scale: 100%, 100%
            alpha: 100%
            smooth: OFF
            fadein/out: 0, 0
            align: OFF at LEFT TOP
            time offset: 0
            forced subs: OFF

            """
        let name = language?.rawValue.prefix { $0 != "-" } ?? "--"
        output[0] += head.utf8
        output[0] += palette.line
        output[0] +=
            "custom colors: OFF, tridx: 0000, colors: 000000, 000000, 000000, 000000\n".utf8
        output[0] += "langidx: 0\n\nid: \(name), index: 0\n".utf8
        output[0] += lines
        lines = []
    }

    private mutating func show(_ span: ScreenSpan, into output: inout [UInt8]) {
        // A unit is forced or not as a whole, and a unit replaces the previous one: the screen is forced if any
        // image is.
        guard let first = span.cues.first else { return }
        let isForced = span.cues.contains(where: \.isForced)
        if isForced, !span.cues.allSatisfy(\.isForced) { losses.record(.metadata, in: first) }
        guard let screen = screen(of: span.cues, first: first) else {
            return lose(first, "no part of it is on the canvas")
        }
        var start = span.start
        var pixels: PreparedImage?
        while start < span.end {
            // The duration exceeds the range of the stop command: the unit is repeated.
            let units = max(1, Self.delay(from: start, to: span.end))
            let delay = min(units, SPUWriter.longestDelay)
            pixels = pixels ?? prepared(screen, cue: first)
            guard let pixels,
                let unit = SPUWriter.unit(
                    pixels.image, colors: pixels.colors, isForced: isForced,
                    delay: UInt16(clamping: delay))
            else {
                return lose(first, "its image takes more than the 64 KiB of a unit")
            }
            append(unit, at: start, into: &output)
            screenCount += 1
            guard units > SPUWriter.longestDelay else { break }
            start = start.advanced(by: Duration.nanoseconds(delay * 1_024_000_000 / 90))
        }
    }

    private mutating func lose(_ cue: Cue, _ reason: String) {
        losses.record(.image, in: cue)
        diagnostics.reportLoss(of: cue, reason)
    }

    /// The images on screen, separate or composed.
    private enum Screen {
        case image(PlacedBitmap)
        case raster(Raster)

        func reduced(to limit: Int) -> ColorReduction.Result? {
            switch self {
            case .image(let image): ColorReduction.indexed(image, limit: limit)
            case .raster(let raster): ColorReduction.indexed(raster, limit: limit)
            }
        }
    }

    /// An image ready for a unit.
    private struct PreparedImage {
        var image: PlacedBitmap
        var colors: [SPUWriter.Color]
    }

    /// Four colors, or fewer where the unit would be too large.
    private mutating func prepared(_ screen: Screen, cue: Cue) -> PreparedImage? {
        for limit in [4, 3, 2] {
            guard let result = screen.reduced(to: limit) else { return nil }
            let bitmap = result.image.bitmap
            let top = SPURunLengthEncoder.encode(bitmap.indices, width: bitmap.width, first: 0)
            let bottom = SPURunLengthEncoder.encode(bitmap.indices, width: bitmap.width, first: 1)
            guard top.count + bottom.count + 40 <= Int(UInt16.max) else { continue }
            var isExact = result.isExact
            var colors: [SPUWriter.Color] = []
            for color in bitmap.palette {
                let contrast = UInt8(truncatingIfNeeded: (Int(color.alpha) * 15 + 127) / 255)
                // A transparent color needs no entry in the palette.
                let slot = contrast == 0 ? 0 : palette.slot(for: color)
                colors.append(.init(slot: slot, contrast: contrast))
                guard contrast > 0 else {
                    isExact = isExact && color.alpha == 0
                    continue
                }
                let kept = palette.colors[Int(slot)].rawValue >> 8
                isExact = isExact && kept == color.rawValue >> 8 && contrast * 17 == color.alpha
            }
            if !isExact { losses.record(.color, in: cue) }
            while colors.count < 4 { colors.append(.init(slot: 0, contrast: 0)) }
            return PreparedImage(image: result.image, colors: colors)
        }
        return nil
    }

    /// The images of a screen as one, inside the canvas of the track.
    private mutating func screen(of cues: [Cue], first: Cue) -> Screen? {
        var images: [PlacedBitmap] = []
        var stated: PixelSize?
        for cue in cues {
            guard case .images(let content) = cue.content else { continue }
            stated = stated ?? content.canvas
            images += content.images
        }
        let from = stated ?? canvas ?? PixelSize(width: 720, height: 576)
        let to = size ?? Self.reduced(from)
        size = to
        let scale = CanvasScale(from: from, to: to)
        let visible = images.compactMap { $0.cropped(to: scale.bounds) }
        if visible != images { losses.record(.image, in: first) }
        // Most screens are one image; a raster of it would take four times its memory.
        if visible.count == 1 {
            return from == to
                ? .image(visible[0])
                : AreaScaler(canvas: scale).scaled(visible[0]).map { .raster($0) }
        }
        guard let raster = Raster(drawing: visible, largestSide: Self.largestSide) else {
            return nil
        }
        return (from == to ? raster : AreaScaler(canvas: scale).scaled(raster)).map { .raster($0) }
    }

    private static func reduced(_ canvas: PixelSize) -> PixelSize {
        let limit = SPUWriter.largestCoordinate + 1
        guard canvas.width > limit || canvas.height > limit else { return canvas }
        let side = max(canvas.width, canvas.height)
        return PixelSize(
            width: max(1, canvas.width * reducedWidth / side),
            height: max(1, canvas.height * reducedWidth / side))
    }

    /// Units of 1024/90000 s, cut off, so that no unit lasts into the next one.
    private static func delay(from start: Timestamp, to end: Timestamp) -> Int64 {
        Int64(clamping: start.duration(to: end).nanoseconds128 * 90 / 1_024_000_000)
    }

    private mutating func append(_ unit: [UInt8], at start: Timestamp, into output: inout [UInt8]) {
        let milliseconds = max(0, start.roundedMilliseconds)
        VobSubIndex.appendLine(milliseconds: milliseconds, place: subSize, to: &lines)
        let before = output.count
        let clock = UInt64(milliseconds) &* 90 & 0x1_FFFF_FFFF
        VobSubPacks.append(unit, clock: clock, to: &output)
        subSize += UInt64(output.count - before)
    }
}
