import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct URLSubtitlesTests {
    private func list(_ urls: [String], video: String = "") throws -> [SubtitleInfo] {
        try URLSubtitles(urls.map { URLSubtitles.Item(url: $0) }, video: video).subtitles(
            cancellation: Cancellation())
    }

    @Test func partsOfAnAddress() throws {
        let infos = try list([
            "https://example.org/films/Movie.pt-BR.forced.srt?key=secret#here",
            "http://example.org/a%20b/Movie%20-%20English%20%28US%29%20%5BSDH%5D.vtt",
            "file:///films/Movie.de.sup", "https://example.org/", "https://example.org",
            "https://example.org/subtitles.php?id=1",
        ])
        #expect(infos.map(\.language?.rawValue) == ["pt-BR", "en-US", "de", nil, nil, nil])
        #expect(infos.map(\.kind) == [.forced, .hearingImpaired, .full, .full, .full, .full])
        #expect(infos.map(\.isBitmap) == [false, false, true, false, false, false])
        #expect(infos.map(\.name).prefix(3) == ["Movie", "Movie", "Movie"])
        #expect(!infos.contains { $0.name.contains("secret") })
        #expect(infos.allSatisfy { $0.error == nil && $0.origin.isExternal })
        #expect(infos[2].origin == .file(.file("/films/Movie.de.sup"), stream: nil))
        let named = try URLSubtitles([
            URLSubtitles.Item(
                url: "https://example.org/1", name: "One", language: LanguageTag("fr"),
                disposition: .comment)
        ]).subtitles(cancellation: Cancellation())
        #expect(named.first?.name == "One")
        #expect(named.first?.language?.rawValue == "fr")
        #expect(named.first?.kind == .commentary)
        let known = try list(["https://example.org/Movie.en.srt"], video: "Movie.mkv")
        #expect(known.map(\.name) == ["en"])
    }

    @Test(arguments: [
        "ftp://example.org/a.srt", "rtmp://example.org/a", "a.srt", "/a.srt", "", "://", "x",
        "concat://a|b", "subfile://x", "http:/a.srt",
    ])
    func otherAddressesAreRefused(_ url: String) throws {
        let info = try #require(try list([url]).first)
        #expect(info.error?.code == .nestedOpen)
        let model = SubtitleModel()
        try model.addSubtitles(of: URLSubtitles([URLSubtitles.Item(url: url)]))
        #expect(model.select(language: "en") == nil)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        #expect(model.waitUntilReady(timeout: .patience))
        #expect(model.selectedSubtitleInfo?.error?.code == .nestedOpen)
    }

    private func outcome(
        _ url: String, limit: UInt64 = 1 << 20, timeLimit: Duration? = nil,
        agent: String? = nil
    ) throws -> (texts: [String], error: UndertextError?) {
        var options = Media.Options()
        options.timeLimit = timeLimit
        options.userAgent = agent
        let model = SubtitleModel()
        try model.addSubtitles(
            of: URLSubtitles(
                [URLSubtitles.Item(url: url)], sizeLimit: limit, options: options))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        let texts = model.texts(at: .seconds(1))
        return (texts, model.selectedSubtitleInfo?.error)
    }

    @Test(.requires("python3")) func serversOfAllKinds() throws {
        let folder = TemporaryDirectory()
        folder.write("1\n00:00:00,000 --> 00:00:09,000\nfrom afar\n", to: "a.en.srt")
        let server = try WebServer.hostile(serving: folder.path)
        for mode in ["plain", "no-ranges", "to-plain"] {
            let (texts, error) = try outcome("\(server.address)/\(mode)/a.en.srt")
            #expect(texts == ["from afar"], "\(mode): \(String(describing: error))")
        }
        #expect(try outcome("\(server.address)/missing/a.srt").error?.code == .notFound)
        #expect(try outcome("\(server.address)/to-file/a.srt").error?.code == .nestedOpen)
        #expect(try outcome("\(server.address)/to-private/a.en.srt").error?.code == .nestedOpen)
        #expect(try outcome("\(server.address)/to-loop/a.srt").error?.code == .nestedOpen)
        #expect(try outcome("\(server.address)/no-ranges-cut/a.en.srt").error?.code == .io)
        for mode in ["plain", "no-ranges"] {
            let url = "\(server.address)/\(mode)/a.en.srt"
            #expect(try outcome(url, limit: 20).error?.code == .limit)
        }
        let agent = "\(server.address)/agent/Player-1.0/a.en.srt"
        #expect(try outcome(agent).error?.code == .permission)
        #expect(try outcome(agent, agent: "Player-1.0").texts == ["from afar"])
        // Nobody listens there.
        let down = try outcome("http://127.0.0.1:1/a.srt", timeLimit: .milliseconds(300))
        // Asked again until the time is over.
        #expect([.io, .timeout].contains(down.error?.code))
        #expect(down.error?.mayPass == true)
    }

    /// A file that was read once comes from the disk, also in another process; a playlist never does.
    @Test(.requires("python3")) func addressesAreCached() throws {
        let folder = TemporaryDirectory()
        let shown = "1\n00:00:00,000 --> 00:00:09,000\nfrom afar\n"
        folder.write(shown, to: "a.en.srt?token=hidden")
        folder.write(shown.replacing("afar", with: "elsewhere"), to: "a.en.srt?token=other")
        folder.write("WEBVTT\n\n00:00.000 --> 00:09.000\nin pieces\n", to: "0.vtt")
        folder.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n0.vtt\n#EXT-X-ENDLIST\n",
            to: "list.m3u8")
        let server = try WebServer.hostile(serving: folder.path)
        let cache = try #require(SubtitleCache(folder: folder / "cache"))
        func texts(_ name: String, limit: UInt64 = 1 << 20) throws -> [String] {
            let url = "\(server.address)/plain/\(name)"
            let model = SubtitleModel()
            try model.addSubtitles(
                of: CachedSubtitles(
                    URLSubtitles([URLSubtitles.Item(url: url)], sizeLimit: limit), in: cache))
            model.selectedSubtitleInfo = model.subtitleInfos.first
            let texts = model.texts(at: .seconds(1))
            return model.selectedSubtitleInfo?.error.map { [$0.code.name] } ?? texts
        }
        // A file that is too large is neither read nor cached.
        #expect(try texts("a.en.srt?token=hidden", limit: 20) == ["limit-exceeded"])
        #expect(try texts("missing.srt") == ["not-found"])
        #expect(cache.size == 0)
        #expect(try texts("a.en.srt?token=hidden") == ["from afar"])
        #expect(try texts("a.en.srt?token=other") == ["from elsewhere"])
        let asked = server.lines.count
        #expect(try texts("a.en.srt?token=hidden") == ["from afar"])
        #expect(try texts("a.en.srt?token=other") == ["from elsewhere"])
        #expect(server.lines.count == asked && asked > 0)
        #expect(try texts("list.m3u8") == ["in pieces"])
        let before = server.lines.count
        #expect(try texts("list.m3u8") == ["in pieces"])
        #expect(server.lines.count > before)
        // The token is not on the disk.
        for name in TestSupport.names(in: folder / "cache") {
            let record = try #require(fileBytes(folder / "cache/\(name)"))
            #expect(!String(decoding: record, as: UTF8.self).contains("hidden"))
        }
    }

    @Test(.requires("python3")) func aFilmOnAServer() throws {
        let folder = TemporaryDirectory()
        try folder.write(fixtureBytes("containers/movie.mkv"), to: "movie.mkv")
        let server = try WebServer.hostile(serving: folder.path)
        let model = SubtitleModel()
        let url = "\(server.address)/slow/movie.mkv"
        try model.addSubtitles(of: EmbeddedSubtitles(of: url))
        let expected = CueTimeline(
            try Media(fixture("containers/movie.mkv")).subtitleTrack(id: 2).document().cues)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        for second in [12, 3, 17, 8] as [Int64] {
            let texts = expected.cues(at: .seconds(second)).compactMap(\.plainText)
            #expect(model.texts(at: .seconds(second)) == texts)
        }
    }
}
