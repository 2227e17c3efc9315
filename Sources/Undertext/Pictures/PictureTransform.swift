internal import Demux
internal import SubtitleCodecs
internal import SubtitleFormats

/// Pictures as they are to be written: scaled, or drawn on the whole canvas.
final class PictureTransform {
    /// A picture of few colours, or of any number.
    enum Picture: Sendable {
        case indexed(PlacedBitmap)
        case raster(Raster)
    }

    private let options: PictureOptions
    private let canvas: PixelSize
    private var scaler: PictureScaler?

    /// - Parameters:
    ///   - options: what to change.
    ///   - canvas: the canvas of cues that do not state one.
    init(_ options: PictureOptions, canvas: PixelSize) {
        self.options = options
        self.canvas = canvas
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
    /// - Throws: `MediaError` where libswscale is missing.
    func applied(
        to content: CuePictures
    ) throws(MediaError) -> (canvas: PixelSize?, pictures: [Picture]) {
        guard options.changesPixels else {
            return (content.canvas, content.pictures.map { .indexed($0) })
        }
        let from = content.canvas ?? canvas
        let to = options.scale ?? from
        var rasters = content.pictures.map { Raster($0) }
        if options.fillsCanvas {
            rasters = Self.wholeCanvas(content.pictures, from).map { [$0] } ?? []
        }
        if to != from {
            if scaler == nil { scaler = try PictureScaler() }
            var scaled: [Raster] = []
            for raster in rasters {
                if let picture = try scale(raster, from: from, to: to) { scaled.append(picture) }
            }
            rasters = scaled
        }
        return (to, rasters.map(Self.picture))
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

    private static func wholeCanvas(_ pictures: [PlacedBitmap], _ canvas: PixelSize) -> Raster? {
        let (area, overflow) = canvas.width.multipliedReportingOverflow(by: canvas.height)
        guard !overflow, area <= 8192 * 8192, area > 0 else { return nil }
        let clear = [RGBA](repeating: .clear, count: area)
        var raster = Raster(
            x: 0, y: 0, width: canvas.width, height: canvas.height, pixels: clear)
        for picture in pictures { raster?.draw(picture) }
        return raster
    }

    private func scale(
        _ raster: Raster, from: PixelSize, to: PixelSize
    ) throws(MediaError) -> Raster? {
        let (left, right) = Self.span(raster.x, raster.width, from.width, to.width)
        let (top, bottom) = Self.span(raster.y, raster.height, from.height, to.height)
        let target = PixelSize(width: right - left, height: bottom - top)
        guard let scaler else { return nil }
        let pixels = try scaler.scaled(
            raster.pixels.map(\.rawValue),
            from: PixelSize(width: raster.width, height: raster.height), to: target)
        return Raster(
            x: left, y: top, width: target.width, height: target.height,
            pixels: pixels.map(RGBA.init(rawValue:)))
    }

    /// Where two edges come to lie, a pixel apart at least.
    private static func span(_ start: Int, _ count: Int, _ from: Int, _ to: Int) -> (Int, Int) {
        func moved(_ value: Int) -> Int {
            let whole = Int128(max(1, from))
            let doubled = Int128(value) * Int128(to) * 2 + whole
            return Int(clamping: doubled >= 0 ? doubled / (2 * whole) : 0)
        }
        let first = moved(start)
        return (first, max(first + 1, moved(start + count)))
    }
}
