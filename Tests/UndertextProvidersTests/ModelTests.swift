import TestSupport
import Testing
import UndertextCore

@testable import UndertextProviders

/// Names, queries, addresses, pace and secrets.
@Suite struct ModelTests {
    @Test(
        arguments: [
            ("A.Film.2019.1080p.BluRay.x264-GRP", "A Film", 2019, nil, nil),
            ("Blade.Runner.2049.2017.2160p.UHD", "Blade Runner 2049", 2017, nil, nil),
            ("2001.A.Space.Odyssey.1968", "2001 A Space Odyssey", 1968, nil, nil),
            ("1984", "1984", nil, nil, nil),
            ("The.4400.S01E02.HDTV", "The 4400", nil, 1, 2),
            ("Some Show - 1x02 - Title", "Some Show", nil, 1, 2),
            ("Show.s10e103e104.web", "Show", nil, 10, 103),
            ("Show.S03.1080p", "Show", nil, 3, nil),
            ("[Group] Some Anime [720p]", "Some Anime", nil, nil, nil),
            ("瑞克和莫蒂.Rick.and.Morty.S07E10", "瑞克和莫蒂 Rick and Morty", nil, 7, 10),
            ("Ocean's Eleven (2001)", "Ocean's Eleven", 2001, nil, nil),
            ("Spider-Man_2002_720p", "Spider Man", 2002, nil, nil),
            ("S01E01", "", nil, 1, 1),
            ("", "", nil, nil, nil),
            ("[only]", "only", nil, nil, nil),
            ("x264", "x264", nil, nil, nil),
            ("se1x.1x", "se1x 1x", nil, nil, nil),
        ] as [(String, String, Int?, Int?, Int?)])
    func namesStateProperties(
        _ text: String, _ title: String, _ year: Int?, _ season: Int?, _ episode: Int?
    ) {
        let name = ReleaseName(text)
        #expect(name.title == title)
        #expect(name.year == year)
        #expect(name.season == season)
        #expect(name.episode == episode)
    }

    @Test func anyNameIsSurvived() {
        let name = Array("[Grp] Some.Show.S01E02e03.2019.1x02.x264-é😀.mkv".utf8)
        for damaged in truncations(of: name) {
            _ = ReleaseName(String(decoding: damaged, as: UTF8.self))
        }
        for damaged in bitFlips(of: name, count: 500) {
            _ = ReleaseName(String(decoding: damaged, as: UTF8.self))
        }
        #expect(ReleaseName(String(repeating: "S1E1 ", count: 100_000)).season == 1)
    }

