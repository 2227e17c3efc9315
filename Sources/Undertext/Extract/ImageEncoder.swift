internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG

/// Images as PNG, with an error that a sink can pass on.
enum ImageEncoder {
    /// An image with a palette, or with any number of colors.
    static func png(_ image: ImageTransform.Image) throws(UndertextError) -> [UInt8] {
        switch image {
        case .indexed(let placed): return try png(placed.bitmap)
        case .raster(let raster):
            var bytes: [UInt8] = []
            bytes.reserveCapacity(raster.pixels.count * 4)
            for pixel in raster.pixels { bytes.appendBigEndian(pixel.rawValue) }
            return try encoded(raster.width, raster.height) { () throws(PNGError) in
                try PNGEncoder.encodeRGBA(
                    width: raster.width, height: raster.height, rgba: bytes)
            }
        }
    }

    /// An image with a palette.
    static func png(_ bitmap: IndexedBitmap) throws(UndertextError) -> [UInt8] {
        try encoded(bitmap.width, bitmap.height) { () throws(PNGError) in
            try PNGEncoder.encode(
                width: bitmap.width, height: bitmap.height, indices: bitmap.indices,
                palette: bitmap.palette.map(\.rawValue))
        }
    }

    private static func encoded(
        _ width: Int, _ height: Int, _ work: () throws(PNGError) -> [UInt8]
    ) throws(UndertextError) -> [UInt8] {
        do throws(PNGError) {
            return try work()
        } catch {
            throw UndertextError(
                .io, "an image of \(width)×\(height) could not be written as PNG",
                path: "png", underlying: "\(error)")
        }
    }
}

extension JSONCueImage {
    /// An image as it is written.
    init(_ content: Content, of image: ImageTransform.Image) {
        switch image {
        case .indexed(let placed): self.init(content, of: placed)
        case .raster(let raster):
            self.init(
                content, x: raster.x, y: raster.y, width: raster.width, height: raster.height)
        }
    }
}
