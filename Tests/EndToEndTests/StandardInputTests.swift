import TestSupport
import Testing

/// A pipe gives what the file gives.
@Suite struct StandardInputTests {
    let folder = TemporaryDirectory()

    @Test(arguments: [("movie.mkv", "stdin.pt-BR.vtt"), ("webvtt.mkv", "stdin.en.vtt")])
    func outputsAreThoseOfTheFile(_ name: String, _ example: String) throws {
        let piped = Command.undertext(
            "extract", "-o", folder / "piped", "-", stdin: try fixtureBytes("containers/" + name))
        #expect(piped.status == 0, "\(piped.stderr)")
        #expect(!piped.stderr.contains("skipped"), "\(piped.stderr)")
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

    /// The file says how long it is, so that a pipe that ends before is told.
    @Test func aPipeThatIsCutOffIsTold() throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        let cut = Command.undertext(
            "extract", "-o", folder / "cut", "-", stdin: Array(bytes.prefix(bytes.count * 2 / 3)))
        #expect(cut.status == 3, "\(cut.stderr)")
        #expect(cut.stderr.contains("ended"), "\(cut.stderr)")
        #expect(!names(in: folder / "cut").isEmpty)
    }
}
