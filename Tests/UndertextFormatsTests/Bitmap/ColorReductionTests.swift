import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

@Suite struct ColorReductionTests {
    private func raster(_ width: Int, _ pixels: [RGBA]) throws -> Raster {
        try #require(
            Raster(x: 3, y: 4, width: width, height: pixels.count / width, pixels: pixels))
    }

    @Test func fewColorsAreKept() throws {
        let pixels: [RGBA] = [.white, .black, .clear, .white, RGBA(rawValue: 0x1234_5600), .black]
        let result = try #require(ColorReduction.indexed(raster(3, pixels), limit: 3))
        #expect(result.isExact)
        #expect(result.image.x == 3 && result.image.y == 4)
        // Invisible pixels have no color.
        #expect(Raster(result.image).pixels == pixels.map { $0.alpha == 0 ? .clear : $0 })
    }

    @Test func manyColorsBecomeTheNearest() throws {
        let grays = (0..<256).map { RGBA(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
        let result = try #require(ColorReduction.indexed(raster(16, grays), limit: 16))
        #expect(!result.isExact && result.image.bitmap.palette.count == 16)
        for (pixel, original) in zip(Raster(result.image).pixels, grays) {
            #expect(abs(Int(pixel.red) - Int(original.red)) <= 20)
        }
    }

    @Test func transparentColorIsPreserved() throws {
        var generator = SeededGenerator(seed: 5)
        let noise = (0..<400).map { _ in
            RGBA(rawValue: UInt32.random(in: 0...UInt32.max, using: &generator))
        }
        let image = try raster(20, noise + [RGBA](repeating: .clear, count: 20))
        for limit in [2, 3, 4, 255, 256] {
            let result = try #require(ColorReduction.indexed(image, limit: limit))
            #expect(result.image.bitmap.palette.count <= limit)
            #expect(Raster(result.image).pixels.suffix(20).allSatisfy { $0 == .clear })
            #expect(ColorReduction.indexed(image, limit: limit) == result)
        }
    }

    /// A million colors are no more work than some thousands, since they are looked at coarsely.
    @Test func veryManyColorsAreGathered() throws {
        let side = 256
        var pixels: [RGBA] = []
        for place in 0..<side * side {
            let (red, green) = (UInt8(place & 255), UInt8(place >> 8 & 255))
            let (blue, alpha) = (UInt8(place * 7 & 255), UInt8(255 - place % 128))
            pixels.append(RGBA(red: red, green: green, blue: blue, alpha: alpha))
        }
        #expect(Set(pixels).count > 60_000)
        pixels[5] = .clear
        let histogram = ColorHistogram(pixels)
        #expect(!histogram.isExact && histogram.hasClear)
        #expect(histogram.colors.count <= ColorHistogram.exactAtMost)
        #expect(histogram.colors.reduce(0) { $0 + $1.count } == pixels.count - 1)
        let result = try #require(ColorReduction.indexed(raster(side, pixels), limit: 256))
        #expect(!result.isExact)
        #expect(result.image.bitmap.palette.count == 256)
        let found = Raster(result.image).pixels
        #expect(found[5] == .clear)
        var (worst, sum) = (0, 0)
        for (one, other) in zip(found, pixels) where other != .clear {
            #expect(one.alpha > 0)
            let distance = WeightedColor(one, count: 1).distance(
                to: WeightedColor(other, count: 1).components)
            worst = max(worst, distance)
            sum += distance
        }
        // 256 colors for a whole cube of them: some 20 of 255 apart in the mean.
        #expect(sum / pixels.count < 30 * 30 && worst < 120 * 120)
        // Up to a limit each color is itself.
        let fewer = ColorHistogram(Array(pixels.prefix(ColorHistogram.exactAtMost)))
        #expect(fewer.isExact)
    }

    /// An image is reduced to what its raster is reduced to.
    @Test func imagesAndRastersAgree() throws {
        var generator = SeededGenerator(seed: 9)
        for count in [1, 3, 4, 60, 255] {
            let palette = (0..<count).map { _ in
                RGBA(rawValue: UInt32.random(in: 0...UInt32.max, using: &generator) & 0xFFFF_FFF0)
            }
            let image = noisyImage(
                x: 5, y: 6, width: 40, height: 20, palette: palette + [.clear], seed: UInt64(count))
            for limit in [2, 4, 16, 255, 256] {
                let one = try #require(ColorReduction.indexed(image, limit: limit))
                let other = try #require(ColorReduction.indexed(Raster(image), limit: limit))
                #expect(one == other, "\(count) colors, \(limit) allowed")
            }
            let scale = CanvasScale(
                from: PixelSize(width: 100, height: 100), to: PixelSize(width: 30, height: 70))
            let scaler = AreaScaler(canvas: scale)
            #expect(scaler.scaled(image) == scaler.scaled(Raster(image)))
        }
    }

    @Test func imagesAreDrawnOverEachOther() throws {
        let low = framedImage(x: 0, y: 0, width: 4, height: 4)
        let half = image(2, 2, 4, [UInt8](repeating: 0, count: 16), [RGBA(rawValue: 0xFF00_0080)])
        let drawn = try #require(Raster(drawing: [low, half]))
        #expect(drawn.width == 6 && drawn.height == 6)
        #expect(drawn.pixels[0] == .black && drawn.pixels[7] == .white)
        #expect(drawn.pixels[14] == RGBA(red: 255, green: 127, blue: 127))
        #expect(drawn.pixels[35] == RGBA(rawValue: 0xFF00_0080))
        #expect(drawn.pixels[5] == .clear)
        #expect(Raster(drawing: []) == nil)
        #expect(
            Raster(drawing: [low, image(90_000, 0, 1, [0], [.white])], largestSide: 8192) == nil)
    }
}
