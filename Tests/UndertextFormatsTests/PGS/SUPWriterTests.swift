import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

@Suite struct SUPWriterTests {
    private func written(
        _ cues: [Cue], frameRate: FrameRate = .film
    ) -> (bytes: [UInt8], losses: ConversionLosses) {
        var writer = SUPWriter(frameRate: frameRate)
        var output: [[UInt8]] = [[]]
        for cue in cues { writer.write(cue, into: &output) }
        writer.finish(into: &output)
        return (output[0], writer.losses)
    }

    /// The colors of an object, by ``ColorMatrix``.
    private func colors(_ screen: SUPScreen, _ object: Int, height: Int) -> [RGBA] {
        screen.objects[object].indices.map { index in
            let entry = screen.palette[index] ?? [16, 128, 128, 0]
            return ColorMatrix(height: height)
                .color(y: entry[0], cb: entry[2], cr: entry[1], alpha: entry[3])
        }
    }

    @Test func aCueIsAnEpochAndAClear() throws {
        let (bytes, losses) = written([
            imageCue(1000, 2500, [framedImage(x: 100, y: 500, width: 300, height: 40)])
        ])
        let screens = SUPScreen.all(bytes)
        #expect(losses.isEmpty)
        #expect(screens.map(\.types) == [[0x16, 0x17, 0x14, 0x15, 0x80], [0x16, 0x17, 0x80]])
        #expect(screens.map(\.state) == [0x80, 0])
        #expect(screens.map(\.pts) == [90_000, 225_000])
        #expect(screens.map(\.number) == [0, 1])
        #expect(screens.map(\.windows) == [[[100, 500, 300, 40]], [[100, 500, 300, 40]]])
        let object = try #require(screens.first?.objects.first)
        #expect(object.x == 100 && object.y == 500 && object.width == 300 && object.height == 40)
        #expect(screens[0].palette[0xFF] == [16, 128, 128, 0])
        let composition = try #require(SUPSegment.all(bytes).first)
        #expect(composition.number(0, 2) == 720 && composition.number(2, 2) == 576)
        #expect(composition.payload[4] == 0x10)
    }

    @Test func decodingTimesAreThoseOfTheStandard() {
        let (bytes, _) = written([
            imageCue(1000, 2500, [framedImage(x: 0, y: 0, width: 320, height: 100)]),
            imageCue(2510, 2600, [framedImage(x: 0, y: 0, width: 720, height: 576)]),
        ])
        let segments = SUPSegment.all(bytes)
        // Plane 720 * 576 * 9 / 3200 = 1166.4, window 320 * 100 * 9 / 3200 = 90, object 180.
        #expect(segments[0].dts == 90_000 - 1167 - 90)
        #expect(segments[1].pts == 90_000 - 90)
        #expect(segments[3].pts == segments[0].dts + 180)
        for (one, other) in zip(segments, segments.dropFirst()) {
            #expect(one.dts <= one.pts && one.dts <= other.dts)
        }
    }

    @Test func colorsComeBackWithinTwo() {
        var generator = SeededGenerator(seed: 7)
        for matrix in ColorMatrix.allCases {
            let height = matrix == .bt601 ? 576 : 1080
            guard matrix == ColorMatrix(height: height) else { continue }
            let palette = (0..<255).map { _ in
                RGBA(rawValue: UInt32.random(in: 0...UInt32.max, using: &generator) | 1)
            }
            let image = image(0, 0, 255, palette.indices.map { UInt8($0) }, palette)
            let canvas = PixelSize(width: 720, height: height)
            let screens = SUPScreen.all(written([imageCue(0, 10, [image], canvas: canvas)]).bytes)
            for (color, original) in zip(colors(screens[0], 0, height: height), palette) {
                #expect(difference(color, original) <= 2)
                #expect(color.alpha == original.alpha)
            }
        }
    }

    @Test func colorsOfPGSComeBackExactly() {
        var generator = SeededGenerator(seed: 8)
        // Y, Cb and Cr beyond what red, green and blue can say are cut off and do not come back.
        var palette: [RGBA] = []
        while palette.count < 255 {
            let color = ColorMatrix.bt709.color(
                y: .random(in: 16...235, using: &generator),
                cb: .random(in: 16...240, using: &generator),
                cr: .random(in: 16...240, using: &generator), alpha: 255)
            let parts = [color.red, color.green, color.blue]
            if parts.allSatisfy({ (1...254).contains($0) }) { palette.append(color) }
        }
        let image = image(0, 0, 255, palette.indices.map { UInt8($0) }, palette)
        let canvas = PixelSize(width: 1920, height: 1080)
        let screens = SUPScreen.all(written([imageCue(0, 10, [image], canvas: canvas)]).bytes)
        let back = colors(screens[0], 0, height: 1080)
        let differing = zip(back, palette).filter { $0 != $1 }
        #expect(differing.isEmpty, "\(differing.prefix(3))")
    }

