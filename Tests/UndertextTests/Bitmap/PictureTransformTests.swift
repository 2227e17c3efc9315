import CueModel
import MediaCore
import TestSupport
import Testing

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
        return try transform.reduced(CuePictures(canvas: canvas, pictures: pictures)).content
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
