import TestSupport
import Testing
import Undertext
import UndertextCore

/// `undertext search` against services on this machine.
@Suite struct SearchTests {
    let folder = TemporaryDirectory()

    /// Runs the command with keys for services of that mode; a value of `nil` takes a key away.
    private func search(
        _ server: ProviderServer, _ mode: String, _ arguments: String...,
        changing changes: [String: String?] = [:]
    ) -> ToolResult {
        var variables: [String: String?] = [
            "OPENSUBTITLES_API_KEY": "KEY-1234567890",
            "OPENSUBTITLES_SERVER": "\(server.address)/\(mode)/api/v1",
            "OPENSUBTITLES_USERNAME": nil, "OPENSUBTITLES_PASSWORD": nil, "ASSRT_TOKEN": nil,
            "ASSRT_SERVER": "\(server.address)/\(mode)/v1",
            "SHOOTER_SERVER": "\(server.address)/\(mode)/api/subapi.php",
        ]
        variables.merge(changes) { $1 }
        let result = run(
            Command.path, ["search"] + arguments, environment: variables, directory: folder.path)
        #expect(!(result.text + result.stderr).contains("1234567890"))
        return result
    }

    private func video(_ name: String = "A.Film.2019.1080p.mkv") -> String {
        folder.write((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }, to: name)
    }

