import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Masks drawn over pixels.
@Suite struct PixelBufferTests {
    /// Each pixel is blended by its coverage: widths that no vector divides, empty and full parts, clipped sides.
    @Test(arguments: [255, 128, 1] as [UInt8], [OverlayPixelFormat.rgba, .bgra])
    func masksAreBlended(_ opacity: UInt8, _ format: OverlayPixelFormat) {
        var generator = SeededGenerator(seed: 7)
        let above = RGBA(red: 250, green: 100, blue: 3)
        for (width, left) in [(1, 0), (7, 0), (8, 3), (40, -5), (67, 10), (300, -17)] {
            let place = PixelRectangle(x: left, y: -1, width: width, height: 4)
            var mask = generator.bytes(width * 4)
            // Runs without coverage and with all of it.
            for index in mask.indices where index % 50 > 20 {
                mask[index] = index % 100 > 50 ? 255 : 0
            }
            var buffer = PixelBuffer(width: 64, height: 5, format: format)
            let below = PackedImage(
                place: buffer.bounds,
                pixels: (0..<64 * 5).map { index in
                    let shade = UInt8(truncatingIfNeeded: index)
                    let color = RGBA(red: shade, green: 9, blue: 255, alpha: 200)
                    return PackedPixel(color, format).value
                })
            buffer.draw(below)
            let before = buffer.copy(buffer.bounds).pixels
            unsafe mask.withUnsafeBufferPointer {
                unsafe buffer.draw(
                    coverage: $0, stride: width, at: place,
                    color: RGBA(red: 250, green: 100, blue: 3, alpha: opacity))
            }
            let after = buffer.copy(buffer.bounds).pixels
            for (index, pixel) in after.enumerated() {
                let (column, row) = (index % 64 - left, index / 64 + 1)
                var expected = before[index]
                if (0..<width).contains(column), (0..<4).contains(row) {
                    let product = UInt32(mask[row * width + column]) * UInt32(opacity) + 128
                    expected = PackedPixel.blend(
                        PackedPixel(above, format).value, coverage: (product + (product >> 8)) >> 8,
                        over: expected)
                }
                #expect(pixel == expected, "\(width) at \(left): pixel \(index)")
            }
        }
    }
}
