import TestSupport
import Testing
import Undertext
import UndertextCore

/// The command's behavior with images: options, names, losses.
@Suite struct ImageContractTests {
    let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")
    private let sup = fixture("subtitles/bitmaps.sup")

    private func undertext(_ arguments: String...) -> ToolResult {
        Command.undertext(arguments)
    }

    /// A folder of images made of `sup`, called `name`.
    private func images(_ name: String = "in.png") -> String {
        let result = undertext("convert", "-q", sup, folder / name)
        #expect(result.status == 0, "\(result.stderr)")
        return folder / name
    }

    /// A folder with an XML that shows the named images, an event each, at a place.
    private func xml(_ names: [String], x: Int = 0, in name: String = "xml") -> String {
        _ = run("mkdir", ["-p", folder / name])
        let events = names.enumerated().map { number, file in
            "<Event InTC=\"00:00:0\(number):00\" OutTC=\"00:00:0\(number):12\" Forced=\"False\">"
                + "<Graphic Width=\"4\" Height=\"4\" X=\"\(x)\" Y=\"0\">\(file)</Graphic></Event>"
        }
        folder.write(
            "<BDN><Description><Format VideoFormat=\"1080p\" FrameRate=\"24\"/></Description>"
                + "<Events>\(events.joined())</Events></BDN>", to: "\(name)/index.xml")
        return folder / name
    }

    /// `index.json` has nanoseconds where BDN XML has frames; after a change of the XML, the XML is used.
    @Test func exactTimesOfAFolder() throws {
        let original = try Media(sup).subtitleTrack(id: 0).document().cues
        let name = images()
        let back = undertext("convert", "-q", name, folder / "back.sup")
        #expect(back.status == 0, "\(back.stderr)")
        let cues = try Media(folder / "back.sup").subtitleTrack(id: 0).document().cues
        #expect(!original.isEmpty)
        #expect(cues.map(\.start) == original.map(\.start))
        #expect(cues.map(\.end) == original.map(\.end))

        // Lines as they were once, and what another program made of the document.
        let index = try #require(fileText(name + "/index.json"))
        let json = try JSON(parsing: index.utf8)
        var lines: [UInt8] = []
        for cue in json["cues"]?.elements ?? [] { lines += cue.compact + [0x0A] }
        let others: [[UInt8]] = [lines, json.pretty, json.compact]
        for other in others {
            #expect(writeFile(other, to: name + "/index.json"))
            let again = try Media(name).subtitleTrack(id: 0).document().cues
            #expect(again.map(\.start) == original.map(\.start))
            #expect(again.map(\.end) == original.map(\.end))
        }

        let path = name + "/index.xml"
        let text = try #require(fileText(path))
        let first = try #require(text.firstRange(of: "<Event InTC=\"")).upperBound
        var changed = text
        // The hour of the first end.
        let end = try #require(text[first...].firstRange(of: "OutTC=\"")).upperBound
        changed.replaceSubrange(end..<changed.index(end, offsetBy: 2), with: "09")
        #expect(writeFile(Array(changed.utf8), to: path))
        let edited = try Media(name).subtitleTrack(id: 0).document().cues
        #expect(edited.contains { $0.end > .seconds(9 * 3600) })
        // Frames again: none of them has the time of the stream.
        #expect(Set(edited.map(\.start)).isDisjoint(with: original.map(\.start)))
    }

    @Test func linksOutOfTheFolderAreNotFollowed() throws {
        let name = images()
        let input = xml(["inside.png", "outside.png"])
        _ = run("cp", [name + "/0001.png", input + "/real.png"])
        _ = run("ln", ["-s", "real.png", input + "/inside.png"])
        _ = run("ln", ["-s", name + "/0001.png", input + "/outside.png"])
        let run = Command.reported(["convert", input, folder / "out.sup"])
        #expect(run.status == 3 && run.codes(.error) == ["missing-image"])
        #expect(run.result.states("outside.png"), "\(run.result.stderr)")
        #expect(run.diagnostics("missing-image").map { $0["time"]?.fraction } == [1])
        #expect(try Media(folder / "out.sup").subtitleTrack(id: 0).document().cues.count == 1)
    }