    @Test(.requires("python3")) func aVideoIsFoundByItsHash() throws {
        let server = try ProviderServer.start()
        let result = search(server, "ok", "--languages", "en,zh", video())
        #expect(result.status == 0, "\(result.stderr)")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(
            lines.first?.hasPrefix("  1  en       hash        opensubtitles  A.Film.2019.1080p")
                == true, "\(result.text)")
        // Text from a server cannot control a terminal.
        #expect(result.text.contains("evil\\u{1B}[31m\\u{202E}name"))
        #expect(!result.stdout.contains(0x1B))
        #expect(server.lines.count == 1)
        #expect(server.lines.first?.contains("moviehash=60a0df1f5fa2cd40") == true)
        #expect(server.lines.first?.contains("undertext v") == true)
    }

    @Test(.requires("python3")) func jsonContainsEverything() throws {
        let server = try ProviderServer.start()
        let result = search(
            server, "ok", "--json", "--imdb", "tt1234567", "--languages", "en", "--limit", "2",
            "--download", "2", "Some words")
        #expect(result.status == 0, "\(result.stderr)")
        let answer = try JSON(parsing: result.stdout)
        #expect(answer["query"]?["imdb"]?.wholeNumber == 1_234_567)
        #expect(answer["results"]?.elements.count == 2)
        #expect(answer["results"]?.elements.first?["match"]?.text == "identifier")
        #expect(answer["further"]?.wholeNumber == 2)
        let download = try #require(answer["downloads"]?.elements.first)
        #expect(download["remaining"]?.wholeNumber == 17)
        let path = try #require(download["outputs"]?.elements.first?["file"]?.text)
        #expect(folder.names == [path])
    }

    @Test(.requires("python3")) func pickedSubtitlesAreWrittenBesideTheVideo() throws {
        let server = try ProviderServer.start()
        let path = video()
        let before = folder.names
        let result = search(
            server, "ok", "--languages", "en,pt-BR", "--download", "best", path,
            changing: ["OPENSUBTITLES_USERNAME": "anna", "OPENSUBTITLES_PASSWORD": "open sesame"])
        #expect(result.status == 0, "\(result.stderr)")
        let stem = folder / "A.Film.2019.1080p"
        #expect(result.text == "\(stem).en.srt\n\(stem).pt-BR.sdh.srt\n")
        #expect(fileText("\(stem).en.srt")?.contains("Hello") == true)
        #expect(folder.names.count == before.count + 2)
        #expect(result.states("17"), "\(result.stderr)")
        // One search, one login, two downloads of two requests each, and the session is ended.
        #expect(server.lines.count == 7)
        #expect(server.lines.last?.contains("/logout") == true)

        // An existing file stays, and no download is spent on it.
        let again = search(server, "ok", "--languages", "en", "--download", "1", path)
        #expect(again.status == 1)
        #expect(again.states("\(stem).en.srt"), "\(again.stderr)")
        #expect(server.lines.count == 8)
        folder.write("old", to: "A.Film.2019.1080p.en.srt")
        #expect(
            search(server, "ok", "--languages", "en", "--download", "1", "--force", "-q", path)
                .status == 0)
        #expect(fileText("\(stem).en.srt")?.contains("Hello") == true)
    }

    /// The service has the same subtitle in time, and 2.4 seconds late.
    @Test(.requires("python3", "mkvmerge")) func downloadsAreAlignedWithTheVideo() throws {
        let server = try ProviderServer.start()
        let films = TemporaryDirectory()
        let inTime = search(
            server, "link-timed.srt", "--languages", "en", "--download", "1", "Film")
        let name = try #require(folder.names.first, "\(inTime.stderr)")
        let right = try #require(fileText(folder / name))
        let path = films / "A.Film.2019.1080p.mkv"
        let made = run("mkvmerge", ["-q", "-o", path, "--language", "0:en", folder / name])
        #expect(made.status == 0, "\(made.text)")

        let late = search(server, "link-late.srt", "--languages", "en", "--download", "1", path)
        #expect(late.status == 0, "\(late.stderr)")
        let output = films / "A.Film.2019.1080p.en.srt"
        #expect(fileText(output)?.contains("00:00:07,400 --> 00:00:08,300\nLine 0") == true)

        let aligned = search(
            server, "link-late.srt", "--languages", "en", "--download", "1", "--sync", "--force",
            path)
        #expect(aligned.status == 0, "\(aligned.stderr)")
        #expect(aligned.text == "\(output)\n")
        #expect(fileText(output) == right)
        #expect(aligned.stderr.contains("2.4"), "\(aligned.stderr)")

        // Times that do not fit stay as downloaded, with a warning.
        let other = search(
            server, "link-film.srt", "--languages", "en", "--download", "1", "--sync", "--force",
            path)
        #expect(other.stderr.contains("the times are"), "\(other.stderr)")
        #expect(fileText(output) == "1\n00:00:01,000 --> 00:00:02,000\nHello\n")
    }

    /// A video without a subtitle track is compared by its speech.
    @Test(.requires("python3")) func downloadsAreAlignedWithSpeech() throws {
        let server = try ProviderServer.start()
        let films = TemporaryDirectory()
        let inTime = search(
            server, "link-timed.srt", "--languages", "en", "--download", "1", "Film")
        let name = try #require(folder.names.first, "\(inTime.stderr)")
        let cues = try SubtitleDocument(contentsOf: folder / name).cues
        let path = films / "A.Film.2019.1080p.mkv"
        // What is in a file counts, not its name.
        films.write(SpokenAudio.wave(cues.map { $0.start..<$0.end }), to: "A.Film.2019.1080p.mkv")
        let aligned = search(
            server, "link-late.srt", "--languages", "en", "--download", "1", "--sync", "--json",
            path)
        #expect(aligned.status == 0, "\(aligned.stderr)")
        #expect(
            aligned.stderr.contains("has no subtitle track with enough cues; the speech of stream"))
        let download = try JSON(parsing: aligned.stdout)["downloads"]?.elements.first
        #expect(download?["reference"]?["kind"]?.text == "speech")
        #expect(download?["reference"]?["track"]?.wholeNumber == 0)
        let offset = download?["alignment"]?["segments"]?.elements.first?["offset"]?.fraction
        #expect(abs(try #require(offset) + 2.4) < 0.2)
        let written = try SubtitleDocument(contentsOf: films / "A.Film.2019.1080p.en.srt").cues
        #expect(written.count == cues.count)
        #expect(
            zip(written, cues).allSatisfy {
                abs($0.start.nanoseconds - $1.start.nanoseconds) < 200_000_000
            })

        // Other dialogue stays as downloaded.
        let other = search(
            server, "link-film.srt", "--languages", "en", "--download", "1", "--sync", "--force",
            path)
        #expect(other.status == 3 && other.stderr.contains("the times are"), "\(other.stderr)")
        #expect(
            fileText(films / "A.Film.2019.1080p.en.srt")
                == "1\n00:00:01,000 --> 00:00:02,000\nHello\n")
    }

    /// A video without a subtitle track and without audio has nothing to align with.
    @Test(.requires("python3")) func withoutATrackDownloadsStay() throws {
        let server = try ProviderServer.start()
        let path = video()
        let result = search(
            server, "link-late.srt", "--languages", "en", "--download", "1", "--sync", path)
        #expect(result.stderr.contains("not aligned"), "\(result.stderr)")
        #expect(
            fileText(folder / "A.Film.2019.1080p.en.srt")?.contains("00:00:07,400 --> ") == true)
    }

    @Test(.requires("python3")) func wordsAreWrittenIntoTheFolder() throws {
        let server = try ProviderServer.start()
        let result = search(
            server, "link-traversal.zip", "--languages", "en", "--download", "1,2", "-o",
            "subs/new",
            "A Film 2019")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(
            names(in: folder / "subs/new") == [
                "A.Film.2019.1080p.BluRay.x264-GOOD.en.srt",
                "A.Film.2019.720p.WEB.x264-NONE.en.srt",
            ])
        #expect(folder.names == ["subs"])
    }

    @Test(.requires("python3")) func exitCodesOfOutcomes() throws {
        let server = try ProviderServer.start()
        let both: [String: String?] = ["ASSRT_TOKEN": "ASSRT-1234567890"]
        #expect(search(server, "none", "A Film").status == 2)
        #expect(search(server, "garbage", "A Film").status == 1)
        #expect(search(server, "ok", "A Film", changing: both).status == 0)
        let partly = search(
            server, "ok", "A Film",
            changing: both.merging(["ASSRT_SERVER": "\(server.address)/garbage/v1"]) { $1 })
        #expect(partly.status == 3)
        #expect(partly.states("assrt", "JSON"), "\(partly.stderr)")
        let quota = search(server, "quota", "--download", "1", "A Film")
        #expect(quota.status == 1)
        #expect(quota.states("opensubtitles", "2030-01-02T23:59:59.000Z"), "\(quota.stderr)")
        #expect(search(server, "ok", "--download", "99", "A Film").status == 1)
        // The one result says no language.
        let unknown = search(server, "odd", "--languages", "en", "--download", "best", "A Film")
        #expect(unknown.status == 2)
        #expect(unknown.states("en"), "\(unknown.stderr)")
        let some = search(server, "ok", "--languages", "en,ko", "--download", "best", "A Film")
        #expect(some.status == 3)
        #expect(some.states("ko"), "\(some.stderr)")
        #expect(search(server, "ok", "missing/film.mkv").status == 1)
        let keyless: [String: String?] = ["OPENSUBTITLES_API_KEY": nil]
        let nobody = search(server, "ok", "A Film", changing: keyless)
        #expect(nobody.status == 1)
        #expect(nobody.states("OPENSUBTITLES_API_KEY"), "\(nobody.stderr)")
        #expect(search(server, "echo", "A Film").status == 1)
    }

    @Test(.requires("python3")) func assrtAndShooterAreAsked() throws {
        let server = try ProviderServer.start()
        let token: [String: String?] = ["ASSRT_TOKEN": "ASSRT-1234567890"]
        let path = video("A.Show.S01E02.mkv")
        let result = search(
            server, "ok", "--provider", "assrt", "--languages", "zh-CN", "--download", "1", path,
            changing: token)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.states("assrt.net"), "\(result.stderr)")
        #expect(result.states("4"), "\(result.stderr)")
        #expect(fileText(folder / "A.Show.S01E02.zh-Hans.srt") == "two zh")
        let shooter = search(
            server, "ok", "--provider", "shooter", "--languages", "zh", "--download", "1", path)
        #expect(shooter.status == 0, "\(shooter.stderr)")
        #expect(shooter.states("--shift -1.5"), "\(shooter.stderr)")
    }

    @Test(arguments: [
        ["--languages", "x y", "a"], ["--provider", "nobody", "a"], ["--imdb", "ttx", "a"],
        ["--tmdb", "-1", "a"], ["--download", "0", "a"], ["--download", "", "a"],
        ["--limit", "0", "a"],
        [""], ["-"], [],
    ])
    func usageIsChecked(_ arguments: [String]) {
        #expect(Command.undertext(["search"] + arguments).status == 64)
    }
}
