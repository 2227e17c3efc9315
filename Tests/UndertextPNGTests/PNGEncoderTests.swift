import TestSupport
import Testing
import UndertextPNG

@Suite struct PNGEncoderTests {
    /// Random pixels that use every color of a random palette, alpha 0 with colors included.
    private func image(
        _ width: Int, _ height: Int, colors: Int, seed: UInt64
    ) -> (indices: [UInt8], palette: [UInt32]) {
        var generator = SeededGenerator(seed: seed)
        let palette = (0..<colors).map { index in
            let color = UInt32(truncatingIfNeeded: generator.next())
            return index % 5 == 0 ? color & 0xFFFF_FF00 : index % 3 == 0 ? color | 0xFF : color
        }
        let indices = (0..<width * height).map { position in
            position < colors
                ? UInt8(position) : UInt8.random(in: 0...UInt8(colors - 1), using: &generator)
        }
        return (indices, palette)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 15, 16, 17, 100, 255, 256])
    func palettesSurviveExactly(_ colors: Int) throws {
        for (width, height) in [(1, 1), (7, 3), (8, 1), (1, 9), (33, 17), (300, 5)] {
            let (indices, palette) = image(
                width, height, colors: colors, seed: UInt64(width * 1000 + colors))
            let file = try PNGEncoder.encode(
                width: width, height: height, indices: indices, palette: palette)
            let decoded = try PNGDecoder.decodeRGBA(file)
            #expect(decoded.width == width && decoded.height == height)
            #expect(decoded.rgba == rgba(indices, palette))

            let parts = chunks(of: file)
            let used = Set(indices).count
            let depth: UInt8 = used <= 2 ? 1 : used <= 4 ? 2 : used <= 16 ? 4 : 8
            #expect(parts["IHDR"]?[8] == depth)
            #expect(parts["IHDR"]?[9] == 3, "color type")
            #expect(parts.palette.sorted() == Set(indices).map { palette[Int($0)] }.sorted())
        }
    }

    @Test func paletteAndAlphaAreStoredUnchanged() throws {
        // Every value of every component: a conversion of gamma or of alpha would show.
        let palette = (0..<256).map { (value: UInt32) -> UInt32 in
            let color: UInt32 = value << 16 | (255 - value) << 8 | value ^ 0x55
            return color << 8 | value &* 7 & 0xFF
        }
        let file = try PNGEncoder.encode(
            width: 256, height: 1, indices: [UInt8](0...255), palette: palette)
        let parts = chunks(of: file)
        #expect(parts.map(\.type) == ["IHDR", "sRGB", "PLTE", "tRNS", "IDAT", "IEND"])
        #expect(parts.palette.sorted() == palette.sorted())
        // One color is opaque: it is last and needs no alpha.
        #expect(parts["tRNS"]?.count == 255)
    }

    @Test func opaqueImagesHaveNoTransparency() throws {
        let file = try PNGEncoder.encode(
            width: 2, height: 1, indices: [0, 1], palette: [0x1122_33FF, 0x4455_66FF])
        #expect(chunks(of: file).map(\.type) == ["IHDR", "sRGB", "PLTE", "IDAT", "IEND"])
        #expect(chunks(of: file).palette == [0x1122_33FF, 0x4455_66FF])
    }

    @Test func colorsThatDoNotOccurAreLeftOut() throws {
        var palette = [UInt32](repeating: 0xFF, count: 256)
        palette[200] = 0xAABB_CC10
        palette[3] = 0x1020_30FF
        let file = try PNGEncoder.encode(
            width: 2, height: 2, indices: [200, 3, 3, 200], palette: palette)
        #expect(chunks(of: file).palette == [0xAABB_CC10, 0x1020_30FF])
        #expect(try PNGDecoder.decodeRGBA(file).rgba == rgba([200, 3, 3, 200], palette))
    }

    @Test func anyNumberOfColorsSurvives() throws {
        var generator = SeededGenerator(seed: 9)
        for (width, height) in [(1, 1), (3, 2), (129, 65)] {
            let pixels = generator.bytes(width * height * 4)
            let file = try PNGEncoder.encodeRGBA(width: width, height: height, rgba: pixels)
            #expect(try PNGDecoder.decodeRGBA(file).rgba == pixels)
            #expect(chunks(of: file)["IHDR"]?[8...9] == [8, 6])
        }
    }

    @Test func theSamePixelsGiveTheSameBytes() throws {
        let (indices, palette) = image(64, 20, colors: 9, seed: 4)
        let files = try (0..<3).map { _ in
            try PNGEncoder.encode(width: 64, height: 20, indices: indices, palette: palette)
        }
        #expect(Set(files).count == 1)
    }

    @Test func imagesThatDoNotAgreeAreRefused() {
        let cases: [(Int, Int, [UInt8], [UInt32])] = [
            (0, 1, [], [0]), (1, 0, [], [0]), (-1, -1, [0], [0]), (1, 1, [], [0]),
            (2, 2, [0, 0, 0], [0]), (1, 1, [1], [0]), (1, 1, [0], []),
            (1, 1, [0], [UInt32](repeating: 0, count: 257)), (.max, .max, [0], [0]),
        ]
        for (width, height, indices, palette) in cases {
            let error = #expect(throws: PNGError.self) {
                try PNGEncoder.encode(
                    width: width, height: height, indices: indices, palette: palette)
            }
            #expect(error?.code == .invalidImage)
        }
        #expect(throws: PNGError.self) {
            try PNGEncoder.encodeRGBA(width: 1, height: 1, rgba: [1, 2, 3])
        }
    }

    @Test(.requires("ffmpeg"), arguments: [2, 16, 200])
    func anotherDecoderAgrees(_ colors: Int) throws {
        let (indices, palette) = image(61, 23, colors: colors, seed: 77)
        let file = try PNGEncoder.encode(width: 61, height: 23, indices: indices, palette: palette)
        let folder = TemporaryDirectory()
        let result = run(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.write(file, to: "a.png"), "-f", "rawvideo", "-pix_fmt",
                "rgba", "-",
            ])
        #expect(result.stderr == "")
        #expect(result.stdout == rgba(indices, palette))
    }
}
