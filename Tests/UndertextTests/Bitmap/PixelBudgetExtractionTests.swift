import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// One budget of pixels for every decoder and the encoders of its outputs.
@Suite struct PixelBudgetExtractionTests {
    private static let inputs = [
        "subtitles/bitmaps.sup", "subtitles/vobsub.idx", "bitmap/dvb/epoch-long.ts",
    ]

    private func limits(_ pixels: Int) -> Limits {
        var limits = Limits()
        limits.bitmapPixels = pixels
        limits.bitmapPixelsPerByte = 0
        return limits
    }

    private func cues(
        _ path: String, _ limits: Limits = Limits()
    ) throws -> (cues: [Cue], codes: [String]) {
        var options = Media.Options()
        options.limits = limits
        let file = try Media(path, options: options)
        let track = try #require(file.subtitleTracks.first)
        var codes: [String] = []
        let cues = try track.document { codes.append($0.code) }.cues
        return (cues, codes)
    }

    private func pixels(_ cue: Cue) -> Int {
        guard case .images(let content) = cue.content else { return 0 }
        return content.pixelCount
    }

    @Test(arguments: inputs) func decodersStop(_ name: String) throws {
        let path = fixture(name)
        let whole = try cues(path)
        #expect(!whole.codes.contains("pixel-limit"))
        let allowed = whole.cues.reduce(0) { $0 + pixels($1) } / 2
        let part = try cues(path, limits(allowed))
        #expect(part.codes.filter { $0 == "pixel-limit" }.count == 1)
        #expect(part.cues.count < whole.cues.count)
        // Images decoded before the limit are unaffected.
        for (one, other) in zip(part.cues.dropLast(), whole.cues) {
            #expect(one.start == other.start && one.content == other.content)
        }
        #expect(try cues(path, limits(0)).cues.isEmpty)
    }

    /// An image folder: its files are paid for by the sizes that they state.
    @Test func foldersStop() throws {
        let folder = TemporaryDirectory()
        let made = try extract(fixture("subtitles/bitmaps.sup"), to: folder / "a", Limits())
        let path = try #require(made.tracks.first?.outputs.first?.file)
        let whole = try cues(path)
        let allowed = whole.cues.reduce(0) { $0 + pixels($1) } / 2
        let part = try cues(path, limits(allowed))
        #expect(part.codes == ["pixel-limit"])
        #expect(!part.cues.isEmpty && part.cues.count < whole.cues.count)
    }

    private func extract(
        _ path: String, to folder: String, _ limits: Limits,
        _ format: SubtitleFormat = .png
    ) throws -> InputReport {
        var options = ExtractionOptions()
        options.format = FormatRequest(text: .webVTT, bitmap: format)
        options.destination = .directory(folder)
        options.reading.limits = limits
        return try Extractor(options: options).extract(path)
    }

    /// Decoding alone would fit; the rest of the track is lost input, what was written stays.
    @Test(arguments: [SubtitleFormat.png, .vobSub])
    func encodersStop(_ format: SubtitleFormat) throws {
        let folder = TemporaryDirectory()
        let path = fixture("subtitles/bitmaps.sup")
        let all = try cues(path).cues
        let report = try extract(
            path, to: folder / "b", limits(all.reduce(0) { $0 + pixels($1) }), format)
        let track = try #require(report.tracks.first)
        #expect(report.outcome == .incomplete)
        #expect(track.status == .written)
        #expect(track.diagnosticCounts["pixel-limit"] == 1)
        #expect(track.cues > 0 && track.cues < all.count)
        let output = try #require(track.outputs.first?.file)
        #expect(try cues(output).cues.count <= track.cues + 1)
        let generous = try extract(path, to: folder / "c", Limits(), format)
        #expect(generous.outcome == .complete)
        #expect(generous.tracks.first?.cues == all.count)
    }

    /// Cues that overlap are drawn again with each one that joins them.
    @Test func overlappingCuesArePaidForTogether() throws {
        var limits = Limits()
        limits.bitmapPixels = 1000
        limits.bitmapPixelsPerByte = 0
        let budget = PixelBudget(limits: limits)
        var writer = SUPWriter(budget: budget)
        var output: [[UInt8]] = [[]]
        let bitmap = try #require(
            IndexedBitmap(
                width: 10, height: 10, indices: [UInt8](repeating: 0, count: 100),
                palette: [.white]))
        for number in 0..<60 {
            let content = CueImages(
                canvas: PixelSize(width: 64, height: 64),
                images: [PlacedBitmap(x: number % 50, y: 0, bitmap: bitmap)])
            writer.write(
                Cue(
                    order: number, start: .seconds(Int64(number)), end: .seconds(1000),
                    content: .images(content)), into: &output)
        }
        writer.finish(into: &output)
        // One alone, then 2 + 3 + 4 of them.
        #expect(budget.spent == 900 && budget.isExhausted)
        #expect(writer.screenCount == 4)
    }
}
