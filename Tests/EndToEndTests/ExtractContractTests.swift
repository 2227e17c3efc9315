import TestSupport
import Testing
import UndertextCore

/// The command line contract of `extract`: names, formats, exit codes, streams.
@Suite struct ExtractContractTests {
    let movie = fixture("containers/movie.mkv")
    let folder = TemporaryDirectory()

    func extract(_ arguments: String...) -> ToolResult {
        Command.undertext(["extract"] + arguments)
    }

    @Test func everyTrackBesideTheInputByDefault() throws {
        let copy = folder.write(try fixtureBytes("containers/movie.mkv"), to: "a movie.mkv")
        let result = Command.undertext("extract", copy)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.stdout.isEmpty)
        let made = Set(names(in: folder.path))
        #expect(made.contains("a movie.en.vtt"))
        #expect(made.contains("a movie.pt-BR.vtt"))
        #expect(made.contains { $0.hasSuffix(".images") })
        #expect(!made.contains { $0.hasSuffix("undertext-part") })
    }

    @Test func nativeKeepsEachTrackAsStored() {
        let result = extract("--format", "native", "-o", folder.path, movie)
        #expect(result.status == 0, "\(result.stderr)")
        let extensions = Set(
            names(in: folder.path).compactMap { $0.split(separator: ".").last.map(String.init) })
        #expect(extensions == ["srt", "ass", "sup", "idx", "sub"])
    }

    @Test func outputsAreNotReplacedUnasked() {
        #expect(extract("-o", folder.path, "--tracks", "text", movie).status == 0)
        let before = files(below: folder.path)
        let refused = Command.reported(["extract", "-o", folder.path, movie])
        #expect(refused.status == 1 && refused.errors == ["output-exists"])
        #expect(refused.result.states("--force"))
        #expect(files(below: folder.path) == before)
        #expect(extract("-o", folder.path, "--skip-existing", movie).status == 0)
        #expect(files(below: folder.path).count > before.count)
        let forced = extract("-o", folder.path, "--force", movie)
        #expect(forced.status == 0, "\(forced.stderr)")
    }

    @Test func forceReplacesOnlyWhatTheIndexLists() throws {
        #expect(extract("-o", folder.path, "--tracks", "bitmap", movie).status == 0)
        let images = try #require(names(in: folder.path).first { $0.hasSuffix(".images") })
        let foreign = "\(folder.path)/\(images)/mine.txt"
        #expect(writeFile(Array("mine".utf8), to: foreign))
        let forced = extract("-o", folder.path, "--tracks", "bitmap", "--force", movie)
        #expect(forced.status == 0, "\(forced.stderr)")
        #expect(fileText(foreign) == "mine")
    }

    @Test func aTrackToStandardOutput() {
        let result = extract("--tracks", "pt-BR", "-o", "-", movie)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.text.hasPrefix("WEBVTT\n"))
        let many = extract("--tracks", "text", "-o", "-", movie)
        #expect(many.status == 64)
        #expect(many.stdout.isEmpty)
    }

    @Test func anyTracksAsJSONToStandardOutput() throws {
        let result = extract("--format", "json", "-o", "-", movie)
        #expect(result.status == 0, "\(result.stderr)")
        let lines = result.text.split(separator: "\n")
        let records = try lines.map { try JSON(parsing: $0.utf8) }
        let types = records.map { $0["type"]?.text }
        #expect(types.first == "track" && types.last == "summary")
        #expect(types.count { $0 == "summary" } == 1)
        #expect(
            records.contains { record in
                record["images"]?.elements.contains { $0["png"]?.text != nil } == true
            })
    }

    @Test(arguments: [
        (["--tracks", "xx"], 2), (["--tracks", "e n"], 64), (["--format", "doc"], 64),
        (["--format", "vtt,srt"], 64), (["--force", "--skip-existing"], 64),
        (["--io", "fast"], 64),
        (["--nonsense"], 64), (["--timeline", "mine"], 64),
    ])
    func wrongUse(_ arguments: [String], _ code: Int) {
        let result = Command.undertext(["extract", "-o", folder.path] + arguments + [movie])
        #expect(Int(result.status) == code, "\(result.stderr)")
        #expect(!result.stderr.isEmpty)
        #expect(files(below: folder.path).isEmpty)
    }

    @Test func everyTextTrackBecomesAScript() {
        let some = extract("-o", folder.path, "--format", "ass", "--tracks", "text", movie)
        #expect(some.status == 0, "\(some.stderr)")
        let made = names(in: folder.path)
        #expect(made.count > 1 && made.allSatisfy { $0.hasSuffix(".ass") })
        let none = extract(
            "-o", folder.path, "--format", "sup", "--tracks", "bitmap+forced+sdh,pt", movie)
        #expect(none.status == 2, "\(none.stderr)")
    }

    @Test func severalInputsGiveTheCommonCodeOrThree() {
        let both = extract("-o", folder.path, movie, fixture("containers/webvtt.mkv"))
        #expect(both.status == 0, "\(both.stderr)")
        let mixed = Command.reported([
            "extract", "-o", folder.path, "--force", movie, folder.path + "/missing.mkv",
        ])
        #expect(mixed.status == 3 && mixed.errors == [nil, "not-found"])
        #expect(mixed.result.states("missing.mkv"))
        let none = extract("-o", folder.path, "/nowhere/a.mkv", "/nowhere/b.mkv")
        #expect(none.status == 1)
    }

    @Test func aDamagedCharacterIsReported() {
        let run = Command.reported([
            "extract", "-o", folder.path, fixture("containers/invalid-utf8.mkv"),
        ])
        #expect(run.status == 3, "\(run.result.stderr)")
        #expect(run.codes == ["invalid-utf8"] && run.count("invalid-utf8") == 1)
        let told = run.diagnostics.first
        #expect(told?["severity"]?.text == "error" && told?["track"]?.wholeNumber == 1)
        #expect(told?["time"]?.fraction == 3.5 && told?["offset"]?.wholeNumber == 758)
        #expect(!names(in: folder.path).isEmpty)
    }

    @Test func aTrackWithoutCuesWritesNothing() {
        let run = Command.reported([
            "extract", "-o", folder.path, fixture("containers/empty-track.mkv"),
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.statuses == ["written", "empty"])
        #expect(names(in: folder.path).count == 1)
    }

    @Test func theReportContainsPathAndProof() throws {
        let out = folder.path + "/out"
        let run = Command.reported(["extract", "-o", out, "--format", "native", movie])
        #expect(run.status == 0, "\(run.result.stderr)")
        let io = run.inputs.first?["io"]
        #expect(io?["path"]?.text == "index" && io?["proof"]?.text == "statistics")
        #expect(run.report["avformat"] == .null)
        let stale = Command.reported([
            "extract", "-o", out, "--format", "native", "--force",
            fixture("containers/movie-videocues.mkv"),
        ])
        #expect(stale.status == 0, "\(stale.result.stderr)")
        let walked = stale.inputs.first?["io"]
        #expect(walked?["path"]?.text == "walk" && walked?["proof"] == .null)
        let refused = try #require(walked?["refused"]?.elements)
        #expect(!refused.isEmpty && refused.allSatisfy { $0["reason"]?.text != nil })
    }

    /// The tables of MP4 are an index: nothing is left to walk over.
    @Test func aPathThatCannotBeTakenNamesItsOption() {
        let run = Command.reported([
            "extract", "--io", "walk", "-o", folder.path, fixture("containers/movie.mp4"),
        ])
        #expect(run.status == 1 && run.errors == ["unsupported"])
        #expect(run.result.states("--io walk"))
    }

    @Test func attachmentsInTheSamePass() {
        let fonts = folder.path + "/fonts"
        let result = extract(
            "-o", folder.path, "--attachments", fonts, "--tracks", "en+text", movie)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(names(in: fonts).contains { $0.hasSuffix(".ttf") })
        #expect(names(in: fonts).contains { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") })
    }

    @Test func standardInputIsAnInput() throws {
        let result = run(
            Command.path, ["extract", "-o", folder.path, "-"],
            stdin: try fixtureBytes("containers/movie.mkv"))
        #expect(result.status == 0, "\(result.stderr)")
        #expect(names(in: folder.path).contains("stdin.en.vtt"))
    }
}
