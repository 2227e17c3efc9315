import TestSupport
import Testing
import Undertext
import UndertextCore

/// The screen after a seek equals that without a seek.
@Suite struct SeekTests {
    /// A cue without the properties that depend on how it was found.
    private struct Shown: Hashable {
        var start: Timestamp
        var end: Timestamp
        var isForced: Bool
        var content: CueContent
    }

    private static func times(_ shown: [Shown]) -> String {
        shown.map { "\($0.start.roundedMilliseconds)–\($0.end.roundedMilliseconds)" }
            .joined(separator: " ")
    }

    private static func shown(_ cues: [Cue], in window: TimeWindow = .all) -> [Shown] {
        cues.filter { window.overlaps(from: $0.start, until: $0.end) }.map {
            Shown(start: $0.start, end: $0.end, isForced: $0.isForced, content: $0.content)
        }
    }

    /// `true` if the same is on screen.
    ///
    /// Of an image that was sent again before the window began only the last time may be known.
    private static func areEqual(
        _ found: [Shown], _ expected: [Shown], _ window: TimeWindow
    ) -> Bool {
        found.count == expected.count
            && zip(found, expected).allSatisfy { one, other in
                var one = one
                if let start = window.start, one.start <= start, other.start < one.start {
                    one.start = other.start
                }
                return one == other || look(one) == look(other)
            }
    }

    /// With the colors that are used alone: libavcodec keeps those of images before.
    private static func look(_ shown: Shown) -> Shown {
        guard case .images(var content) = shown.content else { return shown }
        content.images = content.images.map { placed in
            var used = [Bool](repeating: false, count: 256)
            for index in placed.bitmap.indices { used[Int(index)] = true }
            let palette = placed.bitmap.palette.enumerated().map { used[$0] ? $1 : .clear }
            let bitmap = IndexedBitmap(
                width: placed.bitmap.width, height: placed.bitmap.height,
                indices: placed.bitmap.indices, palette: palette)
            return bitmap.map { PlacedBitmap(x: placed.x, y: placed.y, bitmap: $0) } ?? placed
        }
        var shown = shown
        shown.content = .images(content)
        return shown
    }

    private static func cues(
        _ path: String, _ stream: Int, _ io: ReadPathPreference, in window: TimeWindow = .all
    ) throws -> [Cue] {
        var options = Media.Options()
        options.io = io
        return try Media(path, options: options).subtitleTrack(id: stream).document(in: window).cues
    }

    /// Windows that begin at a change, shortly before and after it.
    private static func windows(_ cues: [Cue]) -> [TimeWindow] {
        let changes = cues.flatMap { [$0.start, $0.end] }
        let step = max(1, changes.count / 10)
        return stride(from: 0, to: changes.count, by: step).flatMap { place in
            [-50, 0, 50].map { shift in
                let start = changes[place].advanced(by: .milliseconds(shift))
                return TimeWindow(from: start, until: start.advanced(by: .seconds(3)))
            }
        } + [TimeWindow(until: .seconds(5)), TimeWindow(from: .seconds(100_000))]
    }

