import Glibc
import TestSupport
import Testing
import Undertext
import UndertextCore

/// Media files on a web server: the same outputs as from a disk, with about the same number of bytes.
@Suite struct HTTPTests {
    let folder = TemporaryDirectory()

    /// The output of a run: the files by their path in the folder, except for the index of images, which
    /// contains the read path.
    private func outputs(_ name: String) -> [String: [UInt8]] {
        var result: [String: [UInt8]] = [:]
        for path in files(below: folder / name) where !path.hasSuffix("index.json") {
            result[String(path.dropFirst((folder / name).count))] = fileBytes(path)
        }
        return result
    }

    private func extract(_ input: String, _ name: String, _ more: String...) -> ToolResult {
        Command.undertext(
            [
                "extract", "--format", "native", "-o", folder / name, "--report",
                folder / "\(name).json",
            ]
                + more + [input])
    }

    private func report(_ name: String, _ key: String) -> String? {
        fileText(folder / "\(name).json").flatMap { jsonValue(key, in: $0[...]) }
    }

    /// A media file of some megabytes with an index and a few hundred captions; `nil` if the tools cannot make
    /// it.
    static let film: TemporaryDirectory? = {
        let folder = TemporaryDirectory()
        let captions = (0..<300).map { number in
            func clock(_ milliseconds: Int) -> String {
                let digits = String(1000 + milliseconds % 1000).dropFirst()
                return "00:00:\(String(100 + milliseconds / 1000).dropFirst()),\(digits)"
            }
            let start = number * 100
            return "\(number + 1)\n\(clock(start)) --> \(clock(start + 90))\nCaption \(number)\n"
        }
        folder.write(captions.joined(separator: "\n"), to: "film.srt")
        let video = run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "color=c=gray:s=320x240:r=10:d=30,noise=alls=100:allf=t", "-c:v", "mpeg2video",
                "-b:v", "3M", "-minrate", "3M", "-maxrate", "3M", "-bufsize", "1M", "-g", "10",
                folder / "video.mkv",
            ])
        let film = run(
            "mkvmerge",
            ["-q", "-o", folder / "film.mkv", folder / "video.mkv", folder / "film.srt"])
        guard video.status == 0, film.status == 0 else { return nil }
        return folder
    }()

    @Test(.requires("ffmpeg", "mkvmerge", "nginx")) func anIndexedFilmIsReadInRanges() throws {
        let film = try #require(Self.film)
        let server = try WebServer.nginx(serving: film.path)
        #expect(extract(film / "film.mkv", "disk").status == 0)
        let result = extract("\(server.address)/film.mkv", "web")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(outputs("web") == outputs("disk"))
        #expect(outputs("web").count == 1)
        #expect(report("web", "path") == "index")
        #expect(report("web", "inputSize") == report("disk", "inputSize"))
        // It holds without FFmpeg, too.
        #expect(report("web", "avformat") == "null")
        let fromDisk = try #require(report("disk", "bytesRead").flatMap { Int($0) })
        let fromWeb = try #require(report("web", "bytesRead").flatMap { Int($0) })
        #expect(fromWeb <= fromDisk + 1_000_000)
        // The server's book agrees.
        let requests = server.requests(
            atLeast: report("web", "requests").flatMap { Int($0) } ?? 0)
        #expect(requests.allSatisfy { $0.count != nil })
        #expect(report("web", "requests") == String(requests.count))
        #expect(requests.reduce(0) { $0 + ($1.count ?? 0) } <= fromWeb + 65_536)
        // Many ranges are in one response.
        #expect(requests.contains { $0.range.contains(",") })
        // The beginning, what follows the clusters, the first cluster: three requests before the first blocks.
        #expect(requests.prefix { !$0.range.contains(",") }.count <= 3, "\(requests.prefix(8))")
        // One connection for simultaneous requests, and those that read ahead.
        #expect(Set(requests.map(\.connection)).count <= 25)
    }

    @Test(.requires("ffmpeg", "mkvmerge", "nginx")) func aScanAsksForMuchAtOnce() throws {
        let film = try #require(Self.film)
        let server = try WebServer.nginx(serving: film.path)
        #expect(extract(film / "film.mkv", "disk").status == 0)
        let result = extract("\(server.address)/film.mkv", "web", "--io", "scan")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(outputs("web") == outputs("disk"))
        #expect(report("web", "path") == "scan")
        let size = try #require(report("web", "inputSize").flatMap { Int($0) })
        let read = try #require(report("web", "bytesRead").flatMap { Int($0) })
        #expect(read >= size / 2)
        #expect(read <= size + 3_000_000)
        #expect(server.requests.count <= 60)
    }

    /// On the web, contents identify a presentation; on a disk, the name must match, too.
    @Test(.requires("nginx")) func aPlaylistByAnotherNameIsAPresentation() throws {
        let server = try WebServer.nginx(serving: fixture("containers"))
        let result = extract("\(server.address)/playlist.mkv", "web")
        #expect(result.status == 2, "\(result.stderr)")
        #expect(outputs("web").isEmpty)
    }

    @Test(
        .requires("nginx"),
        arguments: [
            "movie.mkv", "movie-ffmpeg.mkv", "movie-nocues.mkv", "cues-wrong.mkv", "zlib.mkv",
            "encodings.mkv", "webvtt.mkv", "truncated.mkv", "movie.mp4", "movie.ts", "movie.webm",
            "not-media.mkv",
        ])
    func outputsAreThoseOfTheDisk(_ name: String) throws {
        let server = try WebServer.nginx(serving: fixture("containers"))
        let disk = extract(fixture("containers/" + name), "disk")
        let web = extract("\(server.address)/\(name)", "web")
        #expect(web.status == disk.status, "\(web.stderr)")
        #expect(outputs("web") == outputs("disk"))
        // If requests are expensive, no block header is requested separately.
        let isWalk = name.hasSuffix(".mkv") && report("disk", "path") == "walk"
        #expect(report("web", "path") == (isWalk ? "scan" : report("disk", "path")))
        #expect(report("web", "proof") == report("disk", "proof"))
    }

    @Test(.requires("nginx"), arguments: ["movie.mkv", "webvtt.mkv", "movie.ts", "encodings.mkv"])
    func aServerWithoutRangesIsReadAsAPipe(_ name: String) throws {
        let server = try WebServer.nginx(serving: fixture("containers"))
        let disk = extract(fixture("containers/" + name), "disk")
        let web = extract("\(server.address)/no-ranges/\(name)", "web")
        #expect(web.status == disk.status, "\(web.stderr)")
        #expect(outputs("web") == outputs("disk"))
        #expect(report("web", "path") == "scan")
        #expect(fileText(folder / "web.json")?.contains("does not support ranges") == true)
        #expect(report("web", "inputSize") == report("disk", "inputSize"))
        #expect(server.requests(atLeast: 1).count == 1)
    }

    @Test(.requires("nginx")) func aProbeSeesWhatAFileShows() throws {
        let server = try WebServer.nginx(serving: fixture("containers"))
        for name in ["movie.mkv", "movie.mp4", "movie.ts", "webvtt.mkv"] {
            let disk = Command.undertext("probe", "--json", fixture("containers/" + name))
            let web = Command.undertext("probe", "--json", "\(server.address)/\(name)")
            #expect(web.status == 0, "\(web.stderr)")
            let place = fixture("containers/" + name)
            #expect(
                web.text.split(separator: "\n").filter { !$0.contains(server.address) }
                    == disk.text.split(separator: "\n").filter { !$0.contains(place) })
        }
    }

    @Test(.requires("python3"), arguments: ["to-file", "to-private"])
    func aRedirectDoesNotLeaveTheHost(_ mode: String) throws {
        let server = try WebServer.hostile(serving: fixture("containers"))
        let run = Command.reported([
            "extract", "-o", folder / "out", "\(server.address)/\(mode)/movie.mkv",
        ])
        #expect(run.status == 1 && run.errors == ["nested-open-refused"], "\(run.errors)")
        #expect(files(below: folder / "out").isEmpty)
        // A refused address was not requested.
        #expect(server.requests.count == 1)
    }

    /// The reader returns a correct cue or an error, whatever the server does.
    @Test(
        .requires("ffmpeg", "mkvmerge", "python3"),
        arguments: [
            "cut", "cut-once", "busy-once", "shifted", "refuses", "forgets", "grows", "changes",
            "long", "unknown-size", "slow",
        ])
    func aHostileServerChangesNoCue(_ mode: String) throws {
        let film = try #require(Self.film)
        let server = try WebServer.hostile(serving: film.path)
        #expect(extract(film / "film.mkv", "disk").status == 0)
        let result = extract("\(server.address)/\(mode)/film.mkv", "web")
        if ["cut-once", "busy-once", "long", "unknown-size", "slow"].contains(mode) {
            #expect(result.status == 0, "\(result.stderr)")
            #expect(outputs("web") == outputs("disk"))
        } else {
            #expect(result.status == 1 || result.status == 3, "\(result.stderr)")
            #expect(!result.stderr.isEmpty)
            let whole = outputs("disk").values.first ?? []
            for bytes in outputs("web").values { #expect(whole.starts(with: bytes)) }
        }
    }

    @Test(.requires("ffmpeg", "mkvmerge", "python3")) func aTimeLimitEndsAStall() throws {
        let film = try #require(Self.film)
        let server = try WebServer.hostile(serving: film.path)
        var options = Media.Options()
        options.timeLimit = .seconds(2)
        do throws(UndertextError) {
            let file = try Media("\(server.address)/stalls/film.mkv", options: options)
            _ = try file.subtitleTrack(id: 1).document().cues
            Issue.record("no error")
        } catch {
            #expect(error.code == .timeout, "\(error)")
        }
    }

    @Test(.requires("ffmpeg", "mkvmerge", "python3")) func aSignalEndsAStall() throws {
        let film = try #require(Self.film)
        let server = try WebServer.hostile(serving: film.path)
        let process = try #require(
            spawn(
                Command.path,
                [
                    "undertext", "extract", "-o", folder / "out",
                    "\(server.address)/stalls/film.mkv",
                ], input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        for _ in 0..<24_000 where server.requests.count < 2 { usleep(5000) }
        #expect(server.requests.count >= 2)
        send(signal: SIGINT, to: process)
        #expect(waitForExit(process) == 130, "\(fileText(folder / "stderr") ?? "")")
        #expect(files(below: folder / "out").isEmpty)
    }

    @Test(.requires("nginx")) func aRateChangesNoOutput() throws {
        let server = try WebServer.nginx(serving: fixture("containers"))
        let disk = extract(fixture("containers/movie.ts"), "disk")
        #expect(disk.status == 0)
        for (place, input) in [
            fixture("containers/movie.ts"), "\(server.address)/movie.ts",
            "\(server.address)/no-ranges/movie.ts",
        ].enumerated() {
            let result = extract(input, "out\(place)", "--max-read-rate", "1G")
            #expect(result.status == 0, "\(result.stderr)")
            #expect(outputs("out\(place)") == outputs("disk"))
        }
        // libavformat's reads are counted then, too.
        #expect(report("out0", "requests").flatMap { Int($0) } ?? 0 > 0)
    }

    @Test(.requires("ffmpeg", "mkvmerge")) func aBlockSizeMakesFewerRequests() throws {
        let film = try #require(Self.film)
        #expect(extract(film / "film.mkv", "small").status == 0)
        let result = extract(
            film / "film.mkv", "large", "--io-block", "1M", "--io-priority", "idle")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(outputs("large") == outputs("small"))
        let few = try #require(report("large", "requests").flatMap { Int($0) })
        let many = try #require(report("small", "requests").flatMap { Int($0) })
        #expect(few < many)
    }

    @Test(arguments: [
        ["--io-block", "x"], ["--io-block", "65M"], ["--io-block", "-1"], ["--max-read-rate", "0"],
        ["--max-read-rate", "10T"], ["--max-read-rate", "99999999999999999999"],
        ["--io-priority", "high"],
    ])
    func wrongValuesAreUsageErrors(_ options: [String]) {
        for command in ["extract", "probe"] {
            let result = Command.undertext([command] + options + ["x.mkv"])
            #expect(result.status == 64, "\(result.stderr)")
            #expect(result.states(options[0]), "\(result.stderr)")
        }
    }

    @Test func anAddressOfAFileIsThatFile() {
        let path = fixture("containers/movie.mkv")
        #expect(extract(path, "path").status == 0)
        #expect(extract("file://" + path, "address").status == 0)
        #expect(outputs("address") == outputs("path"))
        #expect(report("address", "path") == "index")
    }
}
