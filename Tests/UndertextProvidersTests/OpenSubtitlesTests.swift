import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextProviders

/// OpenSubtitles.com as its answers are recorded, and all that goes wrong.
@Suite(.requires("python3")) struct OpenSubtitlesTests {
    private let time = ManualClock()
    private let key = Secret("KEY-1234567890")
    private let password = Secret("open sesame")

    private func provider(
        _ server: ProviderServer, _ mode: String, user: Bool = false, key: Secret? = nil
    ) throws(UndertextError) -> OpenSubtitles {
        try OpenSubtitles(
            account: .init(
                apiKey: key ?? self.key, username: user ? "anna" : nil,
                password: user ? password : nil),
            userAgent: "Tests v1.0", server: "\(server.address)/\(mode)/api/v1",
            fetcher: OnlineAccess.fetcher(), clock: time.clock)
    }

    private var film: OnlineQuery {
        var query = OnlineQuery(videoName: "/films/A.Film.2019.1080p.BluRay.x264-GOOD.mkv")
        query.movieHash = MovieHash(value: 0x00C0_FFEE)
        return query
    }

    private var result: OnlineSubtitle { OnlineSubtitle(provider: "opensubtitles", id: "20") }

    @discardableResult private func expectError(
        _ code: UndertextError.Code, _ work: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> UndertextError? {
        do {
            try work()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch let error as UndertextError {
            #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
            #expect(error.service.name == "opensubtitles", sourceLocation: sourceLocation)
            for secret in [key.value, password.value, "SESSION-"] {
                #expect(!"\(error)".contains(secret), "\(error)", sourceLocation: sourceLocation)
            }
            return error
        } catch {
            Issue.record("\(error)", sourceLocation: sourceLocation)
        }
        return nil
    }

    @Test func searchAsksOnceAndReadsAll() throws {
        let server = try ProviderServer.start()
        var query = film
        query.languages = ["en", "pt-BR", "zh-TW"].compactMap { LanguageTag($0) }
        let results = try provider(server, "ok").search(query)
        #expect(server.lines.count == 1)
        let asked = try JSON(parsing: Array((server.lines.first ?? "").utf8))
        #expect(
            asked["path"]?.text
                == "/ok/api/v1/subtitles?languages=en%2Cpt-br%2Czh-tw&moviehash=0000000000c0ffee"
                + "&query=a+film&year=2019")
        #expect(asked["headers"]?["Api-Key"]?.text == key.value)
        #expect(asked["headers"]?["User-Agent"]?.text == "Tests v1.0")
        #expect(results.total == 5)
        // By match, people before machines, language, forced ones last, then what is like the name.
        #expect(results.subtitles.map(\.id) == ["20", "10", "40", "30", "50"])
        let best = try #require(results.subtitles.first)
        #expect(best.match == .hash)
        #expect(best.language == LanguageTag("en"))
        #expect(best.release == "A.Film.2019.1080p.BluRay.x264-GOOD")
        #expect(best.frameRate == 23.976)
        #expect(best.isTrusted)
        #expect((best.imdbID, best.tmdbID, best.year) == (1_234_567, 77, 2019))
        #expect(best.page == "https://www.opensubtitles.com/en/subtitles/2")
        let portuguese = try #require(results.subtitles.first { $0.id == "30" })
        #expect(portuguese.isHearingImpaired && !portuguese.isForced)
        #expect(results.subtitles.first { $0.id == "40" }?.isForced == true)
        let machine = try #require(results.subtitles.first { $0.id == "50" })
        #expect(machine.isMachineTranslated && machine.frameRate == nil)
    }

    @Test func aRedirectToTheCanonicalAddressIsFollowedWithTheKey() throws {
        let server = try ProviderServer.start()
        #expect(try provider(server, "redirect").search(film).subtitles.count == 6)
        #expect(server.lines.count >= 2)
        #expect(server.lines.allSatisfy { $0.contains(key.value) })
        // Another machine is asked nothing.
        let before = server.lines.count
        expectError(.nestedOpen) { _ = try provider(server, "far").search(film) }
        #expect(server.lines.count == before + 1)
    }

    @Test func pagesAreBoundedAndPaced() throws {
        let server = try ProviderServer.start()
        let results = try provider(server, "pages").search(film)
        #expect(results.subtitles.count == 9)
        #expect(results.total == 27)
        #expect(server.lines.count == 3)
        #expect(server.lines.map { $0.contains("page=") } == [false, true, true])
        // The server reports that no request is left in this second.
        #expect(time.sleeps == [.seconds(1), .seconds(1)])
    }

    @Test func theNextSearchIsTriedWhereOneFindsNothing() throws {
        let server = try ProviderServer.start()
        #expect(try provider(server, "none").search(film) == OnlineResults(total: 0))
        #expect(server.lines.count == 2)
        #expect(try provider(server, "year").search(film).subtitles.count == 6)
        var episode = OnlineQuery(text: "A Show S01E02")
        episode.imdbID = 1_234_567
        let found = try provider(server, "series").search(episode)
        #expect(found.subtitles.first?.match == .identifier)
        #expect(
            server.lines.suffix(2).map { $0.contains("parent_imdb_id=1234567&season_number=1") }
                == [true, false])
    }

    @Test func oddAnswersAreReadAsFarAsTheyGo() throws {
        let server = try ProviderServer.start()
        let results = try provider(server, "odd").search(film)
        #expect(results.subtitles.map(\.id) == ["12"])
        #expect(results.subtitles.first?.language == nil)
    }

    @Test func aDownloadIsOneRequestAndOneFile() throws {
        let server = try ProviderServer.start()
        let download = try provider(server, "ok").download(result, for: film)
        #expect(download.files.map(\.name) == ["20.srt"])
        #expect(download.files.map(\.fileExtension) == ["srt"])
        #expect(
            download.files.first.map { String(decoding: $0.bytes, as: UTF8.self) }?
                .contains("Hello") == true)
        #expect(download.quota?.remaining == 17)
        #expect(server.lines.count == 2)
        // The key is for the service, not for where the file lies.
        #expect(server.lines.map { $0.contains(key.value) } == [true, false])
        #expect(server.lines.first?.contains("{\\\"file_id\\\":20}") == true)
    }

    @Test func anAccountLogsInOnceAndOut() throws {
        let server = try ProviderServer.start()
        let provider = try provider(server, "moved", user: true)
        _ = try provider.search(film)
        #expect(server.lines.count == 1)
        _ = try provider.download(result, for: film)
        _ = try provider.download(result, for: film)
        #expect(try provider.quota()?.remaining == 17)
        try provider.logout()
        try provider.logout()
        let lines = try server.lines.map { try JSON(parsing: Array($0.utf8)) }
        #expect(
            lines.compactMap {
                $0["path"]?.text?.split(separator: "?").first?.split(separator: "/").last
            }
                == [
                    "subtitles", "login", "download", "film.srt", "download", "film.srt", "user",
                    "logout",
                ])
        // Later requests go to the server that the login names, with the token.
        let ports = lines.compactMap { $0["port"]?.wholeNumber }
        #expect(ports[0] == ports[1] && ports[2] != ports[1] && ports[7] == ports[2])
        #expect(lines[2]["headers"]?["Authorization"]?.text == "Bearer SESSION-1-secret")
        #expect(lines[3]["headers"]?["Authorization"] == nil)
        #expect(lines[7]["method"]?.text == "DELETE")
    }

    @Test func manyAtOnceLogInOnce() throws {
        let server = try ProviderServer.start()
        let provider = try provider(server, "ok", user: true)
        let queue = BackgroundQueue(threads: 6)
        let finished = Monitor(0)
        for _ in 0..<6 {
            let isSubmitted = queue.submit {
                _ = try? provider.download(result, for: film)
                finished.with { $0 += 1 }
                finished.wakeAll(.consumers)
            }
            #expect(isSubmitted)
        }
        finished.wait(.consumers) { $0 == 6 ? () : nil }
        #expect(server.lines.filter { $0.contains("/login") }.count == 1)
        // No download was requested without the account.
        let downloads = server.lines.filter { $0.contains("/download\"") }
        #expect(downloads.count == 6)
        #expect(downloads.allSatisfy { $0.contains("Bearer") })
    }

    @Test func anEndedSessionLogsInAgainOnce() throws {
        let server = try ProviderServer.start()
        _ = try provider(server, "expired", user: true).download(result, for: film)
        #expect(server.lines.filter { $0.contains("/login") }.count == 2)
        // The login's own pace: one in a second.
        #expect(time.sleeps.contains(.seconds(1)))
        let before = server.lines.count
        expectError(.unauthorized) {
            _ = try provider(server, "refused", user: true).download(result, for: film)
        }
        #expect(server.lines.count == before + 4)
        expectError(.unauthorized) {
            _ = try provider(server, "refused").download(result, for: film)
        }
        #expect(server.lines.count == before + 5)
    }

    @Test func wrongKeysAndPasswordsAreReported() throws {
        let server = try ProviderServer.start()
        let locked = expectError(.unauthorized) {
            _ = try provider(server, "locked", user: true).download(result, for: film)
        }
        #expect(locked?.underlying?.contains("4 remaining attempts") == true)
        #expect(server.lines.count == 1)
        expectError(.unauthorized) {
            _ = try provider(server, "ok", key: Secret("WRONG")).search(film)
        }
        let echoed = expectError(.unauthorized) {
            _ = try provider(server, "echo", user: true).search(film)
        }
        #expect(echoed?.underlying?.contains("(secret)") == true)
        expectError(.missingKey) { _ = try provider(server, "ok", key: Secret(" \n")) }
        expectError(.missingKey) { _ = try provider(server, "ok").login() }
        expectError(.unsupported) {
            _ = try OpenSubtitles(
                account: .init(apiKey: key), userAgent: "Tests v1", server: "http://host/api")
        }
    }

    @Test(arguments: ["evil-base", "evil-private"])
    func aLoginLeadsToNoOtherDomain(_ mode: String) throws {
        let server = try ProviderServer.start()
        expectError(.nestedOpen) {
            _ = try provider(server, mode, user: true).download(result, for: film)
        }
        #expect(server.lines.count == 1)
    }

    @Test func theQuotaIsReported() throws {
        let server = try ProviderServer.start()
        let error = expectError(.quotaExceeded) {
            _ = try provider(server, "quota").download(result, for: film)
        }
        #expect(error?.service.status == 406)
        #expect(error?.service.quota?.remaining == -1)
        #expect(error?.service.quota?.reset == "2030-01-02T23:59:59.000Z")
        #expect(error?.message.states("2030-01-02T23:59:59.000Z") == true)
        #expect((error?.service.retryAfter ?? .zero) > .seconds(3600))
        // Nothing is asked twice.
        #expect(server.lines.count == 1)
    }

    @Test func throttlingIsHeeded() throws {
        let server = try ProviderServer.start()
        #expect(try provider(server, "throttled").search(film).subtitles.count == 6)
        #expect(time.sleeps == [.seconds(2)])
        let hour = try provider(server, "throttled-long")
        let long = expectError(.rateLimited) { _ = try hour.search(film) }
        #expect(long?.service.retryAfter == .seconds(3600))
        #expect(time.sleeps.count == 1)
        // The next caller also waits, but not for an hour.
        let asked = server.lines.count
        let again = expectError(.rateLimited) { _ = try hour.search(film) }
        #expect(again?.service.retryAfter == .seconds(3600))
        #expect(server.lines.count == asked)
        let before = server.lines.count
        expectError(.rateLimited) { _ = try provider(server, "throttled-always").search(film) }
        #expect(server.lines.count == before + 4)
    }

    @Test func safeRequestsAreRepeated() throws {
        let server = try ProviderServer.start()
        #expect(try provider(server, "broken").search(film).subtitles.count == 6)
        #expect(time.sleeps == [.milliseconds(500), .seconds(1)])
        // A download may have been counted: it is not requested again.
        var before = server.lines.count
        expectError(.serverError) { _ = try provider(server, "down").download(result, for: film) }
        #expect(server.lines.count == before + 1)
        before = server.lines.count
        expectError(.serverError) { _ = try provider(server, "down").search(film) }
        #expect(server.lines.count == before + 4)
        before = server.lines.count
        expectError(.unreachable) { _ = try provider(server, "cut").download(result, for: film) }
        #expect(server.lines.count == before + 1)
        expectError(.unreachable) { _ = try provider(server, "cut").search(film) }
        #expect(server.lines.count == before + 5)
    }

    @Test(arguments: [
        ("html", UndertextError.Code.malformedAnswer), ("garbage", .malformedAnswer),
        ("nested", .malformedAnswer),
        ("endless", .limit),
    ])
    func answersThatAreNone(_ mode: String, _ code: UndertextError.Code) throws {
        let server = try ProviderServer.start()
        expectError(code) { _ = try provider(server, mode).search(film) }
        #expect(server.lines.count == 1)
    }

    @Test(arguments: [
        ("link-file", UndertextError.Code.nestedOpen), ("link-ftp", .nestedOpen),
        ("link-private", .nestedOpen), ("link-to-private", .nestedOpen), ("link-gone", .notFound),
        ("link-page.html", .malformedAnswer), ("link-empty", .malformedAnswer),
        ("link-film.rar", .unsupported),
        ("link-film.7z", .unsupported), ("link-bomb.gz", .limit), ("link-bomb.zip", .limit),
        ("link-nothing.zip", .malformedAnswer), ("no-link", .malformedAnswer),
    ])
    func linksThatLeadToNoSubtitle(_ mode: String, _ code: UndertextError.Code) throws {
        let server = try ProviderServer.start()
        let error = expectError(code) {
            _ = try provider(server, mode).download(result, for: film)
        }
        // The download was counted: the error states that if it is known.
        if code != .nestedOpen, mode != "no-link", mode != "link-gone" {
            #expect(error?.service.quota?.remaining == 17)
        }
    }

    @Test func linksThatLeadToOne() throws {
        let server = try ProviderServer.start()
        func files(_ mode: String) throws -> [OnlineDownload.File] {
            try provider(server, mode).download(result, for: film).files
        }
        for mode in ["link-film.srt", "link-film.srt.gz", "link-to-other", "link-broken-once"] {
            #expect(try files(mode).first?.bytes.starts(with: Array("1\n00:00:01".utf8)) == true)
        }
        #expect(try files("link-vtt").first?.fileExtension == "vtt")
        let evil = try files("link-traversal.zip")
        #expect(evil.map(\.name) == ["evil.srt"])
        let images = try files("link-pictures.zip")
        #expect(images.map(\.fileExtension) == ["idx", "sub"])
    }

    @Test func aStoppedJobEnds() throws {
        let server = try ProviderServer.start()
        let cancellation = Cancellation()
        cancellation.cancel()
        let provider = try provider(server, "ok")
        expectError(.cancelled) { _ = try provider.search(film, cancellation: cancellation) }
        expectError(.refused) { _ = try provider.search(OnlineQuery(videoName: "__.mkv")) }
        expectError(.notFound) {
            _ = try provider.download(OnlineSubtitle(provider: "x", id: "a/b"), for: film)
        }
        #expect(server.lines.isEmpty)
    }
}
