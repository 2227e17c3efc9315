import TestSupport
import Testing
import UndertextCore

/// TTML files as the command reads and writes them.
@Suite struct TTMLFileTests {
    let folder = TemporaryDirectory()

    private static let opening = """
        <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="fr"
         xmlns:itts="http://www.w3.org/ns/ttml/profile/imsc1#styling"
         xmlns:smpte="http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt"
        """

    private func document(_ body: String, _ attributes: String = "", head: String = "") -> String {
        Self.opening + "\(attributes)><head>\(head)</head><body>\(body)</body></tt>"
    }

    private let texts =
        "<div><p begin=\"1s\" end=\"2s\">un</p><p begin=\"3s\" end=\"4s\" itts:forcedDisplay=\"true\">deux</p></div>"

    private func convert(_ arguments: String..., stdin: [UInt8] = []) -> ToolResult {
        run(Command.path, ["convert"] + arguments, stdin: stdin)
    }

    @Test func probe() throws {
        let file = folder.write(document(texts), to: "a.xml")
        let result = Command.undertext("probe", "--json", file)
        #expect(result.status == 0, "\(result.stderr)")
        let stream = try JSON(parsing: result.stdout)["streams"]?.elements.first?["undertext"]
        #expect(stream?["codec"]?.text == "ttml" && stream?["kind"]?.text == "text")
        #expect(stream?["language"]?.text == "fr")
    }

    @Test func anyTextBecomesTTMLAndBack() throws {
        let file = folder.write(document(texts), to: "a.ttml")
        #expect(convert(file, folder / "a.srt").status == 0)
        #expect(fileText(folder / "a.srt")?.contains("00:00:01,000 --> 00:00:02,000\nun\n") == true)
        #expect(convert(folder / "a.srt", folder / "b.ttml").status == 0)
        let made = try #require(fileBytes(folder / "b.ttml"))
        #expect(TTMLValidator.faults(in: made).isEmpty)
        #expect(convert("--to", "vtt", folder / "b.ttml", "-").text.contains("\nun\n"))
        // From standard input, by what it looks like.
        #expect(convert("--to", "vtt", "-", "-", stdin: made).text.contains("\nun\n"))
    }

    @Test func copiesAreTheSameUnlessTimesOrCuesChange() throws {
        let file = folder.write(document(texts), to: "a.ttml")
        let stored = try #require(fileBytes(file))
        #expect(
            Command.undertext("extract", "--format", "native", "-o", folder / "o", file).status == 0
        )
        #expect(fileBytes(folder / "o/a.fr.ttml") == stored)
        #expect(convert(file, folder / "copy.ttml").status == 0)
        #expect(fileBytes(folder / "copy.ttml") == stored)
        #expect(convert("--shift", "1", file, folder / "later.ttml").status == 0)
        let later = try #require(fileText(folder / "later.ttml"))
        #expect(later.contains("begin=\"00:00:02.000\" end=\"00:00:03.000\""))
        let forced = Command.undertext(
            "extract", "--format", "native", "--forced-only", "-o", folder / "f", file)
        #expect(forced.status == 0, "\(forced.stderr)")
        let only = try #require(fileText(folder / "f/a.fr.forced.ttml"))
        #expect(only.contains("deux") && !only.contains("un<"))
    }

    @Test func reportsCountTheCuesOfACopy() throws {
        let file = folder.write(document(texts), to: "a.ttml")
        let run = Command.reported([
            "extract", "--format", "native", "-o", folder / "o", file,
        ])
        #expect(run.status == 0, "\(run.result.stderr)")
        #expect(run.cues == 2)
        #expect(run.tracks.map { $0["first"]?.fraction } == [1])
        #expect(run.tracks.map { $0["last"]?.fraction } == [4])
    }

    @Test func theCharsetOfTheDeclaration() {
        let text =
            "<?xml version='1.0' encoding='iso-8859-2'?>" + document("<div><p end='1s'>X</p></div>")
        // A Czech r with a caron.
        let bytes = text.utf8.map { $0 == 0x58 ? UInt8(0xF8) : $0 }
        let file = folder.write(bytes, to: "l2.ttml")
        #expect(convert("--to", "vtt", file, "-").text.contains("\nř\n"))
        let wide = document("<div><p end='1s'>ř</p></div>").utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        let utf16 = folder.write([0xFF, 0xFE] + wide, to: "wide.ttml")
        #expect(convert("--to", "vtt", utf16, "-").text.contains("\nř\n"))
    }

    @Test func documentTypesAreRefused() {
        let file = folder.write("<!DOCTYPE tt SYSTEM 'x'>" + document(texts), to: "a.ttml")
        let run = Command.reported(["convert", "--to", "vtt", file, "-"])
        #expect(run.status != 0 && run.codes == ["doctype-refused"], "\(run.result.stderr)")
        #expect(run.statuses == ["failed"])
    }

    // MARK: Images

    private func images(_ address: String) -> String {
        document(
            "<div region=\"r\" begin=\"1s\" end=\"2s\" smpte:backgroundImage=\"\(address)\"/>",
            " tts:extent=\"640px 480px\"",
            head:
                "<layout><region xml:id=\"r\" tts:origin=\"100px 50px\" tts:extent=\"200px 100px\"/></layout>"
        )
    }

    @Test func imagesBesideTheFile() throws {
        let png = try fixtureBytes("subtitles/cover.png")
        _ = folder.write(png, to: "1.png")
        let file = folder.write(images("1.png"), to: "a.ttml")
        let result = Command.undertext("extract", "-o", folder / "o", file)
        #expect(result.status == 0, "\(result.stderr)")
        let index = try #require(fileText(folder / "o/a.fr.images/index.json"))
        let json = try JSON(parsing: index.utf8)
        let cue = json["cues"]?.elements.first
        #expect(cue?["start"]?.fraction == 1 && cue?["end"]?.fraction == 2)
        #expect(json["track"]?["canvas"]?.elements.map(\.wholeNumber) == [640, 480])
        #expect(fileBytes(folder / "o/a.fr.images/0001.png") != nil)
        let sup = Command.undertext("convert", file, folder / "a.sup")
        #expect(sup.status == 0 && fileBytes(folder / "a.sup") != nil, "\(sup.stderr)")
    }

    @Test func imagesInOtherFoldersAreNotRead() throws {
        _ = folder.write(try fixtureBytes("subtitles/cover.png"), to: "1.png")
        for (number, name) in [
            "../\(folder.path.split(separator: "/").last ?? "")/1.png", folder / "1.png",
            "link/1.png",
        ].enumerated() {
            let file = folder.write(images(name), to: "\(number).ttml")
            let run = Command.reported(["extract", "-o", folder / "o\(number)", file])
            #expect(run.status == 3 || run.status == 1, "\(name): \(run.result.stderr)")
            #expect(run.codes(.error) == ["unsafe-name"], "\(run.result.stderr)")
            #expect(run.result.states(name))
        }
        // A link that leads out of the folder.
        let inner = folder / "inner"
        #expect(run("mkdir", [inner]).status == 0)
        #expect(run("ln", ["-s", folder / "1.png", inner + "/2.png"]).status == 0)
        let file = folder.write(images("2.png"), to: "inner/a.ttml")
        let run = Command.reported(["extract", "-o", folder / "p", file])
        #expect(run.status != 0, "\(run.result.stderr)")
        #expect(run.codes(.error) == ["missing-image", "unreadable-image"])
        #expect(run.result.states("2.png"))
    }
}
