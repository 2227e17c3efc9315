import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

/// Wherever a player goes, it sees what decoding from the beginning shows.
@Suite struct PlaybackSeekTests {
    /// The content on screen, without properties that depend on how it was read.
    private struct Shown: Hashable {
        var end: Timestamp
        var isForced: Bool
        var content: CueContent
    }

    private static func shown(_ cues: [Cue]) -> Set<Shown> {
        Set(
            cues.filter { !($0.plainText?.isEmpty ?? false) }.map {
                Shown(end: $0.end, isForced: $0.isForced, content: usedColors($0.content))
            })
    }

    /// libavcodec keeps colors of earlier images, which are invisible.
    private static func usedColors(_ content: CueContent) -> CueContent {
        guard case .images(var images) = content else { return content }
        images.images = images.images.map { placed in
            var used = [Bool](repeating: false, count: 256)
            for index in placed.bitmap.indices { used[Int(index)] = true }
            let palette = placed.bitmap.palette.enumerated().map { used[$0] ? $1 : .clear }
            let bitmap = IndexedBitmap(
                width: placed.bitmap.width, height: placed.bitmap.height,
                indices: placed.bitmap.indices, palette: palette)
            return bitmap.map { PlacedBitmap(x: placed.x, y: placed.y, bitmap: $0) } ?? placed
        }
        return .images(images)
    }

    /// Goes to random times of every track of a file; the number of times looked at.
    private static func check(
        _ path: String, seeks: Int, options: SubtitleModel.Options = .init()
    ) throws -> Int {
        guard let file = try? Media(path) else { return 0 }
        let model = SubtitleModel(options: options)
        guard let infos = try? model.addSubtitles(of: EmbeddedSubtitles(of: path)) else { return 0 }
        var checked = 0
        var generator = SeededGenerator(seed: 11)
        for info in infos where info.error == nil {
            guard let expected = try? file.subtitleTrack(id: info.streamIndex).document().cues,
                !expected.isEmpty
            else {
                continue
            }
            let timeline = CueTimeline(expected)
            model.selectedSubtitleInfo = info
            let changes = expected.flatMap { [$0.start, $0.end] }
            for _ in 0..<seeks {
                // Near a change, where mistakes show.
                let change = changes[Int.random(in: 0..<changes.count, using: &generator)]
                let time = change.advanced(
                    by: .milliseconds(Int64.random(in: -700...700, using: &generator)))
                _ = model.subtitle(currentTime: time)
                #expect(
                    model.waitUntilReady(timeout: .patience), "\(path), \(info.name): no answer")
                var seen: [Cue] = []
                for part in model.parts where part.cue != seen.last { seen.append(part.cue) }
                let isEqual = shown(seen) == shown(timeline.cues(at: time))
                #expect(
                    isEqual,
                    """
                    \(path), \(info.id) at \(time.roundedMilliseconds) ms: \
                    \(seen.map { "\($0.start.roundedMilliseconds)–\($0.end.roundedMilliseconds)" }), \
                    not \(timeline.cues(at: time).map {
                        "\($0.start.roundedMilliseconds)–\($0.end.roundedMilliseconds)"
                    })
                    """)
                checked += 1
            }
        }
        return checked
    }

    @Test(arguments: [
        "containers/movie.mkv", "containers/movie-ffmpeg.mkv", "containers/movie-nocues.mkv",
        "containers/movie.mp4", "containers/movie.ts", "containers/movie.webm",
        "containers/webvtt.mkv", "containers/encodings.mkv", "containers/cues-wrong.mkv",
        "containers/unknown-sizes.mkv", "containers/truncated.mkv", "containers/zlib.mkv",
        "subtitles/bitmaps.sup", "subtitles/vobsub.idx", "subtitles/captions.vtt",
        "subtitles/signs.ass", "subtitles/en.srt",
    ])
    func fixtures(_ name: String) throws {
        #expect(try Self.check(fixture(name), seeks: 20) > 0)
    }

    /// No reading ahead, and memory for hardly one image: every seek reopens the reader.
    @Test(arguments: [
        "containers/movie.mkv", "containers/movie.ts", "subtitles/bitmaps.sup",
        "subtitles/vobsub.idx", "containers/movie.mp4",
    ])
    func withoutMemory(_ name: String) throws {
        var options = SubtitleModel.Options()
        options.readAhead = .zero
        options.memoryLimit = 1
        #expect(try Self.check(fixture(name), seeks: 20, options: options) > 0)
    }

    @Test(.requiresCorpus()) func corpus() throws {
        let root = try #require(corpusPath("README.md").map({ String($0.dropLast(10)) }))
        let endings = [
            "mkv", "mp4", "m4s", "ts", "m2ts", "sup", "idx", "srt", "vtt", "ass", "ssa", "ttml",
            "smi", "webm", "mks", "sub", "xml",
        ]
        var files = 0
        var checked = 0
        for path in TestSupport.files(below: root) {
            guard endings.contains(where: { path.hasSuffix("." + $0) }),
                (fileSize(path) ?? 0) < 8 << 20
            else { continue }
            let count = try Self.check(path, seeks: 4)
            checked += count
            files += count > 0 ? 1 : 0
        }
        print("corpus: \(checked) seeks in \(files) files")
        #expect(files > 50)
    }
}
