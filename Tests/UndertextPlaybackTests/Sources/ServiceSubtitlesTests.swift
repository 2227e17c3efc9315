import Synchronization
import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextProviders

@testable import UndertextPlayback

/// A service as a player's source: searching downloads nothing, choosing downloads one.
@Suite struct ServiceSubtitlesTests {
    /// A service that notes what it is asked.
    private final class Service: SubtitleProvider {
        let name = "service"
        let state = Mutex((queries: [OnlineQuery](), downloads: [String]()))
        let failure: UndertextError?
        let files: [OnlineDownload.File]
        let isPack: Bool

        init(
            failure: UndertextError? = nil, files: [OnlineDownload.File] = [], isPack: Bool = false
        ) {
            self.failure = failure
            self.files = files
            self.isPack = isPack
        }

        func search(
            _ query: OnlineQuery, cancellation: Cancellation
        ) throws(UndertextError) -> OnlineResults {
            state.withLock { $0.queries.append(query) }
            if let failure { throw failure }
            var first = OnlineSubtitle(
                provider: name, id: "1", languages: ["en"])
            first.release = "A.Film.2019"
            first.isPack = isPack
            first.isHearingImpaired = true
            first.delay = .seconds(-2)
            return OnlineResults(subtitles: [first, OnlineSubtitle(provider: name, id: "2")])
        }

        func download(
            _ subtitle: OnlineSubtitle, for query: OnlineQuery, cancellation: Cancellation
        ) throws(UndertextError) -> OnlineDownload {
            state.withLock { $0.downloads.append(subtitle.id) }
            if let failure { throw failure }
            if isPack {
                let text = "1\n00:00:01,000 --> 00:00:02,000\nEpisode \(query.episode ?? 0)\n"
                return OnlineDownload(files: [
                    .init(name: "x.srt", fileExtension: "srt", bytes: Array(text.utf8))
                ])
            }
            return OnlineDownload(files: files)
        }
    }

    private let file = OnlineDownload.File(
        name: "x.srt", fileExtension: "srt",
        bytes: Array("1\n00:00:01,000 --> 00:00:02,000\nHello\n".utf8))

    @Test func searchingDownloadsNothing() throws {
        let service = Service(files: [file])
        let source = ServiceSubtitles(service)
        #expect(try source.subtitles(cancellation: Cancellation()).isEmpty)
        let infos = try source.search(
            SubtitleQuery(query: "A Film 2019", imdbID: "tt0133093", tmdbID: "603"),
            cancellation: Cancellation())
        #expect(infos.map(\.name) == ["A.Film.2019", "2"])
        #expect(infos.first?.language == LanguageTag("en"))
        #expect(infos.first?.disposition == .hearingImpaired)
        #expect(infos.first?.delay == .seconds(-2))
        #expect(infos.first?.origin == .deferred(key: "1"))
        let asked = try #require(service.state.withLock { $0.queries.first })
        #expect(
            (asked.text, asked.year, asked.imdbID, asked.tmdbID) == ("A Film", 2019, 133_093, 603))
        #expect(service.state.withLock { $0.downloads.isEmpty })

        let chosen = try #require(infos.first)
        let content = try source.content(of: chosen, cancellation: Cancellation())
        guard case .input(.bytes(let bytes, _), _)? = content?.form else {
            Issue.record("no file in memory")
            return
        }
        #expect(bytes == file.bytes)
        #expect(service.state.withLock { $0.downloads } == ["1"])
    }

    @Test func aPackIsAnotherFileForAnotherEpisode() throws {
        let service = Service(isPack: true)
        let folder = TemporaryDirectory()
        let cache = try #require(SubtitleCache(folder: folder.path))
        let source = CachedSubtitles(ServiceSubtitles(service), in: cache)
        func text(_ query: String) throws -> String {
            let found = try source.search(SubtitleQuery(query: query), cancellation: Cancellation())
            let info = try #require(found.first)
            let content = try source.content(of: info, cancellation: Cancellation())
            guard case .input(.bytes(let bytes, _), _)? = content?.form else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try text("A Series S01E01").contains("Episode 1"))
        #expect(try text("A Series S01E02").contains("Episode 2"))
        #expect(try text("A Series S01E01").contains("Episode 1"))
        // The third was on the disk.
        #expect(service.state.withLock { $0.downloads.count } == 2)
    }

    @Test func failuresOfServicesArePassedOn() {
        for code in [
            UndertextError.Code.quotaExceeded, .missingKey, .unauthorized, .serverError,
            .rateLimited, .nestedOpen, .limit, .cancelled, .malformedAnswer, .notFound,
            .unsupported,
        ] {
            var error = UndertextError(code, "message", provider: "service", underlying: "said")
            error.service.retryAfter = .seconds(5)
            let source = ServiceSubtitles(Service(failure: error))
            do throws(UndertextError) {
                _ = try source.search(SubtitleQuery(query: "x"), cancellation: Cancellation())
                Issue.record("no error")
            } catch {
                #expect(error.code == code)
                #expect(error.service.retryAfter == .seconds(5))
                #expect(error.description == "service: message (said)")
            }
        }
    }

    @Test func unplayableContentIsReported() throws {
        let pair = ServiceSubtitles(Service(files: [file, file]))
        let infos = try pair.search(SubtitleQuery(query: "x"), cancellation: Cancellation())
        let info = try #require(infos.first)
        #expect(throws: UndertextError.self) {
            try pair.content(of: info, cancellation: Cancellation())
        }
        // Found by another source, or so long ago that it is forgotten.
        #expect(throws: UndertextError.self) {
            try ServiceSubtitles(Service(files: [file])).content(
                of: info, cancellation: Cancellation())
        }
        #expect(throws: UndertextError.self) {
            try pair.search(
                SubtitleQuery(video: .file("/nowhere/film.mkv")), cancellation: Cancellation())
        }
    }
}
