import TestSupport
import Testing
import Undertext
import UndertextCore

/// Bitmap tracks written as another format and read again: same times, same images.
@Suite(.serialized) struct ImageRoundTripTests {
    /// The maximum difference between a copy and its original.
    struct Tolerance {
        /// Of a start, and of an end.
        var start: Duration = .zero
        var end: Duration = .zero
        /// Of a component of a color, times its opacity.
        var color = 0

        /// Half a frame at 23.976 frames per second; ends are at least one frame after their starts.
        static func frames(color: Int = 0) -> Tolerance {
            Tolerance(start: .milliseconds(21), end: .milliseconds(21), color: color)
        }
    }

    private static let sources = [
        ("containers/movie.mkv", 7), ("containers/movie.mkv", 8), ("containers/movie.ts", 2),
    ]

    private static let independent = [
        ("bdsup2sub/test.sup", 0), ("c0bra5-pgs/sample/sample.mkv", 2),
        ("libpgs-js/tests/files/test.sup", 0), ("androidx-media/mkv/sample_with_vobsub.mkv", 2),
        ("subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup", 0),
        ("subtitles-rs/fixtures/example.idx", 0), ("subtitles-rs/fixtures/tiny.idx", 0),
    ]

    private func paths() -> [(String, Int)] {
        Self.sources.map { (fixture($0.0), $0.1) }
            + Self.independent.compactMap { name, stream in
                corpusPath(name).map { ($0, stream) }
            }
    }

    /// The one output of that extension.
    private func extract(
        _ path: String, _ stream: Int, as format: String, _ options: [String] = [],
        into folder: String
    ) throws -> String {
        let result = Command.undertext(
            [
                "extract", "--tracks", "\(stream)", "--format", format, "-o", folder, "-q",
                "--force",
            ] + options + [path])
        #expect(result.status == 0, "\(path): \(result.stderr)")
        let ending =
            format == "vobsub"
            ? ".idx" : ["png", "bdn"].contains(format) ? ".images" : "." + format
        let names = names(in: folder).filter { $0.hasSuffix(ending) }
        return folder + "/" + (try #require(names.first, "\(path), \(format): nothing written"))
    }

    private func cues(_ path: String, _ stream: Int = 0) throws -> [Cue] {
        try Media(path).subtitleTrack(id: stream).document().cues
    }

    @Test func blurayAndBack() throws {
        for (path, stream) in paths() {
            let folder = TemporaryDirectory()
            let original = try cues(path, stream)
            let direct = try extract(path, stream, as: "bdn", into: folder.path + "/2")
            let copy = try extract(direct, 0, as: "sup", into: folder.path + "/3")
            try expectSame(original, cues(copy), .frames(color: 2), path)
        }
    }

    @Test func imagesAreThoseOfTheFolder() throws {
        for (path, stream) in paths() {
            let folder = TemporaryDirectory()
            let bdn = try extract(path, stream, as: "bdn", into: folder.path)
            for name in [bdn, bdn + "/index.xml"] {
                try expectSame(cues(path, stream), cues(name), .frames(), path)
            }
        }
    }

    @Test func vobSubAndBack() throws {
        var exact = 0
        for (path, stream) in paths() {
            let folder = TemporaryDirectory()
            let idx = try extract(path, stream, as: "vobsub", into: folder.path + "/1")
            let fourColors = try cues(idx)
            let original = try cues(path, stream)
            // Images that are shown together become one: those are compared by their number.
            let starts = Set(original.map(\.start))
            #expect(fourColors.count == starts.count, "\(path)")
            guard starts.count == original.count else { continue }
            for (one, other) in zip(original, fourColors) {
                #expect(distance(one.start, other.start) <= .milliseconds(1), "\(path)")
                #expect(distance(one.end, other.end) <= .milliseconds(13), "\(path)")
                #expect(one.isForced == other.isForced)
                let (before, after) = try (Frame(one), Frame(other))
                let loss = before.loss(in: after)
                // Four colors stand for all: the same places are seen, in colors that are near.
                #expect(loss.appeared == 0 && loss.vanished == 0, "\(path): \(loss)")
                #expect(loss.alpha <= 24 && loss.color <= 32, "\(path): \(loss)")
                // If there are no more colors, each pixel keeps its color, as nearly as 16 opacities and the 16
                // colors of the track allow.
                guard before.colorCount <= 4 else { continue }
                #expect(before.places == after.places, "\(path)")
                #expect(loss.worstAlpha <= 24 && loss.worstColor <= 32, "\(path): \(loss)")
                exact += 1
            }
            let sup = try extract(idx, 0, as: "sup", into: folder.path + "/2")
            // An image with four colors loses nothing more.
            try expectSame(
                fourColors, cues(sup),
                .init(start: .microseconds(12), end: .microseconds(12), color: 2), path)
            let again = try extract(sup, 0, as: "vobsub", into: folder.path + "/3")
            try expectSame(
                fourColors, cues(again),
                .init(start: .milliseconds(1), end: .milliseconds(13), color: 20), path)
        }
        // VobSub's own and our fixtures' images.
        #expect(exact > 10)
    }

    private func distance(_ one: Timestamp, _ other: Timestamp) -> Duration {
        let span = one.duration(to: other)
        return span < .zero ? .zero - span : span
    }

    private func expectSame(
        _ originals: [Cue], _ copies: [Cue], _ tolerance: Tolerance, _ path: String
    ) throws {
        #expect(!originals.isEmpty)
        #expect(originals.count == copies.count, "\(path)")
        for (index, (original, copy)) in zip(originals, copies).enumerated() {
            let place = "\(path), cue \(index + 1)"
            #expect(distance(original.start, copy.start) <= tolerance.start, "\(place)")
            let isShort = original.start.duration(to: original.end) < .milliseconds(42)
            let end = isShort ? tolerance.end + .milliseconds(42) : tolerance.end
            #expect(distance(original.end, copy.end) <= end, "\(place)")
            #expect(original.isForced == copy.isForced, "\(place)")
            let (one, other) = try (Frame(original), Frame(copy))
            let worst = one.difference(to: other)
            #expect(worst <= tolerance.color, "\(place): differs by \(worst)")
        }
    }
}

/// The pixels of a cue by their place, those that cannot be seen left out.
private struct Frame {
    private var pixels: [Place: RGBA] = [:]