    @Test func damagedImagesAreNamed() throws {
        let name = images()
        folder.write("no image", to: "in.png/0002.png")
        let run = Command.reported(["convert", name, folder / "out.sup"])
        #expect(run.status == 3 && run.codes == ["malformed-image"])
        #expect(run.result.states("0002.png"), "\(run.result.stderr)")
    }

    /// A file that shows nothing would look like a success.
    @Test(arguments: ["out.sup", "out.idx"]) func nothingIsLeftOfLostCues(_ output: String) {
        let name = images()
        let input = xml(["a.png"], x: 5000)
        _ = run("cp", [name + "/0001.png", input + "/a.png"])
        let run = Command.reported(["convert", input, folder / output])
        #expect(run.status == 1 && run.statuses == ["failed"], "\(run.result.stderr)")
        #expect(run.codes(.error) == ["lost-cue"] && run.count("lost-cue") == 1)
        #expect(!folder.names.contains { $0.hasPrefix("out.") })
    }

    @Test func aFolderWithoutAnIndexIsExplained() {
        _ = run("mkdir", [folder / "empty"])
        let run = Command.reported(["convert", folder / "empty", folder / "out.sup"])
        #expect(run.status == 1 && run.errors == ["is-directory"])
        #expect(run.result.states("index.xml"), "\(run.result.stderr)")
    }

    /// An option without effect is reported, for every way in which a track is copied.
    @Test func optionsThatDoNothingAreReported() {
        let arguments = ["-o", folder / "a", "--fps", "25", "--color-matrix", "bt709", movie]
        for format in ["native", "sup"] {
            let run = Command.reported(
                ["extract", "--force", "--tracks", "7", "--format", format] + arguments)
            #expect(run.status == 0 && run.codes == ["option-ignored"])
            #expect(run.count("option-ignored") == 1)
            #expect(run.result.states("--fps", "--color-matrix"), "\(run.result.stderr)")
        }
        let fades = Command.reported([
            "extract", "--strict", "--tracks", "7", "--format", "native", "--merge-fades", "-o",
            folder / "b", movie,
        ])
        #expect(fades.status == 3 && fades.codes == ["option-ignored"])
        #expect(fades.result.states("--merge-fades"))
        // Here they do something.
        let decoded = Command.reported(
            ["extract", "--strict", "--force", "--tracks", "7", "--format", "bdn"] + arguments)
        #expect(decoded.status == 0 && decoded.codes.isEmpty, "\(decoded.result.stderr)")
    }

    @Test func namesAndFormatsThatDisagreeAreReported() {
        let odd = undertext("convert", "--to", "sup", sup, folder / "a.idx")
        #expect(odd.status == 0)
        #expect(odd.states("a.idx", "vobsub", "sup"), "\(odd.stderr)")
        for (format, name) in [
            ("sup", "b.sup"), ("bdn", "b.png"), ("png", "c"), ("vobsub", "d.sub"),
        ] {
            let result = undertext("convert", "--to", format, sup, folder / name)
            #expect(result.status == 0, "\(result.stderr)")
            #expect(!result.states("warning"), "\(result.stderr)")
        }
    }

    /// Messages name the options of the command that was called.
    @Test func messagesNameTheOptionsOfConvert() {
        folder.write("old", to: "out.sup")
        let refused = Command.reported(["convert", sup, folder / "out.sup"])
        #expect(refused.status == 1 && refused.errors == ["output-exists"])
        let exists = refused.result
        #expect(exists.states("--force", "--skip-existing"))
        let output = undertext("convert", "--to", "sup", sup, "-")
        #expect(output.status == 64 && output.states("--to json"))
        for result in [exists, output] {
            // The temporary folder's name may contain "-o".
            let words = result.stderr.split(whereSeparator: \.isWhitespace)
            #expect(!words.contains("-o") && !result.stderr.contains("--format"))
        }
    }