    private func difference(_ one: RGBA, _ other: RGBA) -> Int {
        [(one.red, other.red), (one.green, other.green), (one.blue, other.blue)]
            .map { abs(Int($0.0) - Int($0.1)) }.max() ?? 0
    }

    @Test func largeObjectsComeInFragments() {
        let palette = (0..<200).map { RGBA(red: UInt8($0), green: 0, blue: 0) }
        let image = noisyImage(width: 700, height: 500, palette: palette)
        let (bytes, losses) = written([imageCue(0, 1000, [image])])
        let fragments = SUPSegment.all(bytes).filter { $0.type == 0x15 }
        #expect(fragments.count > 5)
        #expect(fragments.first?.payload.count == 0xFFE4 + 11)
        #expect(fragments.first?.payload[3] == 0x80)
        #expect(fragments.dropFirst().dropLast().allSatisfy { $0.payload.count == 0xFFEB + 4 })
        #expect(fragments.last?.payload[3] == 0x40)
        let whole = fragments.map { $0.payload.count - 4 }.reduce(0, +) - 7
        #expect(fragments[0].number(4, 3) == whole + 4)
        #expect(losses.isEmpty)
        let decoded = SUPScreen.all(bytes)[0].objects[0].indices
        #expect(decoded == image.bitmap.indices)
    }

    @Test func runsOfEveryLength() {
        let lengths = [1, 2, 3, 62, 63, 64, 65, 255, 256, 4000]
        for color in [0, 1] as [UInt8] {
            for length in lengths {
                let indices = [UInt8](repeating: color, count: length) + [2]
                let image = image(0, 0, length + 1, indices, [.black, .white, .clear])
                let canvas = PixelSize(width: 4096, height: 16)
                let bytes = written([imageCue(0, 5, [image], canvas: canvas)]).bytes
                let expected = indices.map { $0 == 2 ? 0xFF : $0 - color }
                #expect(SUPScreen.all(bytes)[0].objects[0].indices == expected)
            }
        }
    }

    @Test func overlappingCuesAreComposed() {
        let low = framedImage(x: 0, y: 500, width: 100, height: 20)
        let high = framedImage(x: 0, y: 20, width: 100, height: 20)
        let screens = SUPScreen.all(
            written([
                imageCue(0, 10_000, [low]), imageCue(5000, 15_000, [high], order: 1),
            ]).bytes)
        #expect(screens.map(\.pts) == [0, 450_000, 900_000, 1_350_000])
        #expect(screens.map(\.objects.count) == [1, 2, 1, 0])
        #expect(screens.map(\.windows.count) == [1, 2, 1, 1])
        #expect(screens[2].objects[0].y == 20)
    }

    @Test func moreThanTwoImagesAreJoined() {
        let images = [0, 30, 500].map { framedImage(x: 10, y: $0, width: 50, height: 20) }
        let (bytes, losses) = written([imageCue(0, 1000, images)])
        let screens = SUPScreen.all(bytes)
        #expect(screens[0].objects.map(\.height) == [50, 20])
        #expect(screens[0].windows == [[10, 0, 50, 50], [10, 500, 50, 20]])
        #expect(losses.isEmpty)
        let middle = screens[0].objects[0].indices[22 * 50..<23 * 50]
        #expect(middle.allSatisfy { $0 == 0xFF })
    }