    struct Place: Hashable {
        var x: Int
        var y: Int
    }

    init(_ cue: Cue) throws {
        guard case .images(let content) = cue.content else { return }
        for image in content.images {
            for (index, color) in image.bitmap.indices.enumerated() {
                let color = image.bitmap.palette[Int(color)]
                guard color.alpha > 0 else { continue }
                let place = Place(
                    x: image.x + index % image.bitmap.width,
                    y: image.y + index / image.bitmap.width)
                pixels[place] = color
            }
        }
    }

    /// The number of colors, including transparent.
    var colorCount: Int { Set(pixels.values).count + 1 }
    /// The visible pixels.
    var places: Set<Place> { Set(pixels.keys) }

    /// The effect of color reduction.
    struct Loss {
        /// Pixels seen in the copy that are clear in the original.
        var appeared = 0
        /// Pixels more opaque than not that are not seen in the copy.
        var vanished = 0
        /// The mean difference of the opacity.
        var alpha = 0
        /// The mean difference of a component of what is seen, weighed by its opacity.
        var color = 0
        /// The largest differences of a pixel.
        var worstAlpha = 0
        var worstColor = 0
    }

    /// The loss of a copy with fewer colors.
    func loss(in copy: Frame) -> Loss {
        var loss = Loss()
        var (alpha, color, weight) = (0, 0, 0)
        for (place, one) in pixels {
            let two = copy.pixels[place] ?? .clear
            if two.alpha == 0, one.alpha > 127 { loss.vanished += 1 }
            alpha += abs(Int(one.alpha) - Int(two.alpha))
            loss.worstAlpha = max(loss.worstAlpha, abs(Int(one.alpha) - Int(two.alpha)))
            guard two.alpha > 0 else { continue }
            let parts = [(one.red, two.red), (one.green, two.green), (one.blue, two.blue)]
            let worst = parts.map { abs(Int($0.0) - Int($0.1)) }.max() ?? 0
            loss.worstColor = max(loss.worstColor, worst)
            color += Int(one.alpha) * parts.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / 3
            weight += Int(one.alpha)
        }
        loss.appeared = copy.pixels.keys.filter { pixels[$0] == nil }.count
        loss.alpha = alpha / max(1, pixels.count)
        loss.color = color / max(1, weight)
        return loss
    }

    /// The largest difference of a component, opacity included.
    func difference(to other: Frame) -> Int {
        var worst = 0
        for place in Set(pixels.keys).union(other.pixels.keys) {
            let one = pixels[place] ?? .clear
            let two = other.pixels[place] ?? .clear
            let parts = [
                (one.red, two.red), (one.green, two.green), (one.blue, two.blue),
                (one.alpha, two.alpha),
            ]
            for (left, right) in parts { worst = max(worst, abs(Int(left) - Int(right))) }
        }
        return worst
    }
}