    @Test func timesAndRatesAreReadAsPeopleWriteThem() throws {
        let result = undertext("extract", "-o", folder.path, "--start", "-5", movie)
        #expect(result.status == 64 && result.states("--start", "'-5'"))
        let long = String(repeating: "9", count: 10_000)
        let rate = undertext("extract", "-o", folder.path, "--fps", long, movie)
        #expect(rate.status == 64 && rate.stderr.utf8.count < 1000)
        let fraction = undertext(
            "extract", "-q", "--tracks", "7", "--format", "bdn", "--fps", "24000/1001", "-o",
            folder.path, movie)
        #expect(fraction.status == 0, "\(fraction.stderr)")
        let name = try #require(folder.names.first)
        let xml = try #require(fileText(folder / name + "/index.xml"))
        #expect(xml.contains("FrameRate=\"23.976\""))
        let odd = undertext("extract", "-o", folder.path, "--fps", "7/2", movie)
        #expect(odd.status == 64 && odd.states("--fps", "'7/2'", "24000/1001"))
    }

    /// One half of a pair is not the requested output.
    @Test func halfAPairIsNotLeftAlone() throws {
        folder.write("old", to: "a.sub")
        let half = Command.reported(["convert", "--skip-existing", sup, folder / "a.idx"])
        #expect(half.status == 1 && half.statuses == ["skipped"], "\(half.result.stderr)")
        #expect(half.result.states("a.sub", "a.idx", "--force"))
        #expect(folder.names == ["a.sub"])
        folder.write("old", to: "a.idx")
        #expect(undertext("convert", "--skip-existing", sup, folder / "a.idx").status == 0)
    }

    /// A report that cannot be written is an error before hours of work.
    @Test func reportsAreTriedFirst() {
        folder.write("a file", to: "file")
        for report in ["none/r.json", "file/r.json", "."] {
            let result = undertext(
                "extract", "--force", "-o", folder / "out", "--report", folder / report, movie)
            #expect(result.status == 1, "\(report)")
            #expect(result.states(folder / report), "\(result.stderr)")
            #expect(!exists(folder / "out"), "\(report)")
        }
        let inside = undertext(
            "extract", "-q", "--tracks", "2", "-o", folder / "out", "--report",
            folder / "out/r.json", movie)
        #expect(inside.status == 0 && exists(folder / "out/r.json"), "\(inside.stderr)")
    }

    /// A reader that goes away is one thing to say.
    @Test func aClosedPipeIsReportedOnce() throws {
        let script = "\"$0\" extract --format json -o - \"$1\" 2>\"$2\" | true"
        for attempt in 0..<3 {
            _ = run("/bin/sh", ["-c", script, Command.path, movie, folder / "err\(attempt)"])
            let lines = try #require(fileText(folder / "err\(attempt)")).split(separator: "\n")
            #expect(lines.count { $0.contains("stdout") } <= 1, "\(lines)")
        }
    }

    /// The part ends at `--end`: of the set after it only the clear is kept.
    @Test func aPartOfANativeTrackEndsThere() throws {
        let all = try Media(sup).subtitleTrack(id: 0).document().cues
        let changes = Set(all.flatMap { [$0.start, $0.end] }).sorted()
        var cut = 0
        for time in changes.dropFirst() {
            let end = time.advanced(by: .milliseconds(-1))
            let seconds = "\(Double(end.roundedMilliseconds) / 1000)"
            let out = folder / "part\(end.roundedMilliseconds)"
            let result = undertext(
                "extract", "-q", "--format", "native", "--end", seconds, "-o", out, sup)
            #expect(result.status == 0, "\(result.stderr)")
            let name = try #require(names(in: out).first)
            let found = try Media(out + "/" + name).subtitleTrack(id: 0).document().cues
            let limit = Timestamp(nanoseconds: end.roundedMilliseconds * 1_000_000)
            let expected = all.filter { $0.start < limit }
            #expect(found.map(\.start) == expected.map(\.start), "until \(seconds)")
            #expect(found.map(\.end) == expected.map(\.end), "until \(seconds)")
            #expect(found.map(\.content) == expected.map(\.content), "until \(seconds)")
            cut += 1
        }
        #expect(cut > 5)
    }
}
