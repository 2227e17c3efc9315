import Foundation
import TestSupport
import Testing

/// Our subtitles in a browser: a stream with an added file, played by video.js, and a page with a `<track>`.
@Suite struct BrowserTests {
    private struct CueSeen: Decodable {
        var start: Double
        var end: Double
        var text: String
        var line: String
        var snapToLines: Bool
        var position: String
        var size: Double
        var align: String
        var vertical: String
    }

    private struct Moment: Codable, Equatable {
        var time: Double
        var texts: [String]
    }

    private struct Track: Decodable, Equatable {
        var label: String
        var language: String
        var mode: String
    }

    private struct Found: Decodable {
        var name: String
        var tracks: [Track]?
        var active: [Moment]?
        var cues: [CueSeen]?
        var width: Int?
        var error: String?
    }

    private struct Scenario: Encodable {
        var name: String
        var master: String?
        var video: String?
        var file: String?
        var times: [Moment]
    }

    /// The folder with video.js, of the Python package js.videojs.
    private static func playerFolder() throws -> String {
        let found = run(
            "python3",
            ["-c", "import js.videojs, os; print(os.path.dirname(js.videojs.__file__))"])
        return try #require(found.text.split(separator: "\n").first) + "/resources"
    }

    private static func samples(_ folder: TemporaryDirectory) throws {
        _ = try StreamSamples.film(in: folder)
        folder.write([UInt8](0..<16), to: "key.bin")
        folder.write("../key.bin\n\(folder / "key.bin")\n", to: "key.info")
        try StreamSamples.presentation("ts", in: folder, [])
        try StreamSamples.presentation("fmp4", in: folder, ["-hls_segment_type", "fmp4"])
        try StreamSamples.presentation(
            "aes", in: folder, ["-hls_key_info_file", folder / "key.info"])
    }

    private static let placed = """
        WEBVTT

        00:01.000 --> 00:02.000 line:10% position:20%,line-left size:35% align:start
        upper left

        00:03.000 --> 00:04.000 vertical:rl line:-2 align:end
        down

        00:05.000 --> 00:06.000
        plain
        """

    @Test(
        .timeLimit(.minutes(5)), .requires("chromium", "ffmpeg", "python3"),
        .requiresPython("js.videojs"))
    func playersShowOurSubtitles() throws {
        let player = try Self.playerFolder()
        let folder = TemporaryDirectory()
        try Self.samples(folder)
        let web = try WebServer.browser(serving: folder.path)
        for name in ["video.js", "video.min.js"] {
            if let bytes = fileBytes("\(player)/\(name)") { folder.write(bytes, to: "video.js") }
        }
        let page = fileBytes(Repository.root + "/Tests/TestSupport/player.html") ?? []
        folder.write(page, to: "player.html")
        folder.write(StreamSamples.subRip, to: "film.srt")
        folder.write(Self.placed, to: "placed.vtt")
        // The output of our parser and writer.
        let converted = Command.undertext(
            "convert", "--to", "vtt", folder / "placed.vtt", folder / "written.vtt")
        #expect(converted.status == 0, "\(converted.stderr)")

        let moments = StreamSamples.times.map { Moment(time: $0.time, texts: $0.texts) }
        var servers: [ServeProcess] = []
        var scenarios: [Scenario] = []
        for name in ["ts", "fmp4", "aes"] {
            let server = try #require(
                ServeProcess(
                    [
                        "--upstream", "\(web.address)/\(name)/master.m3u8", "--subtitle",
                        "en:Our English=\(folder / "film.srt")", "--subtitle",
                        "de:sdh=\(folder / "film.srt")", "--cors", web.address,
                    ] + (name == "aes" ? ["--media-start", "1.4"] : [])))
            servers.append(server)
            scenarios.append(Scenario(name: name, master: server.address, times: moments))
        }
        scenarios.append(
            Scenario(
                name: "file", video: "/film.mp4", file: "/written.vtt",
                times: [
                    Moment(time: 1.5, texts: ["upper left"]), Moment(time: 2.5, texts: []),
                    Moment(time: 3.5, texts: ["down"]), Moment(time: 5.5, texts: ["plain"]),
                ]))
        folder.write(Array(try JSONEncoder().encode(scenarios)), to: "scenarios.json")
        let results = try Self.play("\(web.address)/player.html", folder)
        #expect(results.map(\.name) == ["ts", "fmp4", "aes", "file"], "\(results)")
        for found in results where found.name != "file" {
            Self.check(found)
        }
        try Self.checkPlaces(#require(results.last))
        withExtendedLifetime(servers) {}
    }

    private static func check(_ found: Found) {
        #expect(found.error == nil, "\(found.name)")
        #expect(
            found.tracks?.map(\.label) == ["Our English", "Deutsch (SDH)"], "\(found.name)")
        #expect(found.tracks?.map(\.language) == ["en", "de"], "\(found.name)")
        #expect(found.width == 320, "\(found.name)")
        let expected = StreamSamples.times.map { Moment(time: $0.time, texts: $0.texts) }
        #expect(found.active == expected, "\(found.name)")
        let cues = found.cues ?? []
        for cue in StreamSamples.cues where cue.text != "eight" {
            let seen = cues.filter { $0.text == cue.text }
            #expect(!seen.isEmpty, "\(found.name): \(cue.text)")
            for other in seen {
                #expect(abs(other.start - cue.start) <= 0.05, "\(found.name): \(other)")
                #expect(abs(other.end - cue.end) <= 0.05, "\(found.name): \(other)")
            }
        }
    }

    private static func checkPlaces(_ found: Found) throws {
        #expect(found.active?.map(\.texts) == [["upper left"], [], ["down"], ["plain"]])
        let cues = try #require(found.cues)
        #expect(cues.map(\.text) == ["upper left", "down", "plain"])
        guard cues.count == 3 else { return }
        #expect(cues.map(\.start) == [1, 3, 5])
        #expect(cues.map(\.line) == ["10", "-2", "auto"])
        #expect(cues.map(\.snapToLines) == [false, true, true])
        #expect(cues.map(\.position) == ["20", "auto", "auto"])
        #expect(cues.map(\.size) == [35, 100, 100])
        #expect(cues.map(\.align) == ["start", "end", "center"])
        #expect(cues.map(\.vertical) == ["", "rl", ""])
    }

    /// Opens the page in a headless browser, and waits for the results that it posts.
    private static func play(_ url: String, _ folder: TemporaryDirectory) throws -> [Found] {
        let profile = TemporaryDirectory()
        let browser = try #require(
            spawn(
                "/usr/bin/env",
                [
                    "env", "HOME=\(profile.path)", "chromium", "--headless=new", "--no-sandbox",
                    "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
                    "--autoplay-policy=no-user-gesture-required", "--disable-background-networking",
                    "--user-data-dir=\(profile / "profile")", url,
                ], input: "/dev/null", output: profile / "out", error: profile / "err"))
        defer {
            send(signal: 15, to: browser)
            _ = waitForExit(browser)
        }
        let end = ContinuousClock.now + .seconds(240)
        while .now < end {
            if let bytes = fileBytes(folder / "result.json") {
                return try JSONDecoder().decode([Found].self, from: Data(bytes))
            }
            pause(milliseconds: 10)
        }
        Issue.record("the browser posts nothing: \((fileText(profile / "err") ?? "").suffix(2000))")
        return []
    }
}
