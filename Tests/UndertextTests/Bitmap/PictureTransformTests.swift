import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

@Suite struct PictureTransformTests {
    private static let canvas = PixelSize(width: 100, height: 50)

    /// Opaque white rows, each with a red of its own.
    private func picture(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> PlacedBitmap {
        let rows = (0..<height).flatMap { [UInt8](repeating: UInt8($0), count: width) }
        let palette = (0..<height).map { RGBA(red: UInt8($0 * 20), green: 255, blue: 255) }
        let bitmap = IndexedBitmap(width: width, height: height, indices: rows, palette: palette)
        return PlacedBitmap(x: x, y: y, bitmap: try #require(bitmap))
    }

    private func transformed(
        _ pictures: [PlacedBitmap], _ canvas: PixelSize? = Self.canvas,
        _ change: (inout PictureOptions) -> Void
    ) throws -> CuePictures {
        var options = PictureOptions()
        change(&options)
        let transform = PictureTransform(options, canvas: Self.canvas, limits: Limits())
        let content = CuePictures(canvas: canvas, pictures: pictures)
        return try #require(try transform.reduced(content)).content
    }

    private func places(_ content: CuePictures) -> [[Int]] {
        content.pictures.map { [$0.x, $0.y, $0.bitmap.width, $0.bitmap.height] }
    }

    /// Pictures that lie over an edge: the part on the canvas is scaled, not the whole squeezed.
    @Test(arguments: [
        ([10, -5, 8, 8], [20, 0, 16, 6]), ([-5, 10, 8, 8], [0, 20, 6, 16]),
        ([96, 10, 8, 8], [192, 20, 8, 16]), ([10, 46, 8, 8], [20, 92, 16, 8]),
        ([10, 10, 8, 8], [20, 20, 16, 16]), ([10, -8, 8, 8], []), ([100, 10, 8, 8], []),
    ])
    func scaledOverTheEdge(_ place: [Int], _ expected: [Int]) throws {
        let found = try transformed([picture(place[0], place[1], place[2], place[3])]) {
            $0.scale = PixelSize(width: 200, height: 100)
        }
        #expect(found.canvas == PixelSize(width: 200, height: 100))
        #expect(places(found) == (expected.isEmpty ? [] : [expected]))
    }

    /// The first row that is seen is the one that lay at the edge.
    @Test func rowsStayWhatTheyAre() throws {
        let found = try transformed([picture(10, -5, 8, 8)]) {
            $0.scale = PixelSize(width: 200, height: 100)
        }
        let bitmap = try #require(found.pictures.first).bitmap
        let first = bitmap.palette[Int(bitmap.indices[0])]
        let last = bitmap.palette[Int(try #require(bitmap.indices.last))]
        #expect(abs(Int(first.red) - 100) <= 5 && abs(Int(last.red) - 140) <= 5)
    }

    @Test func theSameSizeChangesNothing() throws {
        let pictures = [try picture(10, -5, 8, 8)]
        #expect(try transformed(pictures) { $0.scale = Self.canvas }.pictures == pictures)
    }

    @Test func wholeCanvas() throws {
        let found = try transformed([picture(10, -5, 8, 8)]) { $0.fillsCanvas = true }
        #expect(places(found) == [[0, 0, 100, 50]])
    }

    /// Two pictures of a cue as one: at the places that they had, whatever lies between is clear.
    @Test func joined() throws {
        let pictures = [try picture(10, 5, 8, 8), try picture(40, 30, 4, 3)]
        let content = CuePictures(canvas: Self.canvas, pictures: pictures)
        let transform = PictureTransform(
            PictureOptions(), canvas: Self.canvas, limits: Limits())
        let apart = try #require(try transform.applied(to: content))
        #expect(apart.pictures.count == 2)
        let one = try #require(try transform.applied(to: content, joining: true))
        guard case .indexed(let whole) = try #require(one.pictures.first) else {
            Issue.record("few colors make a picture with a palette")
            return
        }
        #expect(one.pictures.count == 1)
        #expect([whole.x, whole.y, whole.bitmap.width, whole.bitmap.height] == [10, 5, 34, 28])
        #expect(Raster(whole).pixels == Raster(drawing: pictures)?.pixels)

        var options = PictureOptions()
        options.scale = PixelSize(width: 200, height: 100)
        let large = PictureTransform(options, canvas: Self.canvas, limits: Limits())
        let scaled = try #require(try large.applied(to: content, joining: true))
        #expect(scaled.pictures.count == 1)
        #expect(scaled.pictures.first?.pixelCount == 68 * 56)
        // Too far apart for one picture: they stay two.
        let far = CuePictures(
            canvas: nil, pictures: [try picture(0, 0, 1, 1), try picture(9000, 0, 1, 1)])
        #expect(try transform.applied(to: far, joining: true)?.pictures.count == 2)
    }

    /// What is encoded is paid for before it is drawn.
    @Test func budgets() throws {
        var limits = Limits()
        limits.bitmapPixels = 100
        limits.bitmapPixelsPerByte = 0
        let content = CuePictures(canvas: Self.canvas, pictures: [try picture(0, 0, 8, 8)])
        let plain = PixelBudget(limits: limits)
        let transform = PictureTransform(
            PictureOptions(), canvas: Self.canvas, limits: limits, budget: plain)
        #expect(try transform.applied(to: content) != nil)
        #expect(plain.spent == 64)
        #expect(try transform.applied(to: content) == nil)
        #expect(plain.spent == 64 && plain.isExhausted)

        var options = PictureOptions()
        options.scale = PixelSize(width: 8192, height: 8192)
        let large = PixelBudget(limits: limits)
        let scaling = PictureTransform(
            options, canvas: Self.canvas, limits: limits, budget: large)
        #expect(try scaling.reduced(content) == nil)
        #expect(large.isExhausted)
    }

    /// A canvas that is too large to be drawn is an error, not a cue without its pictures.
    @Test(arguments: [
        PixelSize(width: 8193, height: 1), PixelSize(width: 1, height: 8193),
        PixelSize(width: .max, height: .max), PixelSize(width: 0, height: 10),
    ])
    func hugeCanvases(_ size: PixelSize) throws {
        let pictures = [try picture(0, 0, 8, 8)]
        for scale in [nil, PixelSize(width: 10, height: 10)] {
            let error = #expect(throws: MediaError.self) {
                try transformed(pictures, size) {
                    $0.fillsCanvas = true
                    $0.scale = scale
                }
            }
            #expect(error?.code == .limit)
        }
    }
}
