import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextRendering

/// Images of cues on the overlay.
@Suite struct ImageTests {
    private static let palette = [
        RGBA.clear, .white, RGBA(rawValue: 0x2040_60FF), RGBA(rawValue: 0xFF80_0080),
    ]

    private func bitmap(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> IndexedBitmap {
        var generator = SeededGenerator(seed: seed)
        let indices = generator.bytes(width * height).map { $0 & 3 }
        return try #require(
            IndexedBitmap(width: width, height: height, indices: indices, palette: Self.palette))
    }

    private func cue(_ images: [PlacedBitmap], _ canvas: PixelSize?, order: Int = 0) -> Cue {
        Cue(
            order: order, start: .seconds(1), end: .seconds(3),
            content: .images(CueImages(canvas: canvas, images: images)))
    }

    private func draw(
        _ cue: Cue, _ geometry: OverlayGeometry, _ style: SubtitleStyle = SubtitleStyle()
    ) throws -> Overlay {
        try OverlayRenderer(OverlayContent(cues: [cue]), geometry: geometry, style: style)
            .overlay(at: .seconds(2))
    }

    @Test func exactAtTheirOwnSize() throws {
        let image = try bitmap(101, 37)
        let canvas = PixelSize(width: 640, height: 360)
        let overlay = try draw(cue([PlacedBitmap(x: 300, y: 301, bitmap: image)], canvas), small)
        #expect(overlay.bounds == PixelRectangle(x: 300, y: 301, width: 101, height: 37))
        for row in 0..<37 {
            for column in 0..<101 {
                let color = image.palette[Int(image.indices[row * 101 + column])]
                let place = (301 + row) * overlay.stride + (300 + column) * 4
                let alpha = Int(color.alpha)
                let expected = [color.red, color.green, color.blue].map {
                    UInt8((Int($0) * alpha + 127) / 255)
                }
                #expect(Array(overlay.pixels[place..<place + 4]) == expected + [color.alpha])
            }
        }
    }

