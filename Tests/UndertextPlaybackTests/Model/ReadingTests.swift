import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextPlayback

/// Readings that are abandoned, continue, cannot be repeated, or are slow.
@Suite struct ReadingTests {
    /// Seeks that do not wait for one another end where the last one is.
    @Test(arguments: [
        ("containers/movie.mkv", ReadPathPreference.auto), ("containers/movie.mkv", .walk),
        ("containers/movie.mkv", .scan), ("containers/movie.ts", .auto),
        ("containers/movie.mp4", .auto), ("subtitles/vobsub.idx", .auto),
    ])
    func hastySeeks(_ name: String, _ io: ReadPathPreference) throws {
        var media = Media.Options()
        media.io = io
        var options = SubtitleModel.Options()
        options.readAhead = .zero
        options.memoryLimit = 1
        let model = SubtitleModel(options: options)
        try model.addSubtitles(of: EmbeddedSubtitles(of: .file(fixture(name)), options: media))
        let file = try Media(fixture(name))
        var generator = SeededGenerator(seed: 9)
        for info in model.subtitleInfos {
            let expected = CueTimeline(try file.subtitleTrack(id: info.streamIndex).document().cues)
            model.selectedSubtitleInfo = info
            for turn in 0..<60 {
                let time = Timestamp.milliseconds(
                    Int64.random(in: 0..<22_000, using: &generator))
                _ = model.subtitle(currentTime: time)
                guard turn % 12 == 11 else { continue }
                #expect(model.waitUntilReady(timeout: .patience))
                #expect(
                    model.parts.map(\.end) == parts(of: expected.cues(at: time)).map(\.end),
                    "\(info.name) at \(time.roundedMilliseconds)")
                #expect(model.selectedSubtitleInfo?.state == .ready)
            }
        }
    }

    private func parts(of cues: [Cue]) -> [DisplayedSubtitle] {
        cues.flatMap { DisplayedSubtitle.parts(of: $0) }
    }

    @Test func unrepeatableInputs() throws {
        let folder = TemporaryDirectory()
        let pipe = folder / "pipe"
        #expect(run("mkfifo", [pipe]).status == 0)
        let film = fixture("containers/movie.mkv")
        let writer = try #require(
            spawn(
                "/bin/sh", ["sh", "-c", "cat '\(film)' > '\(pipe)'"], input: "/dev/null",
                output: "/dev/null", error: "/dev/null"))
        defer { _ = waitForExit(writer) }
        let model = SubtitleModel()
        model.selectedSubtitleInfo = SubtitleInfo(
            id: "pipe", name: "pipe", origin: .embedded(.file(pipe), stream: 2))
        let expected = CueTimeline(try Media(film).subtitleTrack(id: 2).document().cues)
        for second in [15, 2, 9, 18, 0] as [Int64] {
            let texts = expected.cues(at: .seconds(second)).compactMap(\.plainText)
            #expect(model.texts(at: .seconds(second)) == texts)
        }
        #expect(model.waitUntilComplete())
    }

    /// The model does not wait for an abandoned reader that may take long.
    @Test func abandonedReadersAreReplaced() {
        func shared(_ playhead: Int64, isSlow: Bool, askedSince: Duration) -> TrackLoader.Shared {
            var plan = LoadPlan(playhead: .seconds(playhead), ahead: nil, isReadWhole: false)
            plan.place = .seconds(100)
            var shared = TrackLoader.Shared(plan: plan)
            shared.isOpen = true
            shared.isSlow = isSlow
            shared.askedSince = ContinuousClock.now - askedSince
            return shared
        }
        let patience = Duration.milliseconds(250)
        #expect(shared(500, isSlow: true, askedSince: .zero).isLost(patience: patience))
        #expect(!shared(500, isSlow: false, askedSince: .zero).isLost(patience: patience))
        #expect(shared(500, isSlow: false, askedSince: .seconds(1)).isLost(patience: patience))
        #expect(shared(50, isSlow: true, askedSince: .zero).isLost(patience: patience))
        // It is nearly there.
        #expect(!shared(120, isSlow: true, askedSince: .seconds(9)).isLost(patience: patience))
        var idle = shared(500, isSlow: true, askedSince: .zero)
        idle.askedSince = nil
        #expect(!idle.isLost(patience: patience))
    }

    /// A failed reading is repeated where it is needed, but not immediately.
    @Test func failedTracksAreRetried() {
        func shared(_ change: (inout TrackLoader.Shared) -> Void) -> Bool {
            let plan = LoadPlan(playhead: .seconds(500), ahead: nil, isReadWhole: false)
            var shared = TrackLoader.Shared(plan: plan)
            shared.isOpen = true
            shared.stream = StreamDescription(index: 0, kind: .text, codec: .subRip)
            shared.error = UndertextError(.io, "the server went away")
            shared.failedAt = ContinuousClock.now - .seconds(60)
            change(&shared)
            shared.forgive(after: .seconds(5))
            return shared.error == nil && !shared.isOpen
        }
        #expect(shared { _ in })
        #expect(!shared { $0.failedAt = ContinuousClock.now })
        #expect(!shared { $0.stream = nil }, "it never could be read")
        #expect(
            !shared {
                $0.stretches.begin(at: .seconds(400))
                _ = $0.stretches.add(
                    [], at: .seconds(400), joint: .seconds(400), knownUntil: .seconds(600))
            }, "nothing is missing")
    }

    /// A source that reports a cancellation without a request is not retried endlessly.
    @Test func aSourceThatGivesUp() throws {
        let info = SubtitleInfo(id: "s", name: "s", origin: .deferred(key: "1"))
        let source = TestSource(
            "service", listed: .success([info]),
            fetched: .failure(UndertextError(.cancelled, "stopped")))
        let model = SubtitleModel()
        try model.addSubtitles(of: source)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.selectedSubtitleInfo?.error?.code == .cancelled)
        #expect(source.calls["fetch"] == 1)
    }

    /// Loaded cues are only added at the end while the epoch stays the same.
    @Test func snapshotsGrowAtTheirEnd() throws {
        let model = SubtitleModel()
        try model.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie-nocues.mkv")))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        var last: LoadedTrack?
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            _ = model.subtitle(
                currentTime: .milliseconds(Int64.random(in: 0..<20_000, using: &generator)))
            guard let track = model.loadedTrack else { continue }
            if let last, last.epoch == track.epoch {
                #expect(track.cues.starts(with: last.cues))
                #expect(last.generation != track.generation || last.cues == track.cues)
            }
            last = track
        }
        #expect(model.waitUntilReady(timeout: .patience))
        let track = try #require(model.loadedTrack)
        let whole = try Media(fixture("containers/movie-nocues.mkv"))
            .subtitleTrack(id: model.subtitleInfos[0].streamIndex).document().cues
        #expect(
            track.isComplete ? track.cues.count == whole.count : track.cues.count <= whole.count)
    }
}
