import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPNG

/// The conformance set in Fixtures/bitmap/dvd: one case a rule, painted by its generator's own model.
@Suite struct DVDConformanceTests {
    static let folder = fixture("bitmap/dvd")

    static var cases: [String] {
        Set(
            files(below: folder).compactMap { path in
                path.dropFirst(folder.utf8.count + 1).split(separator: "/").first.map(String.init)
            }
        ).sorted()
    }

    @Test func setIsWhole() {
        #expect(Self.cases.count >= 34)
    }

    @Test(arguments: cases) func agrees(_ name: String) throws {
        let expected = try #require(
            fileBytes("\(Self.folder)/\(name)/expected.json").flatMap(readJSON))
        let input = try #require(text(expected["input"]))
        let file = try Media("\(Self.folder)/\(name)/\(input)")
        let tracks = try #require(expected["tracks"]).values
        try #require(file.subtitleTracks.count == tracks.count)
        var codes = Set(file.diagnostics.map(\.code))
        for (track, listed) in zip(file.subtitleTracks, tracks) {
            #expect(track.language?.rawValue == text(listed["language"]))
            #expect(track.title == text(listed["title"]))
            let cues = try track.document { codes.insert($0.code) }.cues
            let wanted = try #require(listed["cues"]).values
            try #require(cues.count == wanted.count, "\(name): \(cues.map(\.start))")
            for (cue, wanted) in zip(cues, wanted) {
                try compare(cue, wanted, canvas: expected["canvas"], in: name)
            }
        }
        let diagnostics = try #require(expected["diagnostics"]).values.compactMap { text($0) }
        #expect(codes == Set(diagnostics), "\(name)")
    }

    private func compare(
        _ cue: Cue, _ wanted: JSON, canvas: JSON?, in name: String
    ) throws {
        #expect(cue.start.nanoseconds == number(wanted["start"]), "\(name)")
        #expect(cue.end.nanoseconds == number(wanted["end"]), "\(name)")
        #expect(cue.endSource.rawValue == text(wanted["endSource"]), "\(name)")
        #expect(wanted["forced"] == .bool(cue.isForced), "\(name)")
        guard case .images(let content) = cue.content, let placed = content.images.first else {
            Issue.record("\(name): no image")
            return
        }
        #expect(content.images.count == 1)
        let size = canvas?.values.compactMap { number($0).map(Int.init) } ?? []
        #expect(content.canvas.map { [$0.width, $0.height] } ?? [] == size, "\(name)")
        #expect(number(wanted["x"]) == Int64(placed.x), "\(name)")
        #expect(number(wanted["y"]) == Int64(placed.y), "\(name)")
        let file = try #require(text(wanted["image"]))
        let bytes = try #require(fileBytes("\(Self.folder)/\(name)/\(file)"))
        let image = try PNGDecoder.decodeRGBA(bytes)
        #expect(placed.bitmap.width == image.width, "\(name)")
        #expect(placed.bitmap.height == image.height, "\(name)")
        #expect(
            withoutHiddenColors(placed.bitmap.rgba) == withoutHiddenColors(image.rgba),
            "\(name) \(file)")
    }

    /// Fully transparent pixels have no color.
    private func withoutHiddenColors(_ rgba: [UInt8]) -> [UInt8] {
        var rgba = rgba
        for pixel in stride(from: 0, to: rgba.count, by: 4) where rgba[pixel + 3] == 0 {
            for component in 0..<3 { rgba[pixel + component] = 0 }
        }
        return rgba
    }

    private func text(_ json: JSON?) -> String? {
        guard case .string(let text)? = json else { return nil }
        return text
    }

    private func number(_ json: JSON?) -> Int64? {
        guard case .number(let text)? = json else { return nil }
        return Int64(text)
    }
}
