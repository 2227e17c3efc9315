internal import UndertextCore
internal import UndertextFormats

/// A scaler for images of cues.
///
/// An image at its original size is copied unchanged. Otherwise each pixel is the average of those around it,
/// weighted by a triangle: bilinear when enlarging, by area when reducing. Colors are premultiplied, so
/// transparent pixels have no influence.
struct BitmapScaler {
    let format: OverlayPixelFormat

    /// Returns the part of `bitmap` within `window`, scaled to `place`, whose size is at least 1 × 1.
    ///
    /// Only that part, which must not be empty, is computed.
    func scaled(
        _ bitmap: IndexedBitmap, to place: PixelRectangle, within window: PixelRectangle
    ) -> PackedImage {
        let part = place.intersection(window)
        let palette = bitmap.palette.map { PackedPixel($0, format).value }
        let left = part.x - place.x
        let top = part.y - place.y
        guard place.width != bitmap.width || place.height != bitmap.height else {
            var pixels: [UInt32] = []
            pixels.reserveCapacity(part.width * part.height)
            for row in top..<top + part.height {
                let start = row * bitmap.width + left
                for index in bitmap.indices[start..<start + part.width] {
                    pixels.append(palette[Int(index)])
                }
            }
            return PackedImage(place: part, pixels: pixels)
        }
        let columns = Self.taps(from: bitmap.width, to: place.width, left..<left + part.width)
        let rows = Self.taps(from: bitmap.height, to: place.height, top..<top + part.height)
        let used = Self.span(rows)
        // Four components a pixel, 8 bits and 6 more.
        var wide = [UInt16](repeating: 0, count: part.width * used.count * 4)
        for (line, row) in used.enumerated() {
            let start = row * bitmap.width
            let pixels = bitmap.indices[start..<start + bitmap.width].map { palette[Int($0)] }
            Self.scaleRow(pixels, columns, into: &wide, line * part.width * 4)
        }
        var result = [UInt32](repeating: 0, count: part.width * part.height)
        for (row, tap) in rows.enumerated() {
            let moved = Taps(first: tap.first - used.lowerBound, weights: tap.weights)
            Self.mixRows(wide, moved, width: part.width, into: &result, row * part.width)
        }
        return PackedImage(place: part, pixels: result)
    }

    /// Returns the cost of ``scaled(_:to:within:)`` in accessed pixels.
    static func cost(
        _ bitmap: IndexedBitmap, to place: PixelRectangle, within window: PixelRectangle
    ) -> Double {
        let part = place.intersection(window)
        let area = Double(part.width) * Double(part.height)
        guard place.width != bitmap.width || place.height != bitmap.height else { return area }
        let ratio = (
            x: Double(bitmap.width) / Double(max(1, place.width)),
            y: Double(bitmap.height) / Double(max(1, place.height))
        )
        let rows = min(Double(bitmap.height), Double(part.height) * ratio.y + 2)
        let taps = (x: 2 * max(1, ratio.x), y: 2 * max(1, ratio.y))
        return Double(bitmap.width) * rows
            + 2 * (Double(part.width) * rows * taps.x + area * taps.y)
    }

    /// The source pixels of a pixel with their weights, whose sum is 2^14.
    private struct Taps {
        var first: Int
        var weights: [UInt32]
    }

    private static let one: UInt32 = 1 << 14

    /// Returns the taps of a range of pixels for scaling from `from` to `to` pixels.
    private static func taps(from: Int, to: Int, _ wanted: Range<Int>) -> [Taps] {
        let ratio = Double(from) / Double(to)
        let reach = max(1, ratio)
        return wanted.map { index in
            let center = (Double(index) + 0.5) * ratio - 0.5
            let first = max(0, Int((center - reach).rounded(.up)))
            let last = min(from - 1, Int((center + reach).rounded(.down)))
            let exact = (first...max(first, last)).map {
                max(0, 1 - (Double($0) - center).magnitude / reach)
            }
            let sum = exact.reduce(0, +)
            guard sum > 0 else {
                let nearest = min(max(0, Int(center.rounded())), from - 1)
                return Taps(first: nearest, weights: [one])
            }
            var weights = exact.map { UInt32(($0 / sum * Double(one)).rounded()) }
            // The largest weight absorbs the rounding error.
            let heaviest = weights.indices.max { weights[$0] < weights[$1] } ?? 0
            weights[heaviest] = weights[heaviest] &+ one &- weights.reduce(0, &+)
            return Taps(first: first, weights: weights)
        }
    }

    /// The pixels that taps take from.
    private static func span(_ taps: [Taps]) -> Range<Int> {
        let first = taps.first?.first ?? 0
        let end = taps.last.map { $0.first + $0.weights.count } ?? 0
        return first..<max(first, end)
    }

    private static func scaleRow(
        _ pixels: [UInt32], _ columns: [Taps], into wide: inout [UInt16], _ target: Int
    ) {
        var place = target
        for tap in columns {
            var (first, second, third, fourth) = (UInt32(0), UInt32(0), UInt32(0), UInt32(0))
            var index = tap.first
            for weight in tap.weights {
                let pixel = pixels[index]
                first &+= (pixel & 255) &* weight
                second &+= (pixel >> 8 & 255) &* weight
                third &+= (pixel >> 16 & 255) &* weight
                fourth &+= (pixel >> 24) &* weight
                index += 1
            }
            wide[place] = UInt16(truncatingIfNeeded: (first &+ 128) >> 8)
            wide[place + 1] = UInt16(truncatingIfNeeded: (second &+ 128) >> 8)
            wide[place + 2] = UInt16(truncatingIfNeeded: (third &+ 128) >> 8)
            wide[place + 3] = UInt16(truncatingIfNeeded: (fourth &+ 128) >> 8)
            place += 4
        }
    }

    private static func mixRows(
        _ wide: [UInt16], _ tap: Taps, width: Int, into result: inout [UInt32], _ target: Int
    ) {
        let stride = width * 4
        for column in 0..<width {
            var pixel: UInt32 = 0
            for component in 0..<4 {
                var sum: UInt32 = 0
                var index = tap.first * stride + column * 4 + component
                for weight in tap.weights {
                    sum &+= UInt32(wide[index]) &* weight
                    index += stride
                }
                // 14 bits of weight and 6 of the first step.
                let value = min((sum &+ (1 << 19)) >> 20, 255)
                pixel |= value << UInt32(component * 8)
            }
            result[target + column] = pixel
        }
    }
}
