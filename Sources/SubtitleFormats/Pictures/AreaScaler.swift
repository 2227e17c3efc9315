internal import CueModel
internal import MediaCore

/// Brings pictures from one canvas to another, each pixel the mean of the area it covers.
///
/// For writers whose format cannot hold the size of the source; enlarging repeats pixels.
struct AreaScaler {
    let from: PixelSize
    let to: PixelSize

    /// The place on the target of a picture's edges: at least one pixel each way.
    func place(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int, width: Int, height: Int)
    {
        let (left, right) = Self.span(x, width, from.width, to.width)
        let (top, bottom) = Self.span(y, height, from.height, to.height)
        return (left, top, right - left, bottom - top)
    }

    /// The picture on the target canvas.
    func scaled(_ raster: Raster) -> Raster? {
        let target = place(x: raster.x, y: raster.y, width: raster.width, height: raster.height)
        var pixels: [RGBA] = []
        pixels.reserveCapacity(target.width * target.height)
        for row in 0..<target.height {
            let rows = Self.source(row, target.height, raster.height)
            for column in 0..<target.width {
                let columns = Self.source(column, target.width, raster.width)
                pixels.append(Self.mean(raster, rows, columns))
            }
        }
        return Raster(
            x: target.x, y: target.y, width: target.width, height: target.height, pixels: pixels)
    }

    private static func span(_ start: Int, _ count: Int, _ from: Int, _ to: Int) -> (Int, Int) {
        func scaled(_ value: Int) -> Int {
            Int(
                clamping: (Int128(value) * Int128(to) * 2 + Int128(from))
                    / (2 * Int128(max(1, from))))
        }
        let first = scaled(start)
        return (first, max(first + 1, scaled(start + count)))
    }

    private static func source(_ index: Int, _ count: Int, _ whole: Int) -> Range<Int> {
        let first = index * whole / count
        return first..<max(first + 1, (index + 1) * whole / count)
    }

    private static func mean(_ raster: Raster, _ rows: Range<Int>, _ columns: Range<Int>) -> RGBA {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in rows {
            for column in columns {
                let pixel = raster.pixels[row * raster.width + column]
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
