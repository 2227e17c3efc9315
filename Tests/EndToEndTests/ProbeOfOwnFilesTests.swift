import TestSupport
import Testing
import UndertextCore

/// Files that we write can be probed.
@Suite struct ProbeOfOwnFilesTests {
    /// libavformat takes a .sup for another format where the first object is large.
    @Test func wholeCanvases() throws {
        let folder = TemporaryDirectory()
        let written = Command.undertext(
            "convert", "-q", "--canvas", Repository.root + "/Fixtures/subtitles/bitmaps.sup",
            folder / "whole.sup")
        #expect(written.status == 0, "\(written.stderr)")
        for options in [["--json"], ["--json", "--deep"]] {
            let probed = Command.undertext(["probe"] + options + [folder / "whole.sup"])
            #expect(probed.status == 0, "\(probed.stderr)")
            let answer = try JSON(parsing: probed.stdout)
            #expect(answer["format"]?["format_name"]?.text == "sup", "\(probed.text)")
        }
    }
}
