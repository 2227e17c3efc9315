import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@Suite struct VobSubWriterTests {
    private func written(_ cues: [Cue]) -> (idx: String, sub: [UInt8], losses: ConversionLosses) {
        var writer = VobSubWriter(language: LanguageTag("de"))
        var output: [[UInt8]] = [[], []]
        for cue in cues { writer.write(cue, into: &output) }
        writer.finish(into: &output)
        return (String(decoding: output[0], as: UTF8.self), output[1], writer.losses)
    }

    @Test func fourColorsAreExact() throws {
        let palette = [
            .clear, RGBA(red: 255, green: 255, blue: 255), .black,
            RGBA(red: 120, green: 10, blue: 10, alpha: 0x77),
        ]
        for (width, height) in [(1, 1), (7, 5), (64, 3), (300, 41)] {
            let image = noisyImage(
                x: 11, y: 13, width: width, height: height, palette: palette, seed: UInt64(width))
            let (idx, sub, losses) = written([imageCue(1000, 2500, [image])])
            #expect(losses.isEmpty)
            let unit = try #require(SPUImage(unit: SPUImage.units(sub)[0], idx: idx))
            #expect(unit.x == 11 && unit.y == 13)
            #expect(unit.width == width && unit.height == height)
            #expect(unit.pixels == Raster(image).pixels.map { $0.alpha == 0 ? .clear : $0 })
            #expect(!unit.isForced)
            #expect(unit.stop == 1500 * 90 / 1024)
        }
    }

    @Test func runsOfEveryLength() throws {
        let lengths = [1, 3, 4, 15, 16, 63, 64, 255, 256, 700]
        let widths = lengths.flatMap { one in lengths.map { (one, $0) } }
        for (first, second) in widths where first + second <= 720 {
            let row =
                [UInt8](repeating: 0, count: first) + [UInt8](repeating: 1, count: second)
            let image = image(0, 0, row.count, row + row.reversed(), [.black, .white])
            let (idx, sub, _) = written([imageCue(0, 500, [image])])
            let unit = try #require(SPUImage(unit: SPUImage.units(sub)[0], idx: idx))
            #expect(unit.pixels == Raster(image).pixels)
        }
    }

    @Test func theIndex() {
        let image = framedImage(x: 0, y: 0, width: 200, height: 50)
        let (idx, sub, _) = written([
            imageCue(1000, 2000, [image]),
            imageCue(3_723_004, 3_724_000, [image], order: 1, isForced: true),
        ])
        let lines = idx.split(separator: "\n")
        #expect(lines.first == "# VobSub index file, v7 (do not modify this line!)")
        #expect(lines.contains("size: 720x576"))
        #expect(lines.contains { $0.hasPrefix("palette: ffffff, 000000, ") })
        #expect(lines.contains("id: de, index: 0"))
        #expect(
            lines.suffix(2) == [
                "timestamp: 00:00:01:000, filepos: 000000000",
                "timestamp: 01:02:03:004, filepos: 000000800",
            ])
        #expect(sub.count == 4096)
        let units = SPUImage.units(sub).compactMap { SPUImage(unit: $0, idx: idx) }
        #expect(units.map(\.isForced) == [false, true])
    }

    @Test func moreColorsAreReduced() throws {
        let grays = (0..<16).map { RGBA(red: $0 * 17, green: $0 * 17, blue: $0 * 17) }
        let image = noisyImage(width: 64, height: 64, palette: [.clear] + grays)
        let (idx, sub, losses) = written([imageCue(0, 1000, [image])])
        #expect(losses.entries.map(\.kind) == [.color])
        let unit = try #require(SPUImage(unit: SPUImage.units(sub)[0], idx: idx))
        #expect(Set(unit.pixels).count == 4)
        for (pixel, original) in zip(unit.pixels, Raster(image).pixels) {
            #expect(pixel.alpha == original.alpha)
            if pixel.alpha > 0 { #expect(abs(Int(pixel.red) - Int(original.red)) <= 51) }
        }
    }

    @Test func thePaletteStaysBounded() {
        let cues = (0..<60).map { index in
            let color = RGBA(red: UInt8(index * 4), green: UInt8(255 - index), blue: 30)
            let image = framedImage(x: 0, y: 0, width: 20, height: 9, fill: color)
            return imageCue(Int64(index) * 1000, Int64(index) * 1000 + 500, [image], order: index)
        }
        let (idx, sub, losses) = written(cues)
        #expect(losses.entries.map(\.kind) == [.color])
        for (unit, cue) in zip(SPUImage.units(sub), cues) {
            guard case .images(let content) = cue.content,
                let shown = SPUImage(unit: unit, idx: idx)
            else {
                Issue.record("a unit that cannot be read")
                continue
            }
            let wanted = content.images[0].bitmap.palette[0]
            let got = shown.pixels[21]
            #expect(abs(Int(got.red) - Int(wanted.red)) <= 64)
            #expect(abs(Int(got.green) - Int(wanted.green)) <= 64)
        }
    }

    @Test func imagesOfOneTimeBecomeOne() throws {
        let low = framedImage(x: 100, y: 500, width: 100, height: 20)
        let high = framedImage(x: 0, y: 20, width: 100, height: 20)
        let (idx, sub, losses) = written([
            imageCue(0, 10_000, [low]), imageCue(5000, 15_000, [high], order: 1),
        ])
        let units = SPUImage.units(sub).compactMap { SPUImage(unit: $0, idx: idx) }
        #expect(units.map(\.width) == [100, 200, 100])
        #expect(units.map(\.height) == [20, 500, 20])
        #expect(losses.isEmpty)
    }

    @Test func aUnitThatLastsTooLongIsRepeated() {
        let image = framedImage(x: 0, y: 0, width: 20, height: 20)
        let (idx, sub, _) = written([imageCue(0, 2_000_000, [image])])
        let units = SPUImage.units(sub).compactMap { SPUImage(unit: $0, idx: idx) }
        #expect(units.count == 3)
        let whole = units.map(\.stop).reduce(0, +)
        #expect(abs(whole * 1024 / 90 - 2_000_000) < 40)
    }

    @Test func aImageOf64KiBLosesColors() throws {
        let palette = [RGBA.clear, .white, .black, RGBA(red: 128, green: 128, blue: 128)]
        let image = noisyImage(width: 512, height: 512, palette: palette)
        let (idx, sub, losses) = written([
            imageCue(0, 1000, [image]),
            imageCue(
                2000, 3000,
                [noisyImage(width: 720, height: 570, palette: palette, seed: 3)], order: 1),
        ])
        #expect(losses.entries.map(\.kind).contains(.image))
        for unit in SPUImage.units(sub) { #expect(SPUImage(unit: unit, idx: idx) != nil) }
    }

    @Test func aCanvasThatIsTooLargeIsScaled() throws {
        let canvas = PixelSize(width: 7680, height: 4320)
        let image = framedImage(x: 3840, y: 4000, width: 800, height: 160)
        let (idx, sub, _) = written([imageCue(0, 1000, [image], canvas: canvas)])
        #expect(idx.contains("size: 1920x1080"))
        let unit = try #require(SPUImage(unit: SPUImage.units(sub)[0], idx: idx))
        #expect(unit.x == 960 && unit.y == 1000 && unit.width == 200 && unit.height == 40)
    }
}