    private static func check(
        _ path: String, _ required: [ReadPathPreference]
    ) throws -> Int {
        var checked = 0
        for track in try Media(path).subtitleTracks {
            guard let all = try? cues(path, track.id, .scan), !all.isEmpty else { continue }
            for io in ReadPathPreference.allCases {
                // Not every file can be read every way, but how it can be is known.
                do {
                    _ = try cues(path, track.id, io)
                } catch let error as UndertextError where error.code == .unsupported {
                    #expect(!required.contains(io), "\(path): \(error)")
                    continue
                }
                for window in windows(all) {
                    let found = shown(try cues(path, track.id, io, in: window))
                    let expected = shown(all, in: window)
                    let isEqual = Self.areEqual(found, expected, window)
                    #expect(
                        isEqual,
                        """
                        \(path), stream \(track.id), \(io): \(String(describing: window.start)) \
                        gives \(times(found)), not \(times(expected))
                        """)
                    checked += 1
                }
            }
        }
        return checked
    }

    @Test(
        arguments: [
            ("movie.mkv", [.index, .walk]), ("movie-ffmpeg.mkv", [.index, .walk]),
            ("movie-nocues.mkv", [.walk]), ("movie.mp4", []), ("movie.ts", [.walk]),
            ("movie.webm", [.index, .walk]), ("webvtt.mkv", [.walk]), ("encodings.mkv", [.walk]),
            ("cues-wrong.mkv", [.walk]), ("unknown-sizes.mkv", [.walk]),
        ] as [(String, [ReadPathPreference])])
    func fixtures(_ name: String, _ required: [ReadPathPreference]) throws {
        #expect(try Self.check(fixture("containers/" + name), required + [.auto, .scan]) > 0)
    }

    @Test(
        .requiresCorpus(),
        arguments: [
            "c0bra5-pgs/sample/sample.mkv",
            "subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv",
            "androidx-media/mkv/sample_with_overlapping_srt.mkv",
            "androidx-media/mkv/sample_with_vobsub.mkv",
        ])
    func independentFiles(_ name: String) throws {
        let path = try #require(corpusPath(name))
        #expect(try Self.check(path, [.auto, .walk, .scan]) > 0)
    }

    /// Generated streams for each rule, read by our reader and by libavformat.
    @Test(arguments: PGSConformanceCase.all)
    func displaySets(_ one: PGSConformanceCase) throws {
        // libavformat does not read damaged files as we do.
        guard !one.isFramingDamaged else { return }
        #expect(try Self.check(one.path, [.auto, .scan]) > 0)
    }

    /// By the index and by the walk, too, which look back for where an epoch starts.
    @Test(.requires("mkvmerge"), arguments: ["acquisition-keeps", "acquisition-refreshes"])
    func acquisitionPoints(_ name: String) throws {
        let folder = TemporaryDirectory()
        let path = folder / "\(name).mkv"
        let made = run("mkvmerge", ["-q", "-o", path, fixture("bitmap/pgs/\(name).sup")])
        try #require(made.status == 0, "\(made.text)")
        #expect(try Self.check(path, [.index, .walk, .scan]) > 0)
    }

    /// Units that are shown late, stop, or last until the next one, as files and in Matroska.
    @Test(
        .requires("mkvmerge"),
        arguments: [
            "no-stop", "delayed-start", "delays", "restart", "stop", "stop-at-start", "no-start",
            "fade",
            "colcon-wipe", "move",
        ])
    func subPictures(_ name: String) throws {
        let index = fixture("bitmap/dvd/\(name)/stream.idx")
        #expect(try Self.check(index, [.auto, .scan]) > 0)
        let folder = TemporaryDirectory()
        let path = folder / "\(name).mkv"
        let made = run("mkvmerge", ["-q", "-o", path, index])
        try #require(made.status < 2, "\(made.text)")
        #expect(try Self.check(path, [.walk, .scan]) > 0)
    }

    @Test(
        .requiresCorpus(),
        arguments: [
            "bdsup2sub/test.sup", "c0bra5-pgs/sample/sup1.sup", "libpgs-js/tests/files/test.sup",
            "subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup",
        ])
    func independentDisplaySets(_ name: String) throws {
        let path = try #require(corpusPath(name))
        #expect(try Self.check(path, [.auto, .scan]) > 0)
    }

    /// Only what is needed is read.
    @Test func theIndexReadsOnlyThatPart() throws {
        var options = Media.Options()
        options.io = .index
        let path = fixture("containers/movie.mkv")
        func read(_ window: TimeWindow) throws -> (bytes: UInt64, packets: Int) {
            let file = try Media(path, options: options)
            let before = try file.packetReader(of: []).summary.statistics.bytesRead
            let reader = try file.packetReader(of: file.subtitleTracks, in: window)
            var packets = 0
            while try reader.nextPacket() != nil { packets += 1 }
            return (reader.summary.statistics.bytesRead - before, packets)
        }
        let whole = try read(.all)
        let part = try read(TimeWindow(from: .seconds(4), until: .seconds(6)))
        #expect(part.packets > 0)
        #expect(part.packets < whole.packets)
        #expect(part.bytes < whole.bytes)
    }
}
