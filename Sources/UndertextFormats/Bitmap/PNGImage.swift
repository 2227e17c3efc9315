internal import UndertextCore
internal import UndertextPNG

/// PNG files as images of at most 256 colors.
enum PNGImage {
    /// The image of a file with its top left corner at a position; `nil` if it has no visible pixel.
    static func indexed(
        _ png: [UInt8], x: Int, y: Int, limits: Limits
    ) throws(PNGError) -> (image: PlacedBitmap, isExact: Bool)? {
        let decoded = try PNGDecoder.decodeRGBA(png, largestSide: limits.canvas)
        let pixels = stride(from: 0, to: decoded.rgba.count, by: 4).map { place in
            RGBA(
                red: decoded.rgba[place], green: decoded.rgba[place + 1],
                blue: decoded.rgba[place + 2], alpha: decoded.rgba[place + 3])
        }
        let raster = Raster(
            x: x, y: y, width: decoded.width, height: decoded.height, pixels: pixels)
        guard let raster, let result = ColorReduction.indexed(raster, limit: 256) else {
            return nil
        }
        return (result.image, result.isExact)
    }
}
