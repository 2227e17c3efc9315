import TestSupport
import Testing
import UndertextCore

/// A pipe gives what the file gives.
@Suite struct StandardInputTests {
    let folder = TemporaryDirectory()

    @Test(arguments: [("movie.mkv", "stdin.pt-BR.vtt"), ("webvtt.mkv", "stdin.en.vtt")])
    func outputsAreThoseOfTheFile(_ name: String, _ example: String) throws {
        let piped = Command.reported(
            ["extract", "-o", folder / "piped", "-"], stdin: try fixtureBytes("containers/" + name))
        #expect(piped.status == 0, "\(piped.result.stderr)")
        #expect(!piped.statuses.contains("skipped"))
        #expect(names(in: folder / "piped").contains(example))
        let copy = folder.write(try fixtureBytes("containers/" + name), to: "stdin.mkv")
        let read = Command.undertext("extract", "-o", folder / "read", copy)
        #expect(read.status == 0, "\(read.stderr)")
        #expect(names(in: folder / "piped") == names(in: folder / "read"))
        for output in names(in: folder / "read") where output.hasSuffix(".vtt") {
            #expect(
                fileText("\(folder.path)/piped/\(output)")
                    == fileText("\(folder.path)/read/\(output)"), "\(output)")
        }
    }

    /// The file states its size, so that a pipe that ends earlier is reported.
    @Test func aPipeThatIsCutOffIsReported() throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        let part = Array(bytes.prefix(bytes.count * 2 / 3))
        let cut = Command.reported(["extract", "-o", folder / "cut", "-"], stdin: part)
        #expect(cut.status == 3 && cut.codes(.error) == ["truncated"], "\(cut.result.stderr)")
        #expect(
            cut.diagnostics("truncated").compactMap { $0["offset"]?.wholeNumber } == [part.count])
        #expect(cut.result.states("\(bytes.count - part.count)"))
        #expect(!names(in: folder / "cut").isEmpty)
    }
}
