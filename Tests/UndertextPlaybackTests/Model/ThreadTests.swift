import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO
import UndertextPlayback

/// Everything is used from several threads at once; ThreadSanitizer looks on in the nightly run.
@Suite struct ThreadTests {
    @Test func allAtOnce() async throws {
        let model = SubtitleModel()
        try await model.addSubtitles(
            of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
        let infos = model.subtitleInfos
        let count = 150
        // It reads until it is cancelled: how many changes become one depends on who runs when.
        let changes = model.changes()
        let reader = Task { for await _ in changes {} }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for turn in 0..<count * 4 {
                    _ = model.subtitle(currentTime: .milliseconds(Int64(turn * 37 % 20_000)))
                    _ = model.parts.count + model.secondParts.count
                }
            }
            group.addTask {
                var generator = SeededGenerator(seed: 1)
                for _ in 0..<count {
                    model.selectedSubtitleInfo = infos.randomElement(using: &generator)
                    model.secondSubtitleInfo = infos.randomElement(using: &generator)
                }
                _ = try? await model.select(language: "en")
            }
            group.addTask {
                for turn in 0..<count {
                    model.subtitleDelay = .milliseconds(turn)
                    model.setDelay(.milliseconds(-turn), forSource: "video")
                    _ = model.nextChange(after: .zero)
                }
                model.subtitleDelay = .zero
                model.setDelay(.zero, forSource: "video")
            }
            group.addTask {
                for turn in 0..<count {
                    let info = documentInfo("d\(turn % 5)", language: "fr", count: 20)
                    model.addSubtitle(info: info)
                    if turn % 3 == 0 { model.removeSubtitle(info: info) }
                }
            }
            group.addTask {
                for _ in 0..<count {
                    _ = model.loadedTrack?.cues.count
                    _ = model.secondLoadedTrack?.fonts.count
                    _ = model.subtitleInfos.map(\.state)
                    _ = model.sourceErrors.count
                }
            }
            group.addTask {
                let source = TestSource("service", found: .success([documentInfo("found")]))
                model.addSubtitle(dataSource: source)
                for _ in 0..<count / 10 { model.searchSubtitle(query: "x") }
                model.cancelSearch()
            }
        }
        reader.cancel()
        _ = await reader.value
        // After all that it works as ever.
        model.secondSubtitleInfo = nil
        model.selectedSubtitleInfo = infos.first
        let expected = try await Media(fixture("containers/movie.mkv"))
            .subtitleTrack(id: infos[0].streamIndex).document().cues
        let first = try #require(expected.first)
        #expect(model.texts(at: first.start) == [first.plainText ?? ""])
    }

    /// A system without threads: nothing is read on the player's thread, and nothing waits forever.
    @Test func missingThreadsAreReported() throws {
        let model = SubtitleModel(
            options: SubtitleModel.Options(), queue: BackgroundQueue(threads: 2) { _ in false })
        let source = TestSource(
            "service", listed: .success([documentInfo("a")]),
            found: .success([documentInfo("b")]))
        model.addSubtitle(dataSource: source)
        #expect(model.sourceErrors["service"]?.code == .limit)
        model.searchSubtitle(query: "words")
        #expect(!model.isSearching && source.calls["list"] + source.calls["search"] == 0)
        try model.addSubtitles(of: source)
        model.selectedSubtitleInfo = try model.info("a")
        #expect(!model.subtitle(currentTime: .zero))
        #expect(try model.info("a").state == .loading && model.parts.isEmpty)
    }
}
