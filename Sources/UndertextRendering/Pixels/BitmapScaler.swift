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
        let columns = Taps(from: bitmap.width, to: place.width, left..<left + part.width)
        let rows = Taps(from: bitmap.height, to: place.height, top..<top + part.height)
        let used = rows.span
        let stride = part.width * 4
        // Four components a pixel, 8 bits and 6 more.
        var wide = [UInt16](repeating: 0, count: stride * used.count)
        let lanes = palette.map(PixelLanes.init)
        unsafe wide.withUnsafeMutableBufferPointer { wide in
            for (line, row) in used.enumerated() {
                let pixels = bitmap.indices[(row * bitmap.width)..<((row + 1) * bitmap.width)]
                unsafe Self.scaleRow(
                    pixels.map { lanes[Int($0)] }, columns,
                    into: UnsafeMutableBufferPointer(
                        rebasing: wide[(line * stride)..<((line + 1) * stride)]))
            }
        }
        let pixels = unsafe [UInt32](unsafeUninitializedCapacity: part.width * part.height) {
            (buffer, count) in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe wide.withUnsafeBufferPointer { wide in
                unsafe Self.mixRows(wide, rows, from: used.lowerBound, stride: stride, into: bytes)
            }
            count = part.width * part.height
        }
        return PackedImage(place: part, pixels: pixels)
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

    /// The bytes of a pixel in 32-bit lanes: the first and third in one number, the second and fourth in the other.
    private struct PixelLanes {
        let even: UInt64
        let odd: UInt64

        init(_ pixel: UInt32) {
            let pixel = UInt64(UInt32(littleEndian: pixel))
            even = pixel & 0xFF | (pixel & 0xFF_0000) << 16
            odd = pixel >> 8 & 0xFF | (pixel & 0xFF00_0000) << 8
        }
    }

    /// The source pixels of a range of pixels, with weights whose sum is 2^14 for each.
    private struct Taps {
        /// The number of source pixels of each, some of which may have the weight 0.
        let count: Int
        /// The first source pixel of each.
        var first: [Int] = []
        /// The weights, `count` for each.
        var weights: [UInt16] = []

        private static let one = 1 << 14

        /// The taps of the pixels `wanted` for scaling from `from` to `to` pixels.
        init(from: Int, to: Int, _ wanted: Range<Int>) {
            let ratio = Double(from) / Double(to)
            let reach = max(1, ratio)
            count = min(from, Int((2 * reach).rounded(.up)))
            first.reserveCapacity(wanted.count)
            weights.reserveCapacity(wanted.count * count)
            var exact = [Double](repeating: 0, count: count)
            for index in wanted {
                let center = (Double(index) + 0.5) * ratio - 0.5
                let start = min(max(0, Int((center - reach).rounded(.down)) + 1), from - count)
                var sum = 0.0
                for number in 0..<count {
                    exact[number] = max(0, 1 - (Double(start + number) - center).magnitude / reach)
                    sum += exact[number]
                }
                let place = weights.count
                var rest = Self.one
                var heaviest = place
                for number in 0..<count {
                    let part = sum > 0 ? exact[number] / sum : 0
                    let weight = Int((part * Double(Self.one)).rounded())
                    weights.append(UInt16(clamping: weight))
                    rest -= weight
                    if weights[place + number] > weights[heaviest] { heaviest = place + number }
                }
                // The largest weight absorbs the rounding error.
                weights[heaviest] = UInt16(clamping: Int(weights[heaviest]) + rest)
                first.append(start)
            }
        }

        /// The source pixels of all.
        var span: Range<Int> { (first.first ?? 0)..<((first.last ?? 0) + count) }
    }

    private static func scaleRow(
        _ pixels: [PixelLanes], _ columns: Taps, into wide: UnsafeMutableBufferPointer<UInt16>
    ) {
        let half: UInt64 = 128 << 32 | 128
        var weight = 0
        for (column, first) in columns.first.enumerated() {
            var (even, odd) = (half, half)
            for number in first..<first + columns.count {
                let factor = UInt64(columns.weights[weight])
                even &+= pixels[number].even &* factor
                odd &+= pixels[number].odd &* factor
                weight += 1
            }
            unsafe wide[column * 4] = UInt16(truncatingIfNeeded: even >> 8)
            unsafe wide[column * 4 + 1] = UInt16(truncatingIfNeeded: odd >> 8)
            unsafe wide[column * 4 + 2] = UInt16(truncatingIfNeeded: even >> 40)
            unsafe wide[column * 4 + 3] = UInt16(truncatingIfNeeded: odd >> 40)
        }
    }

    /// Combines rows of components into bytes; `wide` begins with the row `lowest`.
    private static func mixRows(
        _ wide: UnsafeBufferPointer<UInt16>, _ rows: Taps, from lowest: Int, stride: Int,
        into bytes: UnsafeMutableRawBufferPointer
    ) {
        // 14 bits of weight and 6 of the first step.
        let half: UInt32 = 1 << 19
        var sums = [UInt32](repeating: 0, count: stride)
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            for (row, first) in rows.first.enumerated() {
                unsafe sums.update(repeating: half)
                for number in 0..<rows.count {
                    let weight = UInt32(rows.weights[row * rows.count + number])
                    guard weight > 0 else { continue }
                    let start = (first - lowest + number) * stride
                    let line = unsafe UnsafeBufferPointer(rebasing: wide[start..<start + stride])
                    for index in 0..<stride {
                        unsafe sums[index] &+= UInt32(line[index]) &* weight
                    }
                }
                let target = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: bytes[(row * stride)..<((row + 1) * stride)])
                for index in 0..<stride {
                    unsafe target[index] = UInt8(truncatingIfNeeded: min(sums[index] >> 20, 255))
                }
            }
        }
    }
}
