import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// Presentation graphics in transport streams as Blu-ray discs have them (M2TS): segments in PES packets
/// that are split over packets of 192 bytes.
@Suite struct PGSTransportTests {
    private static let files = [
        "bdsup2sub/test.sup", "c0bra5-pgs/sample/sup1.sup",
        "subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup",
    ]
    private static let cases = [
        "plain", "crop-scroll", "many-objects", "palette-update-named", "palette-by-number",
        "fragments", "acquisition-keeps", "acquisition-refreshes", "epoch-continues",
        "forced-apart", "fade",
    ]

    /// A cue by what it shows, its times from that of the first one on.
    private struct Shown: Equatable {
        var start: Duration
        /// The end; `nil` if only the end of the file determines it.
        var end: Duration?
        var isForced: Bool
        var content: CueContent
    }

    private func shown(_ cues: [Cue], from origin: Timestamp) -> [Shown] {
        cues.map { cue in
            Shown(
                start: origin.duration(to: cue.start),
                end: cue.endSource == .nextEvent ? origin.duration(to: cue.end) : nil,
                isForced: cue.isForced, content: cue.content)
        }
    }

    private func cues(
        _ path: String, _ io: ReadPathPreference, in window: TimeWindow = .all
    ) throws -> [Cue] {
        var options = Media.Options()
        options.io = io
        options.timeline = .source
        return try Media(path, options: options).subtitleTrack(id: 0).document(in: window).cues
    }

    private func check(_ path: String) throws {
        let folder = TemporaryDirectory()
        let stream = folder / "film.m2ts"
        let made = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-map", "0", "-c", "copy",
                "-mpegts_m2ts_mode", "1", "-f", "mpegts", stream,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        let bytes = try #require(fileBytes(stream))
        #expect(bytes.count % 192 == 0 && bytes[4] == 0x47)
        let original = try cues(path, .auto)
        let first = try #require(original.first).start
        for io in [ReadPathPreference.walk, .scan] {
            let all = try cues(stream, io)
            let origin = try #require(all.first).start
            #expect(shown(all, from: origin) == shown(original, from: first), "\(path), \(io)")
            // Seeks, to the same time of both.
            // An open cue lasts as long as the container's duration, which differs here.
            let closed = original.filter { $0.endSource == .nextEvent }
            let open = original.first { $0.endSource != .nextEvent }?.start
            for change in Set(closed.flatMap { [$0.start, $0.end] }).sorted() {
                for shift in [-1, 0, 1] {
                    let span = first.duration(to: change) + .milliseconds(shift)
                    if let open, first.advanced(by: span) > open { continue }
                    func window(_ begin: Timestamp) -> TimeWindow {
                        let start = begin.advanced(by: span)
                        return TimeWindow(
                            from: start, until: start.advanced(by: .milliseconds(1)))
                    }
                    let expected = try cues(path, .auto, in: window(first))
                    let found = try cues(stream, io, in: window(origin))
                    let place = Comment(rawValue: "\(path), \(io), \(span) behind the first")
                    #expect(shown(found, from: origin) == shown(expected, from: first), place)
                }
            }
        }
    }

    @Test func theCasesAreThere() {
        #expect(Set(Self.cases).isSubset(of: PGSConformanceCase.all.map(\.name)))
    }

    @Test(.requires("ffmpeg")) func fixture() throws {
        try check(TestSupport.fixture("subtitles/bitmaps.sup"))
    }

    @Test(.requires("ffmpeg"), arguments: PGSConformanceCase.all.filter { cases.contains($0.name) })
    func conformanceSet(_ one: PGSConformanceCase) throws {
        try check(one.path)
    }

    @Test(.requires("ffmpeg"), .requiresCorpus(), arguments: files)
    func others(_ name: String) throws {
        let path = try #require(corpusPath(name))
        try check(path)
    }
}
