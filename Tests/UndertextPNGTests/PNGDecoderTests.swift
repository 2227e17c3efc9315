import TestSupport
import Testing
import UndertextPNG

@Suite struct PNGDecoderTests {
    private var file: [UInt8] {
        get throws {
            var generator = SeededGenerator(seed: 3)
            let indices = (0..<40 * 12).map { _ in UInt8.random(in: 0..<20, using: &generator) }
            let palette = (0..<20).map { _ in UInt32(truncatingIfNeeded: generator.next()) }
            return try PNGEncoder.encode(width: 40, height: 12, indices: indices, palette: palette)
        }
    }

    @Test func everyTruncationIsAnError() throws {
        let whole = try PNGDecoder.decodeRGBA(file)
        for cut in truncations(of: try file) {
            // Of the last chunk, which holds nothing, the end may be missing.
            if let image = try? PNGDecoder.decodeRGBA(cut) {
                #expect(image == whole)
                #expect(cut.count >= (try file.count) - 16)
            }
        }
    }

    @Test func flippedBitsAreErrorsOrImages() throws {
        var errors = 0
        for damaged in bitFlips(of: try file, count: 3000) {
            do {
                let image = try PNGDecoder.decodeRGBA(damaged, largestSide: 512)
                #expect(image.rgba.count == image.width * image.height * 4)
            } catch {
                errors += 1
            }
        }
        // Checksums cover nearly every bit; ancillary chunks may be skipped.
        #expect(errors > 2500 / damageShare)
    }

    @Test func otherFilesAreNotPNG() throws {
        for bytes in [[], [0], Array("GIF89a".utf8), [UInt8](repeating: 0xFF, count: 100)] {
            let error = #expect(throws: PNGError.self) { try PNGDecoder.decodeRGBA(bytes) }
            #expect(error?.code == .malformed)
        }
    }

    @Test func sizesAreCheckedFirst() throws {
        let error = #expect(throws: PNGError.self) {
            try PNGDecoder.decodeRGBA(file, largestSide: 39)
        }
        #expect(error?.code == .limit)
        // A header that states more than the file can contain. Its checksum does not even match.
        var liar = try file
        liar.replaceSubrange(16..<24, with: [0, 0, 0x20, 0, 0, 0, 0x20, 0])
        let refused = #expect(throws: PNGError.self) { try PNGDecoder.decodeRGBA(liar) }
        #expect(refused?.code == .malformed)
        #expect(refused?.message.statedNumbers == [liar.count, 8192, 8192])
        liar.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1])
        #expect(throws: PNGError.self) { try PNGDecoder.decodeRGBA(liar, largestSide: .max) }
        liar.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(throws: PNGError.self) { try PNGDecoder.decodeRGBA(liar) }
    }

    @Test(
        .requires("ffmpeg"),
        arguments: ["gray", "ya8", "rgb24", "rgba", "monob", "rgb48be", "rgba64be", "pal8"])
    func filesOfOtherEncodersAreRead(_ format: String) throws {
        let folder = TemporaryDirectory()
        let path = folder / "a.png"
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=50x30,format=\(format)",
                "-frames:v", "1", "-update", "1", path,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        let expected = run(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
        let image = try PNGDecoder.decodeRGBA(try #require(fileBytes(path)))
        #expect(image.width == 50 && image.height == 30)
        #expect(image.rgba.count == expected.stdout.count)
        // 16 bits are rounded in one way here and cut off there.
        let allowed = format.contains("48") || format.contains("64") ? 1 : 0
        let difference = zip(image.rgba, expected.stdout).map { abs(Int($0) - Int($1)) }.max()
        #expect(difference ?? 255 <= allowed)
    }
}
