internal import UndertextCore

/// Brings images from one canvas to another, each pixel the mean of the area it covers.
///
/// For writers whose format cannot hold the size of the source; enlarging repeats pixels.
struct AreaScaler {
    let canvas: CanvasScale

    /// The image on the target canvas.
    func scaled(_ source: some PixelSource) -> Raster? {
        let target = canvas.place(of: source.place)
        var pixels: [RGBA] = []
        pixels.reserveCapacity(target.width * target.height)
        for row in 0..<target.height {
            let rows = Self.range(row, target.height, source.place.height)
            for column in 0..<target.width {
                let columns = Self.range(column, target.width, source.place.width)
                pixels.append(Self.mean(source, rows, columns))
            }
        }
        return Raster(
            x: target.x, y: target.y, width: target.width, height: target.height, pixels: pixels)
    }

    private static func range(_ index: Int, _ count: Int, _ whole: Int) -> Range<Int> {
        let first = index * whole / count
        return first..<max(first + 1, (index + 1) * whole / count)
    }

    private static func mean(
        _ source: some PixelSource, _ rows: Range<Int>, _ columns: Range<Int>
    ) -> RGBA {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in rows {
            for column in columns {
                let pixel = source.pixel(at: row * source.place.width + column)
                let weight = Int(pixel.alpha)
                red += Int(pixel.red) * weight
                green += Int(pixel.green) * weight
                blue += Int(pixel.blue) * weight
                alpha += weight
            }
        }
        guard alpha > 0 else { return .clear }
        func part(_ sum: Int) -> UInt8 { UInt8(clamping: (sum + alpha / 2) / alpha) }
        let count = rows.count * columns.count
        return RGBA(
            red: part(red), green: part(green), blue: part(blue),
            alpha: UInt8(clamping: (alpha + count / 2) / count))
    }
}
