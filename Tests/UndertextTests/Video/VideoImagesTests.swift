import TestSupport
import Testing
import Undertext
import UndertextCore

/// The image of a video at a time, against what ffmpeg decodes.
@Suite(.requires("ffmpeg")) struct VideoImagesTests {
    private let folder = TemporaryDirectory()
    private let size = PixelSize(width: 320, height: 180)

    /// A video of three seconds, in which each frame differs from the next one.
    private func film(
        _ name: String, _ codec: [String], filter: String = "null", seconds: String = "3"
    ) throws -> String {
        let path = folder / name
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(seconds)",
                "-vf", filter, "-pix_fmt", "yuv420p",
            ] + codec + ["-y", path])
        try #require(made.status == 0, "\(made.stderr)")
        return path
    }

    /// All images as ffmpeg decodes them: R, G, B.
    private func decoded(_ path: String) -> [ArraySlice<UInt8>] {
        let bytes = run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-sws_flags", "bicubic+accurate_rnd+full_chroma_int",
                "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ]
        ).stdout
        let length = size.width * size.height * 3
        return stride(from: 0, to: bytes.count / length * length, by: length).map {
            bytes[$0..<$0 + length]
        }
    }

    /// The mean difference of the components of every seventh pixel.
    private func difference(_ image: [UInt8], _ other: ArraySlice<UInt8>) -> Double {
        var sum = 0
        var count = 0
        for pixel in stride(from: 0, to: image.count / 4, by: 7) {
            for component in 0..<3 {
                let wanted = other[other.startIndex + pixel * 3 + component]
                sum += abs(Int(image[pixel * 4 + component]) - Int(wanted))
                count += 1
            }
        }
        return Double(sum) / Double(count)
    }

    @Test(arguments: [
        ("a.mkv", ["-c:v", "libx264", "-preset", "veryfast", "-g", "40", "-bf", "2"]),
        ("a.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-g", "75"]),
        ("a.ts", ["-c:v", "mpeg2video", "-q:v", "3", "-g", "30", "-bf", "2"]),
        ("a.avi", ["-c:v", "mpeg4", "-q:v", "3", "-g", "30"]),
    ])
    func isTheOneThatIsShown(name: String, codec: [String]) throws {
        let path = try film(name, codec)
        let all = decoded(path)
        #expect(all.count == 75)
        let images = try Media(path).videoImages()
        #expect(images.storedSize == size && images.displaySize == size)
        // In any order, so that readers also go back; before the first and after the last one, too.
        for (milliseconds, wanted) in [
            (2010, 50), (0, 0), (1239, 30), (1240, 31), (39, 0), (-500, 0), (99_000, 74),
            (2999, 74),
        ] {
            let image = try images.image(
                at: first(of: images).advanced(by: .milliseconds(milliseconds)), scaledTo: size)
            let own = difference(image.rgba, all[wanted])
            #expect(own < 1, "\(milliseconds) ms")
            for neighbour in [wanted - 1, wanted + 1] where all.indices.contains(neighbour) {
                #expect(difference(image.rgba, all[neighbour]) > 2 * own, "\(milliseconds) ms")
            }
            #expect(image.rgba.count == 320 * 180 * 4)
            #expect(stride(from: 3, to: 1000, by: 4).allSatisfy { image.rgba[$0] == 255 })
        }
    }

    /// The time of the first frame: some containers put it after their zero.
    private func first(of images: VideoImages) throws -> Timestamp {
        try #require(images.image(at: .seconds(-10), scaledTo: size).time)
    }

    @Test func pixelsThatAreNotSquare() throws {
        let wide = try film("wide.mkv", ["-c:v", "mpeg4"], filter: "setsar=64/45", seconds: "0.2")
        let tall = try film("tall.mkv", ["-c:v", "mpeg4"], filter: "setsar=1/2", seconds: "0.2")
        #expect(
            try Media(wide).videoImages().displaySize == PixelSize(width: 455, height: 180))
        let images = try Media(tall).videoImages()
        #expect(images.displaySize == PixelSize(width: 320, height: 360))
        #expect(images.storedSize == size && abs(images.pixelAspect - 0.5) < 0.001)
        let scaled = try images.image(at: .zero, scaledTo: images.displaySize)
        #expect(scaled.rgba.count == 320 * 360 * 4)
    }

    @Test func missingOrExcessiveObjects() throws {
        let text = folder.write(Array("1\n00:00:01,000 --> 00:00:02,000\nA\n".utf8), to: "a.srt")
        #expect { try Media(text).videoImages() } throws: {
            ($0 as? UndertextError)?.code == .notFound
        }
        let path = try film("a.mp4", ["-c:v", "libx264", "-g", "75"])
        var options = Media.Options()
        options.limits.videoDecoding = 320 * 180 * 20
        let short = try Media(path, options: options).videoImages()
        _ = try short.image(at: .milliseconds(400), scaledTo: size)
        #expect { try short.image(at: .seconds(2), scaledTo: size) } throws: {
            ($0 as? UndertextError)?.code == .limit
        }
        options.limits.videoFrame = 320 * 100
        #expect(throws: UndertextError.self) {
            try Media(path, options: options).videoImages().image(
                at: .zero, scaledTo: size)
        }
        #expect(throws: UndertextError.self) {
            try Media(path).videoImages().image(
                at: .zero, scaledTo: PixelSize(width: 9000, height: 1))
        }
        let stopped = Cancellation()
        options = Media.Options()
        options.cancellation = stopped
        let images = try Media(path, options: options).videoImages()
        stopped.cancel()
        #expect { try images.image(at: .seconds(1), scaledTo: size) } throws: {
            ($0 as? UndertextError)?.code == .cancelled
        }
    }

    @Test func damagedFilms() throws {
        let path = try film("a.mkv", ["-c:v", "libx264", "-preset", "veryfast"], seconds: "0.6")
        let bytes = try #require(fileBytes(path))
        var shown = 0
        for (index, damaged) in bitFlips(of: bytes, count: 40).enumerated() {
            let copy = folder.write(damaged, to: "\(index).mkv")
            let image = try? Media(copy).videoImages().image(
                at: .milliseconds(400), scaledTo: size)
            shown += image?.rgba.count == 320 * 180 * 4 ? 1 : 0
        }
        #expect(shown > 0)
    }
}
