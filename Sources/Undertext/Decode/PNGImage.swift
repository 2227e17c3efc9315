internal import UndertextFormats
internal import UndertextPNG

/// PNG files as images of at most 256 colors.
enum PNGImage {
    /// The image of a file with its top left corner at a place; `nil` if it has no pixel that can be seen.
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

    /// The same for images of TTML.
    static func ttml(
        _ png: [UInt8], x: Int, y: Int, limits: Limits, budget: PixelBudget
    ) -> TTMLDrawnImage {
        let size = PNGDecoder.size(of: png) ?? (0, 0)
        // One that is too large does not use up what others may cost.
        let isAllowed = max(size.width, size.height) <= limits.canvas
        guard !isAllowed || budget.spend(width: size.width, height: size.height) else {
            return .failed("the images of the track have more pixels than allowed")
        }
        do throws(PNGError) {
            guard let result = try indexed(png, x: x, y: y, limits: limits) else {
                return .failed("it has no pixels that can be shown")
            }
            return .decoded(result.image, isExact: result.isExact)
        } catch {
            return .failed(error.message)
        }
    }
}
