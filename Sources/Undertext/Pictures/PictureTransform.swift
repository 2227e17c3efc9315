internal import UndertextFFmpeg
internal import UndertextFormats

/// Pictures as they are to be written: scaled, or drawn on the whole canvas.
final class PictureTransform {
    /// A picture of few colours, or of any number.
    enum Picture: Sendable {
        case indexed(PlacedBitmap)
        case raster(Raster)

        /// How many pixels it has.
        var pixelCount: Int {
            switch self {
            case .indexed(let placed): placed.bitmap.indices.count
            case .raster(let raster): raster.pixels.count
            }
        }
    }

    private let options: PictureOptions
    private let budget: PixelBudget
    private let canvas: PixelSize
    private let largestSide: Int
    private var scaler: PictureScaler?

    /// - Parameters:
    ///   - options: what to change.
    ///   - canvas: the canvas of cues that do not state one.
    ///   - limits: how large a canvas may be that is drawn as a whole.
    ///   - budget: what drawing, scaling and encoding may cost.
    init(
        _ options: PictureOptions, canvas: PixelSize, limits: Limits,
        budget: PixelBudget = PixelBudget()
    ) {
        self.options = options
        self.budget = budget
        self.canvas = canvas
        largestSide = limits.canvas
    }

    /// A canvas for a stream where neither its header nor its decoder states one.
    static func fallbackCanvas(of stream: StreamDescription) -> PixelSize {
        let isHighDefinition = stream.codec == .pgs
        return stream.size
            ?? (isHighDefinition
                ? PixelSize(width: 1920, height: 1080) : PixelSize(width: 720, height: 576))
    }

    /// The canvas of a cue after the changes.
    func canvas(of content: CuePictures) -> PixelSize? {
        guard options.changesPixels else { return content.canvas }
        let from = content.canvas ?? canvas
        return CanvasScale(from: from, to: options.scale ?? from).to
    }

    /// The canvas and the pictures of a cue after the changes, ready to be encoded.
    ///
    /// - Parameters:
    ///   - content: the pictures of a cue.
    ///   - joins: whether several pictures become one, on the smallest rectangle that holds them; those
    ///     farther apart than the largest canvas stay as they are.
    /// - Returns: `nil` if the budget of the track does not allow for it.
    /// - Throws: `MediaError` where libswscale is missing or a canvas is too large.
    func applied(
        to content: CuePictures, joining joins: Bool = false
    ) throws(MediaError) -> (canvas: PixelSize?, pictures: [Picture])? {
        let from = content.canvas ?? canvas
        let scale = CanvasScale(from: from, to: options.scale ?? from)
        guard options.changesPixels, scale.from != scale.to || options.fillsCanvas else {
            let canvas = options.changesPixels ? from : content.canvas
            guard joins, content.pictures.count > 1, let box = box(of: content.pictures) else {
                guard budget.spend(content.pixelCount) else { return nil }
                return (canvas, content.pictures.map { .indexed($0) })
            }
            guard budget.spend(width: box.width, height: box.height) else { return nil }
            return (canvas, [joined(content.pictures)].compactMap { $0 })
        }
        if options.fillsCanvas { try checkCanvas(from) }
        // What lies outside is not shown, and at the edges it would change the places of the rest.
        let visible =
            scale.from == scale.to
            ? content.pictures : content.pictures.compactMap { $0.cropped(to: scale.bounds) }
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
        guard scale.from != scale.to else { return (from, rasters.map { Self.picture($0) }) }
        let scaler: PictureScaler
        if let known = self.scaler { scaler = known } else { scaler = try PictureScaler() }
        self.scaler = scaler
        var scaled: [Picture] = []
        for raster in rasters {
            let picture = try Self.scaled(raster, by: scale, with: scaler)
            if let picture { scaled.append(Self.picture(picture)) }
        }
        return (scale.to, scaled)
    }

    /// The smallest rectangle that holds all of several pictures; `nil` if a side is too long.
    private func box(of pictures: [PlacedBitmap]) -> PixelRectangle? {
        PixelRectangle(around: pictures).flatMap {
            max($0.width, $0.height) <= largestSide ? $0 : nil
        }
    }

    private func joined(_ pictures: [PlacedBitmap]) -> Picture? {
        Raster(drawing: pictures, largestSide: largestSide).map { Self.picture($0) }
    }

    /// The pictures of a cue with no more colours than a palette holds.
    ///
    /// - Returns: the pictures, and whether colours had to be given up; `nil` if the budget of the track
    ///   does not allow for it.
    func reduced(
        _ content: CuePictures
    ) throws(MediaError) -> (content: CuePictures, isExact: Bool)? {
        guard let (canvas, pictures) = try applied(to: content) else { return nil }
        guard options.changesPixels else { return (content, true) }
        var isExact = true
        let indexed = pictures.compactMap { picture -> PlacedBitmap? in
            switch picture {
            case .indexed(let bitmap): return bitmap
            case .raster(let raster):
                isExact = false
                return ColorReduction.indexed(raster, limit: 256)?.picture
            }
        }
        return (CuePictures(canvas: canvas, pictures: indexed), isExact)
    }

    private static func picture(_ raster: Raster) -> Picture {
        if let few = ColorReduction.indexed(raster, limit: 256), few.isExact {
            return .indexed(few.picture)
        }
        return .raster(raster)
    }

    private func checkCanvas(_ canvas: PixelSize) throws(MediaError) {
        let sides = 1...max(1, largestSide)
        guard sides.contains(canvas.width), sides.contains(canvas.height) else {
            throw MediaError(
                .limit,
                "a canvas of \(canvas.width)x\(canvas.height) pixels is larger than allowed "
                    + "as one picture")
        }
    }

    private func wholeCanvas(
        _ pictures: [PlacedBitmap], _ canvas: PixelSize
    ) throws(MediaError) -> Raster {
        try checkCanvas(canvas)
        let (area, overflow) = canvas.width.multipliedReportingOverflow(by: canvas.height)
        guard !overflow,
            var raster = Raster(
                x: 0, y: 0, width: canvas.width, height: canvas.height,
                pixels: [RGBA](repeating: .clear, count: area))
        else { throw MediaError(.limit, "a canvas is larger than allowed as one picture") }
        for picture in pictures { raster.draw(picture) }
        return raster
    }

    private static func scaled(
        _ raster: Raster, by scale: CanvasScale, with scaler: PictureScaler
    ) throws(MediaError) -> Raster? {
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
