import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO
import UndertextPlayback

/// The effect of faults on a player: an error value, and playback continues.
@Suite struct SubtitleSourceTests {
    private func failure(_ info: SubtitleInfo) -> UndertextError? {
        let model = SubtitleModel()
        model.addSubtitle(info: documentInfo("good"))
        model.secondSubtitleInfo = model.subtitleInfos.first
        model.selectedSubtitleInfo = info
        #expect(model.texts(at: .seconds(2)) == [])
        #expect(model.texts(at: .seconds(2), second: true) == ["good 2"], "the other goes on")
        return model.selectedSubtitleInfo?.error
    }

    private func file(_ path: String) -> SubtitleInfo {
        SubtitleInfo(id: path, name: path, origin: .file(.file(path), stream: nil))
    }

    @Test func errorsOfFiles() throws {
        let folder = TemporaryDirectory()
        #expect(failure(file(folder / "missing.srt"))?.code == .notFound)
        #expect(failure(file(folder.path))?.code == .isDirectory)
        #expect(failure(file(folder.write("", to: "empty.srt")))?.code == .empty)
        #expect(
            failure(file(folder.write("words and no times", to: "no.srt")))?.code == .notMedia)
        #expect(failure(file(fixture("containers/not-media.mkv")))?.code == .notMedia)
        #expect(failure(file(folder.write([0, 1, 2, 3], to: "binary.srt")))?.code == .notMedia)
        let missing = SubtitleInfo(
            id: "9", name: "9",
            origin: .embedded(.file(fixture("containers/movie.mkv")), stream: 99))
        #expect(failure(missing)?.code == .notFound)
        var charset = file(fixture("subtitles/en.srt"))
        charset.charset = "no-such-charset"
        let error = try #require(failure(charset))
        #expect(error.code == .charset)
        #expect(error.description.states("no-such-charset"))
    }

    /// A player tries again where that may help.
    @Test func errorsThatMayPass() {
        for code in [UndertextError.Code.io, .timeout, .unreachable, .serverError, .rateLimited] {
            #expect(UndertextError(code, "why").mayPass)
        }
        #expect(UndertextError(.quotaExceeded, "why").mayPass)
        for code in [UndertextError.Code.missingLibrary, .missingLanguage, .unsupported] {
            #expect(!UndertextError(code, "why").mayPass)
        }
    }

    @Test func namesOfFilesSayWhatTheyAreMeantFor() throws {
        let folder = TemporaryDirectory()
        let bytes = try fixtureBytes("subtitles/en.srt")
        func infos(_ name: String, _ language: String? = nil) throws -> [SubtitleInfo] {
            let path = folder.write(bytes, to: name)
            return try FileSubtitles(
                .file(path), language: language.flatMap { LanguageTag($0) }
            ).subtitles(cancellation: Cancellation())
        }
        let forced = try #require(infos("film.en.forced.srt").first)
        #expect(forced.language?.rawValue == "en" && forced.kind == .forced)
        #expect(forced.name == "en (forced)")
        // The viewer's language precedes that of the name.
        #expect(try infos("film.de.sdh.srt", "fr").first?.language?.rawValue == "fr")
        #expect(try infos("film.de.sdh.srt").first?.kind == .hearingImpaired)
        let plain = try #require(infos("subtitles.srt").first)
        #expect(plain.language == nil && plain.kind == .full && plain.name == "subtitles")
    }

    @Test func aWrongCharsetIsReportedAndCorrected() throws {
        let folder = TemporaryDirectory()
        // One letter that could be anything.
        let path = folder.write(
            Array("1\n00:00:00,000 --> 00:00:09,000\n".utf8) + [0xE5, 0x0A], to: "m.srt")
        let model = SubtitleModel()
        model.selectedSubtitleInfo = file(path)
        #expect(model.texts(at: .seconds(1)).count == 1)
        var info = try #require(model.selectedSubtitleInfo)
        #expect(!info.warnings.isEmpty)
        info.charset = "CP1251"
        model.addSubtitle(info: info)
        #expect(model.texts(at: .seconds(1)) == ["е"])
        #expect(model.selectedSubtitleInfo?.warnings == [])
        info.charset = "ISO-8859-1"
        model.addSubtitle(info: info)
        #expect(model.texts(at: .seconds(1)) == ["å"])
    }

    @Test func choosingAgainTriesAgain() {
        let folder = TemporaryDirectory()
        let model = SubtitleModel()
        let info = file(folder / "later.srt")
        model.selectedSubtitleInfo = info
        #expect(model.texts(at: .seconds(1)) == [])
        #expect(model.selectedSubtitleInfo?.error?.code == .notFound)
        folder.write("1\n00:00:00,000 --> 00:00:09,000\nhere\n", to: "later.srt")
        model.selectedSubtitleInfo = info
        #expect(model.texts(at: .seconds(1)) == ["here"])
        #expect(model.selectedSubtitleInfo?.state == .ready)
    }

    @Test func tracksOfAVideo() throws {
        let model = SubtitleModel()
        let input = MediaInput.file(fixture("containers/movie.mkv"))
        model.addSubtitle(dataSource: EmbeddedSubtitles(of: input))
        #expect(model.waitUntilReady(timeout: .patience))
        let infos = model.subtitleInfos
        #expect(infos.count == 7)
        #expect(infos.map(\.isBitmap) == [false, false, false, false, false, true, true])
        #expect(infos.map(\.language?.rawValue).prefix(4) == ["en", "pt-BR", "en", "en"])
        #expect(infos.map(\.kind).prefix(4) == [.full, .full, .hearingImpaired, .forced])
        #expect(infos.allSatisfy { !$0.origin.isExternal && $0.source == "video" })
        let memory = try MediaInput.bytes(fixtureBytes("containers/movie.mkv"), name: "movie")
        let same = try EmbeddedSubtitles(of: memory).subtitles(cancellation: Cancellation())
        #expect(same.map(\.language) == infos.map(\.language))
    }

    @Test func aSearchCostsNoDownload() throws {
        let found = (1...3).map { number in
            SubtitleInfo(
                id: "s\(number)", name: "\(number)", source: "service",
                origin: .deferred(key: "\(number)"))
        }
        let text = "1\n00:00:00,000 --> 00:00:09,000\nfetched\n"
        let service = TestSource(
            "service", found: .success(found),
            fetched: .success(SubtitleContent(bytes: Array(text.utf8), name: "x.srt")))
        let down = TestSource(
            "down", found: .failure(UndertextError(.io, "the server is down")))
        let model = SubtitleModel()
        model.addSubtitle(dataSource: service)
        model.addSubtitle(dataSource: down)
        model.searchSubtitle(query: "film", imdbID: "tt1", languages: ["en", "ger"])
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(!model.isSearching)
        #expect(model.subtitleInfos.map(\.id) == ["s1", "s2", "s3"])
        #expect(model.sourceErrors["down"]?.code == .io)
        #expect(model.sourceErrors["service"] == nil)
        #expect(service.calls["fetch"] == 0)
        model.selectedSubtitleInfo = try model.info("s2")
        #expect(model.texts(at: .seconds(1)) == ["fetched"])
        #expect(service.calls["fetch"] == 1)
        // The next search replaces what is not chosen.
        model.searchSubtitle(query: "another")
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.subtitleInfos.map(\.id) == ["s2", "s1", "s3"])
        #expect(model.texts(at: .seconds(1)) == ["fetched"])
        #expect(service.calls["fetch"] == 1)
    }

    /// Lists only when its search has failed.
    private final class LateSource: SearchableSubtitleDataSource {
        let name = "late"
        private let hasFailed = Monitor(false)

        func subtitles(
            options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> [SubtitleInfo] {
            hasFailed.wait(.consumers) { $0 ? () : nil }
            return []
        }

        func search(
            _ query: SubtitleQuery, options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> [SubtitleInfo] {
            throw UndertextError(.io, "the server is down")
        }

        func content(
            of info: SubtitleInfo, options: Media.Options, cancellation: Cancellation
        ) throws(UndertextError) -> SubtitleContent? { nil }

        func goOn() {
            hasFailed.with { $0 = true }
            hasFailed.wakeAll(.consumers)
        }
    }

    @Test func aLateListTakesNoErrorAway() {
        let model = SubtitleModel()
        let source = LateSource()
        model.addSubtitle(dataSource: source)
        model.searchSubtitle(query: "film")
        for _ in 0..<24_000 where model.sourceErrors["late"] == nil { pause(milliseconds: 5) }
        #expect(model.sourceErrors["late"]?.code == .io)
        source.goOn()
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.sourceErrors["late"]?.code == .io)
    }

    @Test func noMoreDownloads() throws {
        let info = SubtitleInfo(id: "s", name: "s", origin: .deferred(key: "1"))
        var quota = UndertextError(.quotaExceeded, "no downloads are left today")
        quota.service.retryAfter = .seconds(3600)
        let source = TestSource("service", listed: .success([info]), fetched: .failure(quota))
        let model = SubtitleModel()
        try model.addSubtitles(of: source)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        #expect(model.texts(at: .seconds(1)) == [])
        #expect(model.selectedSubtitleInfo?.error == quota)
        #expect(quota.mayPass)
        // Nobody who could fetch it.
        #expect(failure(info)?.code == .notFound)
    }

    @Test func changedTextOfTheApplication() {
        var options = SubtitleModel.Options()
        options.media.textHook = { text, _ in
            text.split(separator: "The", omittingEmptySubsequences: false)
                .joined(separator: "THE")
        }
        let model = SubtitleModel(options: options)
        model.selectedSubtitleInfo = file(fixture("subtitles/en.srt"))
        #expect(model.waitUntilComplete())
        let words = model.loadedTrack?.cues.compactMap(\.plainText) ?? []
        #expect(words.contains { $0.contains("THE") })
        #expect(!words.contains { $0.contains("The ") })
    }

    /// A cancellation between two sources that are added together concerns the second one, too.
    @Test func cancellationHoldsForAllSourcesOfAnAddition() throws {
        let model = SubtitleModel()
        let first = TestSource("first", listed: .success([documentInfo("a")]))
        let second = TestSource("second", listed: .success([documentInfo("b")]))
        let adding = model.beginAdding()
        try model.addSubtitles(of: first, cancellation: adding)
        model.cancelAdding()
        let error = #expect(throws: UndertextError.self) {
            try model.addSubtitles(of: second, cancellation: adding)
        }
        #expect(error?.code == .cancelled && second.calls["list"] == 0)
        #expect(model.subtitleInfos.map(\.id) == ["a"])
        // A later addition is not concerned.
        try model.addSubtitles(of: second)
        #expect(model.subtitleInfos.map(\.id) == ["a", "b"])
    }
}