    /// A thousand images at once: to compare all pairs again and again would take minutes.
    @Test func veryManyImagesAreJoined() throws {
        // 64 cues of 16 images each, in two bands.
        let cues = (0..<64).map { number in
            imageCue(
                0, 1000,
                (0..<16).map { place in
                    framedImage(
                        x: number * 11, y: (place < 8 ? 0 : 400) + place % 8 * 9, width: 10,
                        height: 8)
                }, order: number, isForced: number % 2 == 1)
        }
        let composition = try #require(
            PGSScreen(cues, canvas: PixelSize(width: 720, height: 576)))
        #expect(composition.objects.map(\.isForced) == [false, true])
        let seen = composition.objects.reduce(0) { sum, object in
            sum + object.indices.count { $0 != PGSScreen.clearIndex }
        }
        // The last column of both bands ends at 703: nothing lies outside.
        #expect(seen == 64 * 16 * 80)
        #expect(composition.losses.isEmpty)
    }

    @Test func forcedFlagsStayWithTheirObjects() {
        let low = framedImage(x: 0, y: 100, width: 100, height: 20)
        let over = framedImage(x: 50, y: 110, width: 100, height: 20)
        let screens = SUPScreen.all(
            written([
                imageCue(0, 1000, [low]), imageCue(0, 1000, [over], order: 1, isForced: true),
            ]).bytes)
        #expect(screens[0].objects.map(\.isForced) == [false, true])
        // Their windows would overlap: they share one.
        #expect(screens[0].objects.map(\.window) == [0, 0])
        #expect(screens[0].windows == [[0, 100, 150, 30]])
    }

    @Test func screensThatFollowAtOnceAreNotCleared() {
        let image = framedImage(x: 0, y: 0, width: 10, height: 10)
        let screens = SUPScreen.all(
            written([imageCue(0, 1000, [image]), imageCue(1000, 2000, [image], order: 1)]).bytes
        )
        #expect(screens.map(\.state) == [0x80, 0x80, 0])
        #expect(screens.map(\.pts) == [0, 90_000, 180_000])
    }

    @Test func nonfittingTextIsALoss() {
        let outside = framedImage(x: 700, y: 560, width: 100, height: 100)
        let beyond = framedImage(x: 800, y: 0, width: 10, height: 10)
        let (bytes, losses) = written([
            imageCue(0, 1000, [outside]), imageCue(2000, 3000, [beyond], order: 1),
        ])
        let screens = SUPScreen.all(bytes)
        #expect(screens.count == 2)
        #expect(screens[0].objects.map(\.width) == [20])
        #expect(losses.entries.map(\.kind) == [.image])
        #expect(losses.entries.first?.count == 2)
    }

    /// A cue that is not written at all is lost input; without a screen there is no file.
    @Test func cuesThatAreLostAreReported() {
        let beyond = framedImage(x: 800, y: 0, width: 10, height: 10)
        let inside = framedImage(x: 0, y: 0, width: 10, height: 10)
        func reported(_ cues: [Cue], _ writer: any ImageCueWriter) -> ([String], Int, [Timestamp?])
        {
            var writer = writer
            var output = writer.fileExtensions.map { _ in [UInt8]() }
            for cue in cues { writer.write(cue, into: &output) }
            writer.finish(into: &output)
            let diagnostics = writer.diagnostics.take()
            #expect(diagnostics.allSatisfy { $0.severity == .error })
            return (diagnostics.map(\.code), writer.screenCount, diagnostics.map(\.time))
        }
        for writer: any ImageCueWriter in [SUPWriter(), VobSubWriter()] {
            let lost = reported([imageCue(2000, 3000, [beyond])], writer)
            #expect(lost.0 == ["lost-cue"] && lost.1 == 0 && lost.2 == [.seconds(2)])
            let both = reported(
                [imageCue(0, 1000, [inside]), imageCue(2000, 3000, [beyond], order: 1)], writer)
            #expect(both.0 == ["lost-cue"] && both.1 == 1)
            #expect(reported([imageCue(0, 1000, [inside])], writer).0.isEmpty)
        }
    }

    @Test func tooManyColorsAreReduced() {
        let one = (0..<200).map { RGBA(red: UInt8($0), green: 10, blue: 0) }
        let other = (0..<200).map { RGBA(red: 0, green: 20, blue: UInt8($0)) }
        let (bytes, losses) = written([
            imageCue(
                0, 1000,
                [
                    noisyImage(x: 0, y: 0, width: 64, height: 64, palette: one),
                    noisyImage(x: 0, y: 200, width: 64, height: 64, palette: other),
                ])
        ])
        #expect(losses.entries.map(\.kind) == [.color])
        let screens = SUPScreen.all(bytes)
        #expect(screens[0].palette.count <= 256)
        let first = Array(colors(screens[0], 0, height: 576))
        #expect(Set(first).count > 50)
    }

    @Test func nothingComesOfNothing() {
        #expect(written([]).bytes.isEmpty)
        #expect(written([textCue(0, 5, StyledText("a"))]).bytes.isEmpty)
    }
}
