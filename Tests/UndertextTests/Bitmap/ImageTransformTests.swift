import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

@Suite struct ImageTransformTests {
    private static let canvas = PixelSize(width: 100, height: 50)

    /// Opaque white rows, each with a red of its own.
    private func image(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> PlacedBitmap {
        let rows = (0..<height).flatMap { [UInt8](repeating: UInt8($0), count: width) }
        let palette = (0..<height).map { RGBA(red: UInt8($0 * 20), green: 255, blue: 255) }
        let bitmap = IndexedBitmap(width: width, height: height, indices: rows, palette: palette)
        return PlacedBitmap(x: x, y: y, bitmap: try #require(bitmap))
    }

    private func transformed(
        _ images: [PlacedBitmap], _ canvas: PixelSize? = Self.canvas,
        _ change: (inout ImageOptions) -> Void
    ) throws -> CueImages {
        var options = ImageOptions()
        change(&options)
        let transform = ImageTransform(options, canvas: Self.canvas, limits: Limits())
        let content = CueImages(canvas: canvas, images: images)
        return try #require(try transform.reduced(content)).content
    }

    private func places(_ content: CueImages) -> [[Int]] {
        content.images.map { [$0.x, $0.y, $0.bitmap.width, $0.bitmap.height] }
    }

    /// Images that lie over an edge: the part on the canvas is scaled, not the whole squeezed.
    @Test(arguments: [
        ([10, -5, 8, 8], [20, 0, 16, 6]), ([-5, 10, 8, 8], [0, 20, 6, 16]),
        ([96, 10, 8, 8], [192, 20, 8, 16]), ([10, 46, 8, 8], [20, 92, 16, 8]),
        ([10, 10, 8, 8], [20, 20, 16, 16]), ([10, -8, 8, 8], []), ([100, 10, 8, 8], []),
    ])
    func scaledOverTheEdge(_ place: [Int], _ expected: [Int]) throws {
        let found = try transformed([image(place[0], place[1], place[2], place[3])]) {
            $0.scale = PixelSize(width: 200, height: 100)
        }
        #expect(found.canvas == PixelSize(width: 200, height: 100))
        #expect(places(found) == (expected.isEmpty ? [] : [expected]))
    }

    /// The first row that is seen is the one that lay at the edge.
    @Test func rowsStayWhatTheyAre() throws {
        let found = try transformed([image(10, -5, 8, 8)]) {
            $0.scale = PixelSize(width: 200, height: 100)
        }
        let bitmap = try #require(found.images.first).bitmap
        let first = bitmap.palette[Int(bitmap.indices[0])]
        let last = bitmap.palette[Int(try #require(bitmap.indices.last))]
        #expect(abs(Int(first.red) - 100) <= 5 && abs(Int(last.red) - 140) <= 5)
    }

    @Test func theSameSizeChangesNothing() throws {
        let images = [try image(10, -5, 8, 8)]
        #expect(try transformed(images) { $0.scale = Self.canvas }.images == images)
    }

    @Test func wholeCanvas() throws {
        let found = try transformed([image(10, -5, 8, 8)]) { $0.fillsCanvas = true }
        #expect(places(found) == [[0, 0, 100, 50]])
    }

    /// Two images of a cue become one: they keep their positions, and everything between them is transparent.
    @Test func joined() throws {
        let images = [try image(10, 5, 8, 8), try image(40, 30, 4, 3)]
        let content = CueImages(canvas: Self.canvas, images: images)
        let transform = ImageTransform(
            ImageOptions(), canvas: Self.canvas, limits: Limits())
        let apart = try #require(try transform.applied(to: content))
        #expect(apart.images.count == 2)
        let one = try #require(try transform.applied(to: content, joining: true))
        guard case .indexed(let whole) = try #require(one.images.first) else {
            Issue.record("few colors make an image with a palette")
            return
        }
        #expect(one.images.count == 1)
        #expect([whole.x, whole.y, whole.bitmap.width, whole.bitmap.height] == [10, 5, 34, 28])
        #expect(Raster(whole).pixels == Raster(drawing: images)?.pixels)

        var options = ImageOptions()
        options.scale = PixelSize(width: 200, height: 100)
        let large = ImageTransform(options, canvas: Self.canvas, limits: Limits())
        let scaled = try #require(try large.applied(to: content, joining: true))
        #expect(scaled.images.count == 1)
        #expect(scaled.images.first?.pixelCount == 68 * 56)
        // Too far apart for one image: they stay two.
        let far = CueImages(
            canvas: nil, images: [try image(0, 0, 1, 1), try image(9000, 0, 1, 1)])
        #expect(try transform.applied(to: far, joining: true)?.images.count == 2)
    }

    /// Encoding is charged before drawing.
    @Test func budgets() throws {
        var limits = Limits()
        limits.bitmapPixels = 100
        limits.bitmapPixelsPerByte = 0
        let content = CueImages(canvas: Self.canvas, images: [try image(0, 0, 8, 8)])
        let plain = PixelBudget(limits: limits)
        let transform = ImageTransform(
            ImageOptions(), canvas: Self.canvas, limits: limits, budget: plain)
        #expect(try transform.applied(to: content) != nil)
        #expect(plain.spent == 64)
        #expect(try transform.applied(to: content) == nil)
        #expect(plain.spent == 64 && plain.isExhausted)

        var options = ImageOptions()
        options.scale = PixelSize(width: 8192, height: 8192)
        let large = PixelBudget(limits: limits)
        let scaling = ImageTransform(
            options, canvas: Self.canvas, limits: limits, budget: large)
        #expect(try scaling.reduced(content) == nil)
        #expect(large.isExhausted)
    }

    /// A canvas that is too large to be drawn is an error, not a cue without its images.
    @Test(arguments: [
        PixelSize(width: 8193, height: 1), PixelSize(width: 1, height: 8193),
        PixelSize(width: .max, height: .max), PixelSize(width: 0, height: 10),
    ])
    func hugeCanvases(_ size: PixelSize) throws {
        let images = [try image(0, 0, 8, 8)]
        for scale in [nil, PixelSize(width: 10, height: 10)] {
            let error = #expect(throws: UndertextError.self) {
                try transformed(images, size) {
                    $0.fillsCanvas = true
                    $0.scale = scale
                }
            }
            #expect(error?.code == .limit)
        }
    }
}