/// Lists show names, so no two of a source are equal.
@Suite struct DistinctNameTests {
    private func movie(_ tracks: [(language: String, title: String, forced: Bool)])
        -> [SubtitleInfo]
    {
        let folder = TemporaryDirectory()
        for (index, track) in tracks.enumerated() {
            folder.write(
                "1\n00:00:01,000 --> 00:00:02,000\n\(index)\n", to: "\(index).srt")
            _ = track
        }
        let inputs = tracks.indices.flatMap { ["-i", folder / "\($0).srt"] }
        let options = tracks.enumerated().flatMap { index, track in
            [
                "-map", "\(index)", "-metadata:s:\(index)", "language=\(track.language)",
                "-metadata:s:\(index)", "title=\(track.title)", "-disposition:\(index)",
                track.forced ? "forced" : "0",
            ]
        }
        let path = folder / "movie.mkv"
        let made = run(
            "ffmpeg", ["-nostdin", "-v", "error"] + inputs + options + ["-c:s", "copy", path])
        #expect(made.status == 0, "\(made.stderr)")
        return (try? EmbeddedSubtitles(of: path).subtitles(cancellation: Cancellation())) ?? []
    }

    @Test(.requires("ffmpeg")) func namesOfTracksDiffer() {
        let infos = movie([
            ("eng", "English", false), ("eng", "English", true), ("ger", "", false),
            ("ger", "", false), ("ger", "", true), ("fre", "Français", false),
            ("ger", "de (2)", false),
        ])
        #expect(
            infos.map(\.name) == [
                "English", "English (forced)", "de", "de (3)", "de (forced)", "Français", "de (2)",
            ])
    }
}
