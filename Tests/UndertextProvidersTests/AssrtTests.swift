import TestSupport
import Testing
import UndertextCore

@testable import UndertextProviders

/// Assrt and Shooter as their answers are described, and what goes wrong.
@Suite(.requires("python3")) struct AssrtTests {
    private let time = ManualClock()
    private let token = Secret("ASSRT-1234567890")

    private func provider(
        _ server: ProviderServer, _ mode: String, token: Secret? = nil
    ) throws(UndertextError) -> Assrt {
        try Assrt(
            token: token ?? self.token, userAgent: "Tests v1.0",
            server: "\(server.address)/\(mode)/v1", fetcher: OnlineAccess.fetcher(),
            clock: time.clock)
    }

    private var film: OnlineQuery {
        var query = OnlineQuery(videoName: "A.Film.2019.1080p.BluRay.x264-GOOD.mkv")
        query.languages = ["zh-CN", "en"].compactMap { LanguageTag($0) }
        return query
    }

    private var result: OnlineSubtitle { OnlineSubtitle(provider: "assrt", id: "602333") }

    @discardableResult private func expectError(
        _ code: UndertextError.Code, _ work: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> UndertextError? {
        do {
            try work()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch let error as UndertextError {
            #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
            #expect(!"\(error)".contains("1234567890"), sourceLocation: sourceLocation)
            return error
        } catch {
            Issue.record("\(error)", sourceLocation: sourceLocation)
        }
        return nil
    }

    @Test func searchReadsWhatIsThere() throws {
        let server = try ProviderServer.start()
        let results = try provider(server, "ok").search(film)
        #expect(results.subtitles.map(\.id) == ["602333", "602335"])
        let best = try #require(results.subtitles.first)
        #expect(best.languages.map(\.rawValue) == ["zh-Hans", "en"])
        #expect(best.match == .title)
        #expect(best.format == "Subrip(srt)")
        #expect(best.title == "A Film")
        #expect(server.lines.count == 1)
        #expect(server.lines.first?.contains("is_file=1&q=A.Film.2019") == true)
        // The token is in a header, not in the address.
        #expect(server.lines.first?.contains("token=") == false)

        var all = film
        all.languages = []
        let every = try provider(server, "ok").search(all).subtitles
        #expect(every.map(\.id) == ["602333", "602335", "602334"])
        #expect(every.last?.release == "另一部")
        #expect(every.last?.languages.map(\.rawValue) == ["zh-Hant"])
        #expect(try provider(server, "ok").attribution?.contains("assrt.net") == true)
    }

    @Test func wordsAreTriedAfterTheName() throws {
        let server = try ProviderServer.start()
        #expect(try provider(server, "words").search(film).subtitles.count == 2)
        #expect(server.lines.count == 2)
        #expect(server.lines.last?.contains("q=A+Film+2019") == true)
        #expect(try provider(server, "none").search(film).subtitles.isEmpty)
        expectError(.refused) { _ = try provider(server, "ok").search(OnlineQuery(text: "ab")) }
        #expect(
            Assrt.searches(for: OnlineQuery(text: "Show 1x2")).map { $0.last?.1 }
                == ["Show S01E02"])
    }

    @Test func aFileOfAListIsChosen() throws {
        let server = try ProviderServer.start()
        let download = try provider(server, "list").download(result, for: film)
        #expect(download.files.map(\.name) == ["A.Film.chs.srt"])
        // By its content.
        #expect(download.files.map(\.fileExtension) == ["vtt"])
        #expect(download.leftOut == ["A.Film.eng.srt"])
        #expect(server.lines.count == 2)
        let images = try provider(server, "pictures").download(result, for: film)
        #expect(images.files.map(\.fileExtension) == ["idx", "sub"])
        #expect(images.leftOut == [])
    }

    @Test func aFileOfAnArchiveIsChosen() throws {
        let server = try ProviderServer.start()
        var query = OnlineQuery(videoName: "A.Show.S01E02.720p.mkv")
        query.languages = ["en"].compactMap { LanguageTag($0) }
        let download = try provider(server, "ok").download(result, for: query)
        #expect(download.files.map(\.name) == ["A.Show.S01E02.en.srt"])
        #expect(download.files.first?.bytes == Array("two en".utf8))
        #expect(download.leftOut.count == 4)
        query.languages = ["zh"].compactMap { LanguageTag($0) }
        #expect(
            try provider(server, "ok").download(result, for: query).files.first?.bytes
                == Array("two zh".utf8))
    }

    @Test func faultsAreReported() throws {
        let server = try ProviderServer.start()
        expectError(.unauthorized) {
            _ = try provider(server, "ok", token: Secret("WRONG1234567890")).search(film)
        }
        let over = expectError(.rateLimited) { _ = try provider(server, "over").search(film) }
        #expect(over?.service.retryAfter == .seconds(60))
        expectError(.notFound) { _ = try provider(server, "gone").download(result, for: film) }
        expectError(.notFound) { _ = try provider(server, "empty").download(result, for: film) }
        let rar = expectError(.unsupported) {
            _ = try provider(server, "rar").download(result, for: film)
        }
        #expect(rar?.message.states("RAR") == true)
        expectError(.missingKey) { _ = try provider(server, "ok", token: Secret("")) }
        for (mode, code) in [
            ("html", UndertextError.Code.malformedAnswer), ("garbage", .malformedAnswer),
            ("down", .serverError),
            ("echo", .unauthorized), ("far", .nestedOpen), ("throttled-long", .rateLimited),
        ] {
            expectError(code) { _ = try provider(server, mode).search(film) }
        }
    }

    @Test func twentyRequestsAMinute() throws {
        let server = try ProviderServer.start()
        let provider = try provider(server, "ok")
        for _ in 0..<20 { _ = try provider.search(film) }
        #expect(time.sleeps.isEmpty)
        _ = try provider.search(film)
        #expect(time.sleeps == [.seconds(60)])
    }

    @Test func shooterAsksByHashOnly() throws {
        let server = try ProviderServer.start()
        let shooter = try Shooter(
            userAgent: "Tests v1.0", server: "\(server.address)/ok/api/subapi.php",
            fetcher: OnlineAccess.fetcher(), clock: time.clock)
        expectError(.refused) { _ = try shooter.search(film) }
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0) }
        var query = try OnlineQuery(video: MemorySource(bytes), name: "/home/anna/A Film.mkv")
        let found = try shooter.search(query).subtitles
        #expect(found.map(\.language?.rawValue) == ["zh", "en"])
        #expect(found.map(\.delay) == [.milliseconds(-1500), nil])
        #expect(found.allSatisfy { $0.match == .hash && $0.format == "srt" })
        // No folder leaves this machine.
        #expect(
            server.lines.allSatisfy { !$0.contains("anna") && $0.contains("pathinfo=A+Film.mkv") })
        #expect(server.lines.allSatisfy { $0.contains("%3B") && $0.contains("POST") })
        let first = try #require(found.first)
        #expect(try shooter.download(first, for: query).files.map(\.fileExtension) == ["srt"])
        let before = server.lines.count
        query.languages = ["fr"].compactMap { LanguageTag($0) }
        #expect(try shooter.search(query).subtitles.isEmpty)
        #expect(server.lines.count == before)
        query.languages = []
        let none = try Shooter(
            userAgent: "Tests v1.0", server: "\(server.address)/none/api/subapi.php")
        #expect(try none.search(query).subtitles.isEmpty)
        var wild = first
        wild.link = "file:///etc/hostname"
        expectError(.nestedOpen) { _ = try shooter.download(wild, for: query) }
    }
}