    @Test func laterOnesLieOnTop() throws {
        let low = try #require(
            IndexedBitmap(width: 2, height: 1, indices: [1, 1], palette: Self.palette))
        let high = try #require(
            IndexedBitmap(width: 2, height: 1, indices: [2, 3], palette: Self.palette))
        let overlay = try draw(
            cue(
                [PlacedBitmap(x: 9, y: 9, bitmap: low), PlacedBitmap(x: 9, y: 9, bitmap: high)],
                PixelSize(width: 640, height: 360)), small)
        #expect(overlay.color(x: 9, y: 9) == Self.palette[2])
        // Half of orange and half of white.
        #expect(overlay.color(x: 10, y: 9) == RGBA(red: 255, green: 191, blue: 127))
    }

    @Test(arguments: [(320, 180), (1280, 720), (960, 540), (213, 120)])
    func scaledToTheOutput(_ width: Int, _ height: Int) throws {
        let solid = try #require(
            IndexedBitmap(
                width: 100, height: 60, indices: [UInt8](repeating: 2, count: 6000),
                palette: Self.palette))
        let geometry = OverlayGeometry(
            video: PixelSize(width: 640, height: 360),
            output: PixelSize(width: width, height: height))
        let overlay = try draw(
            cue(
                [PlacedBitmap(x: 200, y: 240, bitmap: solid)], PixelSize(width: 640, height: 360)),
            geometry)
        let scale = Double(width) / 640
        let bounds = overlay.bounds
        #expect((Double(bounds.x) - 200 * scale).magnitude <= 1)
        #expect((Double(bounds.y) - 240 * scale).magnitude <= 1)
        #expect((Double(bounds.width) - 100 * scale).magnitude <= 1)
        #expect((Double(bounds.height) - 60 * scale).magnitude <= 1)
        // One color stays that color up to the edge.
        #expect(overlay.bounds(where: { $0 == Self.palette[2] }) == bounds)
    }

    @Test func smallerImagesAreMeans() throws {
        let indices = (0..<64).map { UInt8(($0 % 8 + $0 / 8) % 2) }
        let checks = try #require(
            IndexedBitmap(width: 8, height: 8, indices: indices, palette: Self.palette))
        let geometry = OverlayGeometry(
            video: PixelSize(width: 640, height: 720), output: PixelSize(width: 320, height: 360))
        let overlay = try draw(
            cue([PlacedBitmap(x: 0, y: 0, bitmap: checks)], PixelSize(width: 640, height: 720)),
            geometry)
        for place in stride(from: 0, to: 16, by: 4) {
            #expect((124...131).contains(overlay.pixels[place + 3]))
        }
    }

    /// Canvas, video, pixel aspect, output; where the canvas's lower middle comes to lie.
    @Test(arguments: [
        // The video's bars were cropped: the canvas extends beyond it.
        (1920, 1080, 1920, 800, 1.0, 1920, 1080, 960, 1040),
        (1920, 1080, 1440, 1080, 1.0, 1440, 1080, 720, 1040),
        // The same without room for bars: moved in.
        (1920, 1080, 1920, 800, 1.0, 1920, 800, 960, 790),
        // A disc of pixels that are not square.
        (720, 576, 720, 576, 64.0 / 45, 1024, 576, 512, 555),
        // A disc's subtitles on a video of another definition.
        (720, 480, 1920, 1080, 1.0, 1920, 1080, 960, 1035),
    ])
    func canvases(
        _ canvasWidth: Int, _ canvasHeight: Int, _ width: Int, _ height: Int, _ aspect: Double,
        _ outWidth: Int, _ outHeight: Int, _ x: Int, _ y: Int
    ) throws {
        let dot = try #require(
            IndexedBitmap(
                width: 20, height: 20, indices: [UInt8](repeating: 1, count: 400),
                palette: Self.palette))
        let low = canvasHeight * 1040 / 1080 - 10
        let overlay = try draw(
            cue(
                [PlacedBitmap(x: canvasWidth / 2 - 10, y: low, bitmap: dot)],
                PixelSize(width: canvasWidth, height: canvasHeight)),
            OverlayGeometry(
                video: PixelSize(width: width, height: height), pixelAspect: aspect,
                output: PixelSize(width: outWidth, height: outHeight)))
        let bounds = overlay.bounds
        #expect((bounds.x + bounds.width / 2 - x).magnitude <= 2)
        #expect((bounds.y + bounds.height / 2 - y).magnitude <= 4)
    }

    @Test func movedAsAWhole() throws {
        var style = SubtitleStyle()
        style.position = .top
        let overlay = try draw(
            cue(
                [
                    PlacedBitmap(x: 100, y: 280, bitmap: try bitmap(50, 20)),
                    PlacedBitmap(x: 100, y: 310, bitmap: try bitmap(50, 20)),
                ], PixelSize(width: 640, height: 360)), small, style)
        #expect(overlay.bounds == PixelRectangle(x: 100, y: 18, width: 50, height: 50))
    }

    /// The forced images of a display set and its others are two cues, which move together.
    @Test func cuesOfOneSetAreMovedTogether() throws {
        let canvas = PixelSize(width: 640, height: 360)
        let cues = try [(100, 280), (200, 310), (100, 310)].enumerated().map { index, place in
            cue(
                [PlacedBitmap(x: place.0, y: place.1, bitmap: try bitmap(50, 20, seed: 7))], canvas,
                order: index)
        }
        let unmoved = try renderer(cues).overlay(at: .seconds(2))
        let overlay = try OverlayRenderer(
            OverlayContent(cues: []), second: OverlayContent(cues: cues), geometry: small
        ).overlay(at: .seconds(2))
        #expect(overlay.bounds == PixelRectangle(x: 100, y: 18, width: 150, height: 50))
        // Every pixel is as far from the others as before.
        let shift = (280 - 18) * overlay.stride
        let rows = 18 * overlay.stride..<68 * overlay.stride
        #expect(
            Array(overlay.pixels[rows])
                == Array(unmoved.pixels[rows.lowerBound + shift..<rows.upperBound + shift]))
    }

    @Test func extremes() throws {
        let image = try bitmap(3, 3)
        for place in [Int.min / 4, -2, 639, Int.max / 4] {
            _ = try draw(
                cue([PlacedBitmap(x: place, y: place, bitmap: image)], nil), small)
        }
        let renderer = try OverlayRenderer(
            OverlayContent(cues: [
                cue(
                    [PlacedBitmap(x: 0, y: 0, bitmap: try bitmap(9, 9))],
                    PixelSize(width: 1, height: 1))
            ]), geometry: OverlayGeometry(video: PixelSize(width: 4000, height: 4000)))
        #expect(try renderer.overlay(at: .seconds(2)).isEmpty)
        #expect(renderer.takeDiagnostics().count == 1)
    }

    @Test func equalImagesAreNotDrawnAgain() throws {
        let image = PlacedBitmap(x: 5, y: 5, bitmap: try bitmap(9, 9))
        var later = cue([image], PixelSize(width: 640, height: 360), order: 1)
        later.start = .seconds(3)
        later.end = .seconds(4)
        let renderer = try renderer([cue([image], PixelSize(width: 640, height: 360)), later])
        let first = try renderer.overlay(at: .seconds(2))
        #expect(try renderer.overlay(at: .milliseconds(3500)).changeID == first.changeID)
        #expect(renderer.drawCount == 1)
    }

    // MARK: Limits

    @Test func onlyWhatIsSeenIsScaled() throws {
        let image = try bitmap(40, 30)
        let scaler = BitmapScaler(format: .rgba)
        let place = PixelRectangle(x: -50, y: -20, width: 130, height: 77)
        let whole = scaler.scaled(image, to: place, within: place)
        let window = PixelRectangle(x: 0, y: 0, width: 32, height: 18)
        let part = scaler.scaled(image, to: place, within: window)
        #expect(part.place == window)
        #expect(part.pixels.count == 32 * 18)
        for row in 0..<18 {
            let start = (row + 20) * 130 + 50
            #expect(
                Array(part.pixels[row * 32..<row * 32 + 32])
                    == Array(whole.pixels[start..<start + 32]))
        }
        // The same at its own size.
        let own = PixelRectangle(x: -5, y: -7, width: 40, height: 30)
        let cut = scaler.scaled(image, to: own, within: window)
        #expect(cut.place == PixelRectangle(x: 0, y: 0, width: 32, height: 18))
        #expect(cut.pixels[0] == scaler.scaled(image, to: own, within: own).pixels[7 * 40 + 5])
    }

    @Test func copiesAreScaledOnce() throws {
        let image = try bitmap(200, 200)
        let output = PixelSize(width: 640, height: 360)
        var frame = ImageFrame(OverlayGeometry(video: output), Limits())
        let places = (0..<20).map { PixelRectangle(x: $0, y: 5, width: 30, height: 30) }
        for place in places {
            let isDrawn = frame.draw(image, at: place)
            #expect(isDrawn)
        }
        #expect(frame.images.map(\.place) == places)
        #expect(Set(frame.images.map(\.pixels)).count == 1)
        // Invisible parts cost nothing; a cropped image is another copy.
        for x in [5000, 620, 621] {
            let isDrawn = frame.draw(
                image, at: PixelRectangle(x: x, y: 5, width: 30, height: 30))
            #expect(isDrawn)
        }
        #expect(frame.images.dropFirst(20).map(\.place.width) == [20, 19])
    }

    @Test func pricesOfImages() throws {
        let window = PixelRectangle(x: 0, y: 0, width: 1920, height: 1080)
        let image = try bitmap(16, 16)
        let cost = BitmapScaler.cost(image, to: window, within: window)
        #expect(60 * cost > EventCost.budget(large))
        #expect(4 * cost < EventCost.budget(large))
        let beside = PixelRectangle(x: 1920, y: 0, width: 1920, height: 1080)
        #expect(BitmapScaler.cost(image, to: beside, within: window) < 1000)
        // Unscaled, only its area counts.
        let own = PixelRectangle(x: 1910, y: 0, width: 16, height: 16)
        #expect(BitmapScaler.cost(image, to: own, within: window) == 160)
    }

    @Test func oneImageManyTimes() throws {
        // Fills the output, whose size each is scaled to.
        let image = try bitmap(16, 16)
        let cue = cue(
            (0..<70).map { _ in PlacedBitmap(x: 0, y: 0, bitmap: image) },
            PixelSize(width: 16, height: 16))
        let layer = try OverlayLayer(
            OverlayContent(cues: [cue]),
            geometry: OverlayGeometry(
                video: PixelSize(width: 64, height: 64)), style: SubtitleStyle(),
            mayBeNative: true, limits: Limits())
        #expect(try layer.update(to: 2000))
        #expect(layer.takeDiagnostics().map(\.code) == ["not-drawn"])
        // Others are scaled on their own, until there is no more for the frame.
        var frame = ImageFrame(
            OverlayGeometry(video: PixelSize(width: 64, height: 64)), Limits(), pixels: 60_000)
        let place = PixelRectangle(x: 0, y: 0, width: 64, height: 64)
        let drawn = try (1...4).map {
            frame.draw(try bitmap(16, 16, seed: UInt64($0)), at: place)
        }
        #expect(drawn == [true, true, false, false])
        let copy = frame.draw(try bitmap(16, 16), at: place)
        #expect(copy)
    }
}