    @Test func queriesAskSortedInLowerCase() throws {
        func texts(_ query: OnlineQuery) -> [String] {
            OpenSubtitlesQuery.searches(for: query).map { $0.text(page: 1) }
        }
        var query = OnlineQuery(text: "Amélie & Co 2001")
        query.languages = ["zh", "pt", "es-419", "en-US"].compactMap { LanguageTag($0) }
        let languages = "languages=ea%2Cen%2Cpt-br%2Cpt-pt%2Czh-cn%2Czh-tw"
        #expect(
            texts(query) == [
                "\(languages)&query=am%C3%A9lie+co&year=2001", "\(languages)&query=am%C3%A9lie+co",
            ])
        query = OnlineQuery(text: "Show S02E03")
        #expect(texts(query) == ["episode_number=3&query=show&season_number=2"])
        query.tmdbID = 9
        #expect(
            texts(query) == ["episode_number=3&parent_tmdb_id=9&season_number=2", "tmdb_id=9"])
        query = OnlineQuery(videoName: "/a/.mkv")
        #expect(texts(query).isEmpty || query.text != nil)
        #expect(
            OpenSubtitlesQuery.searches(for: OnlineQuery(text: "x")).map { $0.text(page: 2) }
                == ["page=2&query=x"])
    }

    @Test func languagesGoBothWays() {
        for code in ["en", "pt-br", "pt-pt", "zh-cn", "zh-tw", "ea", "ast", "fr"] {
            let tag = OpenSubtitlesLanguage.tag(code)
            #expect(
                tag.map { OpenSubtitlesLanguage.codes(for: $0) }?.contains(
                    code == "ast" ? "at" : code) == true, "\(code)")
        }
        #expect(OpenSubtitlesLanguage.tag("zh-CN")?.rawValue == "zh-Hans")
        #expect(OpenSubtitlesLanguage.tag("") == nil)
        let query = { (tags: [String]) in
            var query = OnlineQuery(text: "x")
            query.languages = tags.compactMap { LanguageTag($0) }
            return query
        }
        let simplified: LanguageTag = "zh-Hans"
        for wanted in ["zh", "zh-CN", "zh-Hans"] {
            #expect(query([wanted]).rank(of: simplified) == 0, "\(wanted)")
        }
        #expect(query(["zh-TW"]).rank(of: simplified) == nil)
        #expect(query(["en", "zh-TW"]).rank(of: "zh") == 1)
    }

    @Test func addressesKeepKeysSafe() {
        for text in [
            "https://api.example.com/api/v1", "https://api.example.com:8443",
            "http://127.0.0.1:80/x",
            "http://localhost:5/", "http://[::1]:5", "HTTPS://A.example/",
        ] {
            #expect(ServiceAddress(text) != nil, "\(text)")
        }
        for text in [
            "http://api.example.com", "ftp://127.0.0.1", "https://", "https://u:p@host/", "host",
            "https://host:99999", "https://host:", "https://ho st", "https://host/a?b", "",
            "https://host/a b", "http://127.0.0.1.evil.example", "https://host\\@evil",
            "http://localhost.evil",
        ] {
            #expect(ServiceAddress(text) == nil, "\(text)")
        }
        let service = ServiceAddress("https://api.example.com/api/v1/")
        #expect(service?.text == "https://api.example.com/api/v1")
        #expect(
            service?.moved(to: "vip-api.example.com")?.text == "https://vip-api.example.com/api/v1")
        #expect(
            service?.moved(to: "https://vip.example.com/x")?.text
                == "https://vip.example.com/api/v1")
        for place in [
            "evil.com", "example.com.evil.com", "evilexample.com", "http://vip.example.com", "",
            "vip.example.com@evil.com", "127.0.0.1", "a:b@vip.example.com",
        ] {
            #expect(service?.moved(to: place) == nil, "\(place)")
        }
        #expect(ServiceAddress("http://127.0.0.1:1")?.moved(to: "127.0.0.1:2") != nil)
        #expect(ServiceAddress("http://127.0.0.1:1")?.moved(to: "127.0.0.2:2") == nil)
    }

    @Test func aPaceGlides() {
        let pace = RequestPace(2, in: .seconds(1))
        #expect(pace.reserve(at: .zero) == .zero)
        #expect(pace.reserve(at: .milliseconds(400)) == .zero)
        #expect(pace.reserve(at: .milliseconds(500)) == .milliseconds(500))
        #expect(pace.reserve(at: .milliseconds(500)) == .milliseconds(900))
        pace.hold(until: .seconds(10))
        #expect(pace.reserve(at: .seconds(9)) == .seconds(1))
    }

    @Test func secretsAreNotShown() {
        let secret = Secret(" key-123\n")
        #expect(secret.value == "key-123")
        var text = ""
        dump(OpenSubtitles.Account(apiKey: secret, username: "u", password: secret), to: &text)
        text += "\(secret) \(String(reflecting: secret)) \([secret])"
        #expect(!text.contains("key-123"))
        #expect(
            Secret.redacted("no\n\"key-123\" and key-123", [secret])
                == "no \"(secret)\" and (secret)")
        #expect(Secret.redacted("a and b", [Secret("a"), Secret("")]) == "a and b")
        #expect(Secret.redacted(String(repeating: "x", count: 999), []).count == 300)
    }

    @Test func theEnvironmentDeterminesTheProviders() {
        let full = OnlineEnvironment { $0.hasSuffix("_SERVER") ? nil : "value-of-\($0)" }
        #expect(full.configuredNames == ["opensubtitles", "assrt"])
        for name in OnlineEnvironment.providerNames {
            #expect((try? full.provider(name, userAgent: "T v1"))?.name == name)
        }
        let empty = OnlineEnvironment { _ in "" }
        #expect(empty.configuredNames.isEmpty)
        #expect(throws: UndertextError.self) { try empty.provider("assrt", userAgent: "T v1") }
        #expect(throws: UndertextError.self) { try full.provider("other", userAgent: "T v1") }
        do throws(UndertextError) {
            _ = try empty.provider("opensubtitles", userAgent: "T v1")
        } catch {
            #expect(error.code == .missingKey)
            #expect(error.message.states("OPENSUBTITLES_API_KEY"))
        }
    }

    @Test(.requires("python3")) func oneFailingProviderDoesNotAffectOthers() throws {
        let server = try ProviderServer.start()
        let environment = OnlineEnvironment { name in
            switch name {
            case "OPENSUBTITLES_API_KEY": "KEY-1234567890"
            case "OPENSUBTITLES_SERVER": "\(server.address)/garbage/api/v1"
            case "ASSRT_TOKEN": "ASSRT-1234567890"
            case "ASSRT_SERVER": "\(server.address)/ok/v1"
            default: nil
            }
        }
        let search = OnlineSearch(
            try environment.configuredNames.map { try environment.provider($0, userAgent: "T v1") })
        let query = OnlineQuery(text: "A Film 2019")
        let outcome = search.search(query)
        #expect(outcome.failures.map(\.code) == [.malformedAnswer])
        #expect(outcome.failures.map(\.service.name) == ["opensubtitles"])
        #expect(outcome.subtitles.count == 3)
        #expect(outcome.attributions.count == 1)
        let first = try #require(outcome.subtitles.first)
        #expect(try search.download(first, for: query).files.count == 1)
        #expect(throws: UndertextError.self) {
            try search.download(OnlineSubtitle(provider: "nobody", id: "1"), for: query)
        }
    }
}
