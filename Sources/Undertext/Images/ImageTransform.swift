internal import UndertextCore
internal import UndertextFFmpeg
internal import UndertextFormats

/// Images as they are to be written: scaled, or drawn on the whole canvas.
final class ImageTransform {
    /// An image of few colors, or of any number.
    enum Image: Sendable {
        case indexed(PlacedBitmap)
        case raster(Raster)

        /// The number of pixels.
        var pixelCount: Int {
            switch self {
            case .indexed(let placed): placed.bitmap.indices.count
            case .raster(let raster): raster.pixels.count
            }
        }
    }

    private let options: ImageOptions
    private let budget: PixelBudget
    private let canvas: PixelSize
    private let largestSide: Int
    private var scaler: ImageScaler?

    /// - Parameters:
    ///   - options: the changes.
    ///   - canvas: the canvas of cues that do not state one.
    ///   - limits: the limit for the size of a canvas that is drawn as a whole.
    ///   - budget: the limit for drawing, scaling and encoding.
    init(
        _ options: ImageOptions, canvas: PixelSize, limits: Limits,
        budget: PixelBudget = PixelBudget()
    ) {
        self.options = options
        self.budget = budget
        self.canvas = canvas
        largestSide = limits.canvas
    }

    /// A canvas for a stream where neither its header nor its decoder states one.
    static func fallbackCanvas(of stream: StreamDescription) -> PixelSize {
        stream.size ?? SubtitleFormat(codec: stream.codec)?.defaultCanvas
            ?? PixelSize(width: 720, height: 576)
    }

    /// The canvas of a cue after the changes.
    func canvas(of content: CueImages) -> PixelSize? {
        guard options.changesPixels else { return content.canvas }
        let from = content.canvas ?? canvas
        return CanvasScale(from: from, to: options.scale ?? from).to
    }

    /// The canvas and the images of a cue after the changes, ready to be encoded.
    ///
    /// - Parameters:
    ///   - content: the images of a cue.
    ///   - joins: `true` to join several images into one, on the smallest rectangle that contains them; images
    ///     farther apart than the largest canvas stay separate.
    /// - Returns: the canvas and the images; `nil` if the track's budget is exhausted.
    /// - Throws: `UndertextError` if libswscale is missing or a canvas is too large.
    func applied(
        to content: CueImages, joining joins: Bool = false
    ) throws(UndertextError) -> (canvas: PixelSize?, images: [Image])? {
        let from = content.canvas ?? canvas
        let scale = CanvasScale(from: from, to: options.scale ?? from)
        guard options.changesPixels, scale.from != scale.to || options.fillsCanvas else {
            let canvas = options.changesPixels ? from : content.canvas
            guard joins, content.images.count > 1, let box = box(of: content.images) else {
                guard budget.spend(content.pixelCount) else { return nil }
                return (canvas, content.images.map { .indexed($0) })
            }
            guard budget.spend(width: box.width, height: box.height) else { return nil }
            return (canvas, [joined(content.images)].compactMap { $0 })
        }
        if options.fillsCanvas { try checkCanvas(from) }
        // Pixels outside the canvas are not shown, and would affect the scaling at its edges.
        let visible =
            scale.from == scale.to
            ? content.images : content.images.compactMap { $0.cropped(to: scale.bounds) }
        let areas =
            options.fillsCanvas
            ? [scale.bounds]
            : joins ? [box(of: visible)].compactMap { $0 } : visible.map { PixelRectangle($0) }
        for area in areas {
            let place = scale.place(of: area)
            guard budget.spend(width: area.width, height: area.height),
                budget.spend(width: place.width, height: place.height)
            else { return nil }
        }
        var rasters: [Raster]
        if options.fillsCanvas {
            rasters = [try wholeCanvas(visible, from)]
        } else if joins, let whole = Raster(drawing: visible, largestSide: largestSide) {
            rasters = [whole]
        } else {
            rasters = visible.map { Raster($0) }
        }
        guard scale.from != scale.to else { return (from, rasters.map { Self.image($0) }) }
        let scaler: ImageScaler
        if let known = self.scaler { scaler = known } else { scaler = try ImageScaler() }
        self.scaler = scaler
        var scaled: [Image] = []
        for raster in rasters {
            let image = try Self.scaled(raster, by: scale, with: scaler)
            if let image { scaled.append(Self.image(image)) }
        }
        return (scale.to, scaled)
    }

    /// The smallest rectangle that holds all of several images; `nil` if a side is too long.
    private func box(of images: [PlacedBitmap]) -> PixelRectangle? {
        PixelRectangle(around: images).flatMap {
            max($0.width, $0.height) <= largestSide ? $0 : nil
        }
    }

    private func joined(_ images: [PlacedBitmap]) -> Image? {
        Raster(drawing: images, largestSide: largestSide).map { Self.image($0) }
    }

    /// The images of a cue, with at most as many colors as a palette has.
    ///
    /// - Returns: the images, and whether colors were lost; `nil` if the track's budget is exhausted.
    func reduced(
        _ content: CueImages
    ) throws(UndertextError) -> (content: CueImages, isExact: Bool)? {
        guard let (canvas, images) = try applied(to: content) else { return nil }
        guard options.changesPixels else { return (content, true) }
        var isExact = true
        let indexed = images.compactMap { image -> PlacedBitmap? in
            switch image {
            case .indexed(let bitmap): return bitmap
            case .raster(let raster):
                isExact = false
                return ColorReduction.indexed(raster, limit: 256)?.image
            }
        }
        return (CueImages(canvas: canvas, images: indexed), isExact)
    }

    private static func image(_ raster: Raster) -> Image {
        if let few = ColorReduction.indexed(raster, limit: 256), few.isExact {
            return .indexed(few.image)
        }
        return .raster(raster)
    }

    private func checkCanvas(_ canvas: PixelSize) throws(UndertextError) {
        let sides = 1...max(1, largestSide)
        guard sides.contains(canvas.width), sides.contains(canvas.height) else {
            throw UndertextError(
                .limit,
                "a canvas of \(canvas.width)x\(canvas.height) pixels is larger than allowed "
                    + "as one image")
        }
    }

    private func wholeCanvas(
        _ images: [PlacedBitmap], _ canvas: PixelSize
    ) throws(UndertextError) -> Raster {
        try checkCanvas(canvas)
        let (area, overflow) = canvas.width.multipliedReportingOverflow(by: canvas.height)
        guard !overflow,
            var raster = Raster(
                x: 0, y: 0, width: canvas.width, height: canvas.height,
                pixels: [RGBA](repeating: .clear, count: area))
        else { throw UndertextError(.limit, "a canvas is larger than allowed as one image") }
        for image in images { raster.draw(image) }
        return raster
    }

    private static func scaled(
        _ raster: Raster, by scale: CanvasScale, with scaler: ImageScaler
    ) throws(UndertextError) -> Raster? {
        let place = scale.place(
            of: PixelRectangle(
                x: raster.x, y: raster.y, width: raster.width, height: raster.height))
        let pixels = try scaler.scaled(
            raster.pixels.map(\.rawValue),
            from: PixelSize(width: raster.width, height: raster.height),
            to: PixelSize(width: place.width, height: place.height))
        return Raster(
            x: place.x, y: place.y, width: place.width, height: place.height,
            pixels: pixels.map(RGBA.init(rawValue:)))
    }
}
