import TestSupport
import Testing
import UndertextCore

/// libavformat is loaded when a file needs it, and not before.
@Suite struct LazyBindingTests {
    let folder = TemporaryDirectory()

    @Test(.requires("readelf")) func theExecutableNamesNoFFmpegLibrary() {
        let result = run("readelf", ["-d", Command.path])
        #expect(result.status == 0, "\(result.stderr)")
        let needed = result.text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        #expect(needed.contains { $0.contains("libc.so") })
        let ffmpeg = ["libav", "libswscale", "libswresample"]
        let found = needed.filter { line in ffmpeg.contains { line.contains($0) } }
        #expect(found.isEmpty)
    }

    @Test func anExtractionByIndexReportsNoLibrary() throws {
        let run = Command.reported([
            "extract", "--format", "native", "-o", folder.path + "/out",
            fixture("containers/movie.mkv"),
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.inputs.first?["io"]?["path"]?.text == "index")
        #expect(run.report["avformat"] == .null)
    }

    /// Display sets are read and decoded without libav*, for every output.
    @Test(arguments: ["native", "png", "json"])
    func aSegmentFileNeedsNoLibrary(_ format: String) throws {
        let run = Command.reported([
            "extract", "--format", format, "-o", folder.path + "/sup-\(format)",
            fixture("subtitles/bitmaps.sup"),
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.inputs.first?["io"]?["path"]?.text == "file")
        #expect(run.report["avformat"] == .null)
    }

    @Test(arguments: ["idx", "sub"]) func aPairOfVobSubNeedsNoLibrary(_ name: String) throws {
        let run = Command.reported([
            "extract", "-o", folder.path + "/" + name, fixture("subtitles/vobsub." + name),
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.report["avformat"] == .null)
        #expect(run.cues == 7)
    }

    /// The headers of MP4 and the tables of transport streams say what an extraction needs.
    @Test(arguments: ["containers/movie.mp4", "containers/movie.ts"])
    func mediaFilesNeedNoLibrary(_ name: String) throws {
        let run = Command.reported([
            "extract", "--format", "jsonl", "-o", folder.path + "/media", fixture(name),
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.report["avformat"] == .null)
    }

    /// The files that the command opens are observed; a deep probe shows that the observation works.
    @Test(
        .requires("strace"),
        .enabled(
            if: run("strace", ["-o", "/dev/null", "true"]).status == 0, "strace may not trace here")
    )
    func librariesAreOpenedOnDemand() throws {
        let mp4 = fixture("containers/movie.mp4")
        let mkv = fixture("containers/movie.mkv")
        #expect(try opened(["probe", "--deep", "--json", mp4]).contains("libavformat"))
        #expect(try !opened(["extract", "-o", folder / "mp4", mp4]).contains("libavformat"))
        #expect(
            try !opened(["extract", "--format", "native", "-o", folder / "mkv", mkv])
                .contains("libavformat"))
        #expect(try !opened(["--version"]).contains("libav"))
        #expect(try !opened(["probe", "--subtitles", "--json", mkv]).contains("libav"))
        #expect(try !opened(["probe", "--json", mkv]).contains("libav"))
        #expect(try opened(["probe", "--deep", mkv]).contains("libavformat"))
        let damaged = fixture("containers/movie-stale.mkv")
        #expect(try opened(["probe", damaged]).contains("libavformat"))
    }

    /// The trace of every file that a run of the command opens.
    private func opened(_ arguments: [String]) throws -> String {
        let trace = folder / "trace"
        let result = run(
            "strace", ["-f", "-e", "trace=openat", "-o", trace, Command.path] + arguments)
        #expect(result.status == 0, "\(result.stderr)")
        let text = try #require(fileText(trace))
        #expect(text.contains("libc.so"))
        return text
    }
}
