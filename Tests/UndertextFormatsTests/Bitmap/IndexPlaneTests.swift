import Testing
import UndertextCore

@testable import UndertextFormats

@Suite struct IndexPlaneTests {
    /// 4×3, the number of each pixel as its index.
    private var numbered: IndexPlane? {
        IndexPlane(width: 4, height: 3, indices: Array(0..<12))
    }

    @Test func aCropIsTheRowsOfItsRectangle() throws {
        let plane = try #require(numbered)
        let crop = try #require(
            plane.cropped(to: PixelRectangle(x: 2, y: 1, width: 9, height: 1)))
        #expect(crop.width == 2 && crop.height == 1)
        #expect(crop.indices == [6, 7])
        #expect(plane.cropped(to: PixelRectangle(x: 4, y: 0, width: 1, height: 1)) == nil)
    }

    @Test func drawingLeavesOutWhatLiesOutside() throws {
        var plane = try #require(IndexPlane(width: 4, height: 3, fill: 99, limit: 8))
        plane.draw(try #require(numbered), x: -2, y: 1)
        #expect(plane.indices == [99, 99, 99, 99, 2, 3, 99, 99, 6, 7, 99, 99])
        plane.fill(1, x: 3, y: 0, count: .max)
        plane.fill(2, x: -5, y: 0, count: 6)
        plane.fill(3, x: 0, y: 3, count: 1)
        #expect(plane.indices.prefix(4) == [2, 99, 99, 1])
    }

    @Test func theVisiblePartHasAllVisiblePixels() throws {
        var plane = try #require(IndexPlane(width: 6, height: 5, limit: 8))
        var isVisible = [Bool](repeating: false, count: 256)
        isVisible[7] = true
        #expect(plane.visibleBounds(isVisible) == nil)
        plane.fill(7, x: 4, y: 1, count: 1)
        plane.fill(7, x: 1, y: 3, count: 2)
        #expect(
            plane.visibleBounds(isVisible) == PixelRectangle(x: 1, y: 1, width: 4, height: 3))
    }

    @Test func sizesAreChecked() {
        #expect(IndexPlane(width: 65535, height: 65535, limit: 8192) == nil)
        #expect(IndexPlane(width: 0, height: 5, limit: 8192) == nil)
        #expect(IndexPlane(width: .max, height: 2, indices: [1]) == nil)
    }
}

@Suite struct ColorMatrixTests {
    /// Corners of each recommendation: what encodes to these triples, to one step.
    @Test(arguments: [
        (ColorMatrix.bt601, [81, 90, 240], [255, 0, 0]),
        (.bt709, [63, 102, 240], [255, 0, 0]),
        (.bt2020, [74, 97, 240], [255, 0, 0]),
        (.bt601, [145, 54, 34], [0, 255, 0]),
        (.bt709, [173, 42, 26], [0, 255, 0]),
        (.bt601, [41, 240, 110], [0, 0, 255]),
        (.bt709, [32, 240, 118], [0, 0, 255]),
        (.bt709, [235, 128, 128], [255, 255, 255]),
        (.bt601, [16, 128, 128], [0, 0, 0]),
    ])
    func cornersComeBack(matrix: ColorMatrix, ycc: [UInt8], rgb: [Int]) {
        let color = matrix.color(y: ycc[0], cb: ycc[1], cr: ycc[2], alpha: 77)
        let found = [Int(color.red), Int(color.green), Int(color.blue)]
        #expect(zip(found, rgb).allSatisfy { abs($0 - $1) <= 2 }, "\(found) for \(rgb)")
        #expect(color.alpha == 77)
    }
}
