internal import UndertextCore

/// Pixels at a position: a raster, or an indexed image, whose pixels take a quarter of the memory.
protocol PixelSource {
    /// Their position on the canvas.
    var place: PixelRectangle { get }
    /// The color of a pixel, counted row by row.
    func pixel(at index: Int) -> RGBA
}

extension Raster: PixelSource {
    var place: PixelRectangle { PixelRectangle(x: x, y: y, width: width, height: height) }

    func pixel(at index: Int) -> RGBA { pixels[index] }
}

extension PlacedBitmap: PixelSource {
    var place: PixelRectangle { PixelRectangle(self) }

    func pixel(at index: Int) -> RGBA { bitmap.palette[Int(bitmap.indices[index])] }
}
