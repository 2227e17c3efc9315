import TestSupport
import Testing
import Undertext
import UndertextCore

/// The command's messages about decoding images.
@Suite struct ImageDecodingTests {
    let folder = TemporaryDirectory()

    private func cues(_ name: String, _ arguments: String...) throws -> [JSON] {
        let output = folder.path + "/" + name
        let result = Command.undertext(
            ["extract", "--format", "png", "-o", output] + arguments + [
                fixture("bitmap/pgs/fade.sup")
            ])
        #expect(result.status == 0, "\(result.stderr)")
        let index = try #require(fileBytes(output + "/fade.und.images/index.json"))
        return try JSON(parsing: index)["cues"]?.elements ?? []
    }

    @Test func fadesAreMergedOnRequestOnly() throws {
        let apart = try cues("apart")
        #expect(apart.count == 6)
        #expect(apart[0]["start"]?.fraction == 1 && apart[0]["end"]?.fraction == 1.1)
        let merged = try cues("merged", "--merge-fades")
        #expect(merged.count == 2)
        #expect(merged[0]["start"]?.fraction == 1 && merged[0]["end"]?.fraction == 1.5)
        // The image is the third of those that the fade consists of.
        let images = ["merged", "apart"].map { folder.path + "/\($0)/fade.und.images/" }
        let opaque = try #require(fileBytes(images[1] + "0003.png"))
        #expect(fileBytes(images[0] + "0001.png") == opaque)
    }

    /// A track is not copied where its images are to be merged.
    @Test func fadesAreMergedInDisplaySetsToo() throws {
        let result = Command.undertext([
            "extract", "--format", "sup", "--merge-fades", "-o", folder.path + "/sup",
            fixture("bitmap/pgs/fade.sup"),
        ])
        #expect(result.status == 0, "\(result.stderr)")
        #expect(
            try Media(folder.path + "/sup/fade.und.sup").subtitleTrack(id: 0).document().cues.count
                == 2)
    }

    @Test func matricesHaveNames() throws {
        let automatic = try cues("auto", "--color-matrix", "auto")
        #expect(automatic == (try cues("bt601", "--color-matrix", "bt601")))
        _ = try cues("bt709", "--color-matrix", "bt709")
        func image(_ name: String) throws -> [UInt8] {
            try #require(fileBytes(folder.path + "/\(name)/fade.und.images/0001.png"))
        }
        #expect(try image("auto") == image("bt601"))
        #expect(try image("auto") != image("bt709"))
        let wrong = Command.undertext([
            "extract", "--color-matrix", "rec709", fixture("bitmap/pgs/fade.sup"),
        ])
        #expect(wrong.status == 64)
        #expect(wrong.states("--color-matrix", "auto", "bt601", "bt709", "bt2020"))
    }
}
