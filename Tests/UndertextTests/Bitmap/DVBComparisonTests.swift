import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// Our decoder of DVB subtitles against libavcodec's.
@Suite struct DVBComparisonTests {
    @Test func fixture() throws {
        let track = try PacketTrack(TestSupport.fixture("containers/movie.ts"), stream: 2)
        let comparison = try BitmapComparison(track, options: Self.options)
        #expect(comparison.count > 10)
        #expect(comparison.differing == [])
    }

    /// Colors as the stream or the standard has them, where libavcodec would make some up, and the
    /// first service only.
    private static let options = ["compute_clut": "0", "dvb_substream": "0"]

    /// The deviations of libavcodec in the conformance set, with reasons.
    private static let explained: [String: String] = [
        "strings-8bit-full-width": "loses its place behind a string that fills the region's width",
        "clut-reduced-range": "leaves out the last entry of a definition in the reduced range",
        "region-fill": "does not show a region without objects",
        "region-version-unchanged": "fills the region again and has no object to draw",
        "object-cut-at-region": "loses its place in strings that are longer than the region",
        "object-shown-again": "does not keep objects",
        "object-non-modifying": "moves what stands behind a hole to the left",
        "display-window": "does not cut at the window",
        "page-mode-change": "ignores a mode change that repeats the version",
    ]

    /// Those of them that libavcodec 9.0 does as the standard says.
    private static let mended: Set<String> = ["strings-8bit-full-width"]

    @Test(arguments: BitmapConformanceCase.all("dvb"))
    func conformanceSet(_ sample: BitmapConformanceCase) throws {
        let comparison = try BitmapComparison(
            PacketTrack(sample.path("dvb"), stream: 0), options: Self.options)
        if Self.mended.contains(sample.name), comparison.differing.isEmpty { return }
        let isExplained = Self.explained[sample.name] != nil
        #expect(comparison.differing.isEmpty != isExplained, "\(sample.name): \(comparison)")
    }

    @Test(.requiresCorpus()) func everyTrackOfTheCorpus() throws {
        let folder = try #require(corpusPath(""))
        var tracks = 0
        var times = 0
        for path in files(below: folder) where path.hasSuffix(".ts") {
            guard let file = try? Media(path) else { continue }
            for track in file.subtitleTracks where track.codec == .dvb {
                let comparison = try BitmapComparison(
                    PacketTrack(path, stream: track.id), options: Self.options)
                #expect(comparison.differing == [], "\(path), stream \(track.id)")
                tracks += 1
                times += comparison.count
            }
        }
        #expect(tracks > 10 && times > 20)
        print("DVB tracks compared with libavcodec: \(tracks), at \(times) times")
    }
}
