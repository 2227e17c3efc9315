internal import Demux
internal import SubtitleCodecs
internal import SubtitleFormats

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
    private let canvas: PixelSize
    private let largestSide: Int
    private var scaler: PictureScaler?

    /// - Parameters:
    ///   - options: what to change.
    ///   - canvas: the canvas of cues that do not state one.
    ///   - limits: how large a canvas may be that is drawn as a whole.
    init(_ options: PictureOptions, canvas: PixelSize, limits: Limits) {
        self.options = options
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

    /// The canvas and the pictures of a cue after the changes.
    ///
    /// - Throws: `MediaError` where libswscale is missing or a canvas is too large.
    func applied(
        to content: CuePictures
    ) throws(MediaError) -> (canvas: PixelSize?, pictures: [Picture]) {
        guard options.changesPixels else {
            return (content.canvas, content.pictures.map { .indexed($0) })
        }
        let from = content.canvas ?? canvas
        let scale = CanvasScale(from: from, to: options.scale ?? from)
        guard scale.from != scale.to else {
            guard options.fillsCanvas else { return (from, content.pictures.map { .indexed($0) }) }
            let whole = try wholeCanvas(content.pictures, from)
            return (from, [Self.picture(whole)])
        }
        // What lies outside is not shown, and at the edges it would change the places of the rest.
        let visible = content.pictures.compactMap { $0.cropped(to: scale.bounds) }
        var rasters = visible.map { Raster($0) }
        if options.fillsCanvas { rasters = [try wholeCanvas(visible, from)] }
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

    /// The pictures of a cue with no more colours than a palette holds.
    ///
    /// - Returns: the pictures, and whether colours had to be given up.
    func reduced(
        _ content: CuePictures
    ) throws(MediaError) -> (content: CuePictures, isExact: Bool) {
        guard options.changesPixels else { return (content, true) }
        let (canvas, pictures) = try applied(to: content)
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

    private func wholeCanvas(
        _ pictures: [PlacedBitmap], _ canvas: PixelSize
    ) throws(MediaError) -> Raster {
        let sides = 1...max(1, largestSide)
        guard sides.contains(canvas.width), sides.contains(canvas.height),
            case (let area, false) = canvas.width.multipliedReportingOverflow(by: canvas.height),
            var raster = Raster(
                x: 0, y: 0, width: canvas.width, height: canvas.height,
                pixels: [RGBA](repeating: .clear, count: area))
        else {
            throw MediaError(
                .limit,
                "a canvas of \(canvas.width)x\(canvas.height) pixels is larger than allowed "
                    + "as one picture")
        }
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
