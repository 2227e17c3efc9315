import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO
import UndertextPlayback

/// The asynchronous forms: they complete when a choice is open, and end with their task.
@Suite struct SubtitleOpeningTests {
    /// A source whose functions wait until they are cancelled.
    private final class SlowSource: SubtitleDataSource {
        let name = "slow"
        let calls = Counter()

        private func wait(_ cancellation: Cancellation) throws(UndertextError) {
            calls.add("asked")
            for _ in 0..<24_000 where !cancellation.isCancelled { pause(milliseconds: 5) }
            throw UndertextError(.cancelled, "stopped")
        }

        func subtitles(
            options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> [SubtitleInfo] {
            try wait(cancellation)
            return [documentInfo("never")]
        }

        func content(
            of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> SubtitleContent? {
            try wait(cancellation)
            return nil
        }
    }

    private func missing(_ id: String, language: String? = nil) -> SubtitleInfo {
        SubtitleInfo(
            id: id, name: id, language: language.flatMap { LanguageTag($0) },
            origin: .file(.file("/nowhere/\(id).srt"), stream: nil))
    }

    private func until(_ isTrue: () -> Bool) async -> Bool {
        for _ in 0..<24_000 {
            if isTrue() { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    @Test func addingCompletesWithTheSubtitles() async throws {
        let model = SubtitleModel()
        let infos = try await model.addSubtitles(
            of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
        #expect(!infos.isEmpty && model.subtitleInfos.map(\.id) == infos.map(\.id))
        let error = await #expect(throws: UndertextError.self) {
            try await model.addSubtitles(of: EmbeddedSubtitles(of: "/nowhere/film.mkv"))
        }
        #expect(error?.code == .notFound)
    }

    @Test func addingEndsWithItsTask() async throws {
        let model = SubtitleModel()
        let source = SlowSource()
        let task = Task { try await model.addSubtitles(of: source) }
        #expect(await until { source.calls["asked"] > 0 })
        task.cancel()
        let error = await #expect(throws: UndertextError.self) { try await task.value }
        #expect(error?.code == .cancelled && model.subtitleInfos.isEmpty)
        // All other calls also end.
        let other = Task { try await model.addSubtitles(of: source) }
        #expect(await until { source.calls["asked"] > 1 })
        model.cancelAdding()
        let stopped = await #expect(throws: UndertextError.self) { try await other.value }
        #expect(stopped?.code == .cancelled && model.subtitleInfos.isEmpty)
    }

    @Test func aSelectionCompletesWhenItIsOpen() async throws {
        let model = SubtitleModel()
        try await model.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
        _ = model.subtitle(currentTime: .milliseconds(1500))
        let info = try #require(model.subtitleInfos.first { $0.codec == .subRip })
        try await model.select(info)
        #expect(model.selectedSubtitleInfo?.state == .ready)
        #expect(!model.parts.isEmpty)
        #expect(try await model.select(id: info.id, at: .second))
        #expect(!model.secondParts.isEmpty)
        #expect(try await !model.select(id: "no such subtitles"))
        try await model.select(nil)
        #expect(model.selectedSubtitleInfo == nil)
    }

    @Test func anUnreadableSelectionThrows() async throws {
        let model = SubtitleModel()
        let error = await #expect(throws: UndertextError.self) {
            try await model.select(missing("a"))
        }
        #expect(error?.code == .notFound)
        #expect(model.selectedSubtitleInfo?.error?.code == .notFound)
    }

    /// A source that lists its subtitles when a test allows it.
    private final class HeldSource: SubtitleDataSource {
        let name = "held"
        let isAllowed = Monitor(false)

        func subtitles(
            options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> [SubtitleInfo] {
            for _ in 0..<24_000 where !isAllowed.with({ $0 }) { pause(milliseconds: 5) }
            return [documentInfo("listed", language: "en")]
        }
    }

    /// A subtitle that no source has listed yet may match.
    @Test func selectingByLanguageWaitsForSources() async throws {
        let model = SubtitleModel()
        let source = HeldSource()
        model.addSubtitle(dataSource: source)
        // Turning subtitles off waits for nothing.
        #expect(try await model.select(language: nil) == nil)
        let english = Task { try await model.select(language: "en")?.id }
        let french = Task { try await model.select(language: "fr", at: .second)?.id }
        #expect(await until { model.selectedSubtitleInfo == nil })
        source.isAllowed.with { $0 = true }
        #expect(try await english.value == "listed")
        #expect(try await french.value == nil)
    }

    /// A server without ranges sends a file from its beginning: each track, and each time, is another request.
    @Test(.requires("nginx"), .timeLimit(.minutes(5)))
    func tracksOfAServerWithoutRanges() async throws {
        let server = try WebServer.nginx(serving: fixture("containers"))
        let model = SubtitleModel()
        let infos = try await model.addSubtitles(
            of: EmbeddedSubtitles(of: "\(server.address)/no-ranges/movie.mkv"))
        let readable = infos.filter { $0.error == nil }
        #expect(readable.count > 1)
        for time in [Timestamp.milliseconds(1500), .seconds(15), .zero] {
            _ = model.subtitle(currentTime: time)
            for info in readable + readable.reversed() {
                try await model.select(info)
                #expect(model.selectedSubtitleInfo?.id == info.id)
                #expect(model.selectedSubtitleInfo?.error == nil, "\(info.id) at \(time)")
            }
        }
        for info in readable {
            try await model.select(info)
            #expect(await until { model.loadedTrack?.isComplete == true })
        }
    }

    /// A rule takes the next best; if there is none, nothing is selected.
    @Test func rulesSkipWhatCannotBeRead() async throws {
        let model = SubtitleModel()
        model.addSubtitle(info: missing("first", language: "en"))
        model.addSubtitle(info: documentInfo("second", language: "en"))
        #expect(try await model.select(language: "en")?.id == "second")
        #expect(model.parts.count == 1)
        #expect(try await model.select(language: "fr") == nil)
        #expect(try await model.select(preferring: SubtitlePreference(languages: nil)) == nil)
    }

    @Test func aSelectionThatIsReplacedIsCancelled() async throws {
        let model = SubtitleModel()
        let source = SlowSource()
        let listed = SubtitleInfo(
            id: "slow", name: "slow", source: "slow", origin: .deferred(key: "slow"))
        try await model.addSubtitles(
            of: TestSource("list", listed: .success([documentInfo("b")])))
        let slow = SlowList(source, [listed])
        try await model.addSubtitles(of: slow)
        let waiting = Task { try await model.select(listed) }
        #expect(await until { source.calls["asked"] > 0 })
        model.selectedSubtitleInfo = try model.info("b")
        let error = await #expect(throws: UndertextError.self) { try await waiting.value }
        #expect(error?.code == .cancelled && model.selectedSubtitleInfo?.id == "b")
        // The wait ends with its task, the selection stays.
        let other = Task { try await model.select(listed) }
        #expect(await until { source.calls["asked"] > 1 })
        other.cancel()
        let stopped = await #expect(throws: UndertextError.self) { try await other.value }
        #expect(stopped?.code == .cancelled && model.selectedSubtitleInfo?.id == "slow")
        model.removeAll()
    }

    /// A list of subtitles whose content another source has.
    private final class SlowList: SubtitleDataSource {
        let name = "slow"
        private let source: SlowSource
        private let infos: [SubtitleInfo]

        init(_ source: SlowSource, _ infos: [SubtitleInfo]) {
            self.source = source
            self.infos = infos
        }

        func subtitles(
            options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> [SubtitleInfo] { infos }

        func content(
            of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> SubtitleContent? {
            try source.content(of: info, options: options, cancellation: cancellation)
        }
    }
}
