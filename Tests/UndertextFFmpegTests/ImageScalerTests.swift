import Testing
import UndertextCore
import UndertextFFmpeg

/// libswscale on premultiplied components.
@Suite struct ImageScalerTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize {
        PixelSize(width: width, height: height)
    }

    @Test(arguments: [(1, 1, 7, 5), (100, 40, 33, 13), (13, 7, 640, 480), (1920, 90, 720, 48)])
    func aSurfaceStaysAsItIs(_ width: Int, _ height: Int, _ toWidth: Int, _ toHeight: Int) throws {
        let scaler = try ImageScaler()
        for color in [0xFF80_20FF, 0x0000_00FF, 0, 0x4060_8080] as [UInt32] {
            let scaled = try scaler.scaled(
                [UInt32](repeating: color, count: width * height), from: size(width, height),
                to: size(toWidth, toHeight))
            #expect(scaled.count == toWidth * toHeight)
            for pixel in Set(scaled) {
                for shift in [0, 8, 16, 24] as [UInt32] {
                    let (one, other) = (Int(pixel >> shift & 0xFF), Int(color >> shift & 0xFF))
                    #expect(abs(one - other) <= 2, "\(color) became \(pixel)")
                }
            }
        }
    }

    /// White on transparent red stays white: what cannot be seen does not bleed into the edges.
    @Test func transparentColorsDoNotBleed() throws {
        let scaler = try ImageScaler()
        let pixels = (0..<64 * 64).map { place -> UInt32 in
            (16..<48).contains(place % 64) && (16..<48).contains(place / 64)
                ? 0xFFFF_FFFF : 0xFF00_0000
        }
        let scaled = try scaler.scaled(pixels, from: size(64, 64), to: size(45, 45))
        let seen = scaled.filter { $0 & 0xFF > 8 }
        #expect(seen.contains { $0 & 0xFF == 0xFF } && seen.contains { $0 & 0xFF < 0xF0 })
        for pixel in seen { #expect(pixel >> 8 & 0xFF >= 0xF0, "\(pixel)") }
    }

    @Test func sizesAreChecked() throws {
        let scaler = try ImageScaler()
        #expect(throws: UndertextError.self) {
            try scaler.scaled([0], from: size(1, 1), to: size(8193, 1))
        }
        #expect(throws: UndertextError.self) {
            try scaler.scaled([0], from: size(2, 1), to: size(1, 1))
        }
        #expect(throws: UndertextError.self) {
            try scaler.scaled([], from: size(0, 0), to: size(1, 1))
        }
    }
}
