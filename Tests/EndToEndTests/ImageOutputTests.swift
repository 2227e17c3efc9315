import TestSupport
import Testing
import Undertext
import UndertextCore

/// The output of bitmap tracks: folders of images, .sup, VobSub.
@Suite struct ImageOutputTests {
    let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")

    private func text(_ name: String) throws -> String { try #require(fileText(folder / name)) }

    /// The one folder that an extraction of one track makes.
    private func images(_ arguments: [String] = []) throws -> String {
        let result = Command.undertext(
            ["extract", "-q", "--tracks", "7", "-o", folder.path] + arguments + [movie])
        #expect(result.status == 0, "\(result.stderr)")
        return try #require(folder.names.first { $0.hasSuffix(".images") })
    }

    @Test func aFolderHasThreeIndices() throws {
        let name = try images()
        let names = names(in: folder / name)
        #expect(names.suffix(3) == ["index.html", "index.json", "index.xml"])
        let xml = try text(name + "/index.xml")
        let json = try JSON(parsing: try text(name + "/index.json").utf8)
        let cues = json["cues"]?.elements ?? []
        let images = Set(cues.flatMap { $0["images"]?.elements ?? [] }.map { $0["file"]?.text })
        let events = xml.split(separator: "<Event ").count - 1
        #expect(events > 0 && !cues.isEmpty && cues.count <= events)
        #expect(xml.contains("NumberofEvents=\"\(events)\""))
        for image in names.dropLast(3) {
            #expect(xml.contains(">\(image)</Graphic>"))
            #expect(images.contains(image))
        }
    }

    /// A page that needs no script, allows none and loads nothing from elsewhere.
    @Test func thePageIsSafe() throws {
        let bytes = try #require(fileBytes(movie))
        let copy = folder.write(bytes, to: "<b onload=x>&'.mkv")
        let result = Command.undertext("extract", "-q", "--tracks", "7", "-o", folder / "out", copy)
        #expect(result.status == 0, "\(result.stderr)")
        let name = try #require(names(in: folder / "out").first)
        let page = try text("out/" + name + "/index.html")
        #expect(page.contains("<title>&lt;b onload=x&gt;&amp;&#39;."))
        #expect(!page.contains("<b onload"))
        #expect(!page.contains("<script"))
        #expect(page.contains("Content-Security-Policy\" content=\"default-src 'none'; img-src"))
        #expect(page.contains("loading=\"lazy\""))
        #expect(!page.contains("http:") && !page.contains("https:"))
    }

    @Test(arguments: [
        ([], "23.976"), (["--fps", "25"], "25"), (["--fps", "59.94"], "59.94"),
    ])
    func frameRates(_ arguments: [String], _ rate: String) throws {
        let name = try images(arguments + ["--format", "bdn"])
        let xml = try text(name + "/index.xml")
        // The sample's video has 5 images per second, which no timecode supports: the rate of feature films is
        // used.
        let stated = try #require(xml.firstRange(of: "FrameRate=\"")).upperBound
        let found = String(xml[stated...].prefix { $0 != "\"" })
        #expect(found == rate)
    }

    @Test func forceReplacesOnlyGeneratedFiles() throws {
        let name = try images()
        folder.write("mine", to: name + "/notes.txt")
        folder.write("old", to: name + "/index.html")
        _ = try images(["--force"])
        #expect(try text(name + "/notes.txt") == "mine")
        #expect(try text(name + "/index.html").contains("<!DOCTYPE html>"))

        // Without a generated index, a page in a folder belongs to another program.
        let other = TemporaryDirectory()
        #expect(mkdirAndWrite(other / name, "index.html", "theirs"))
        let result = Command.undertext(
            "extract", "-q", "--force", "--tracks", "7", "-o", other.path, movie)
        #expect(result.status == 1)
        #expect(fileText(other / (name + "/index.html")) == "theirs")
    }

    private func mkdirAndWrite(_ folder: String, _ name: String, _ text: String) -> Bool {
        _ = run("mkdir", ["-p", folder])
        return writeFile(Array(text.utf8), to: folder + "/" + name)
    }

    @Test func scaledImagesKeepTheirPlace() throws {
        let name = try images()
        let original = try Media(folder / name).subtitleTrack(id: 0).document().cues
        guard case .images(let content) = original.first?.content,
            let canvas = content.canvas
        else {
            Issue.record("no images")
            return
        }
        let size = "\(canvas.width * 2)x\(canvas.height / 2)"
        let result = Command.undertext(
            "convert", "-q", "--scale", size, folder / name, folder / "scaled.png")
        #expect(result.status == 0, "\(result.stderr)")
        let scaled = try Media(folder / "scaled.png").subtitleTrack(id: 0).document().cues
        #expect(scaled.count == original.count)
        for (one, other) in zip(original, scaled) {
            guard case .images(let before) = one.content,
                case .images(let after) = other.content
            else { continue }
            #expect(after.canvas == PixelSize(width: canvas.width * 2, height: canvas.height / 2))
            for (small, large) in zip(before.images, after.images) {
                #expect(large.x == small.x * 2 && large.bitmap.width == small.bitmap.width * 2)
                #expect(abs(large.y * 2 - small.y) <= 1)
                #expect(abs(large.bitmap.height * 2 - small.bitmap.height) <= 2)
                // The visible area covers the same part of the canvas, to a tenth.
                let (seen, now) = (visible(small), visible(large))
                #expect(abs(now - seen) * 10 <= seen + 100)
            }
        }
    }

    /// The opacity of an image, summed up.
    private func visible(_ image: PlacedBitmap) -> Int {
        image.bitmap.indices.reduce(0) { $0 + Int(image.bitmap.palette[Int($1)].alpha) } / 255
    }

    @Test func wholeCanvases() throws {
        let name = try images(["--canvas"])
        let cues = try Media(folder / name).subtitleTrack(id: 0).document().cues
        let plain = try Media(movie).subtitleTrack(id: 7).document().cues
        #expect(cues.count == plain.count)
        for (cue, original) in zip(cues, plain) {
            guard case .images(let content) = cue.content,
                case .images(let before) = original.content, let canvas = before.canvas
            else { continue }
            #expect(content.images.count == 1)
            #expect(content.images[0].x == 0 && content.images[0].y == 0)
            #expect(content.images[0].bitmap.width == canvas.width)
            #expect(content.images[0].bitmap.height == canvas.height)
            let seen = before.images.map(visible).reduce(0, +)
            #expect(visible(content.images[0]) == seen)
        }
    }

    @Test func imagesAreNotChangedInCopies() {
        for option in [["--scale", "100x100"], ["--canvas"]] {
            let result = Command.undertext(
                ["extract", "--format", "native", "-o", folder.path] + option + [movie])
            #expect(result.status == 64)
        }
        for option in [
            ["--scale", "100"], ["--scale", "0x5"], ["--scale", "9000x5"], ["--fps", "30"],
        ] {
            let result = Command.undertext(["extract", "-o", folder.path] + option + [movie])
            #expect(result.status == 64, "\(option)")
        }
        #expect(folder.names.isEmpty)
    }

    /// `--format sup` of a PGS track keeps its packets; forced cues are cut out of decoded ones.
    @Test func copiesWhereNothingIsLost() throws {
        let native = folder / "native"
        let sup = folder / "sup"
        #expect(
            Command.undertext(
                "extract", "-q", "--tracks", "7", "--format", "native", "-o", native, movie
            ).status == 0)
        #expect(
            Command.undertext(
                "extract", "-q", "--tracks", "7", "--format", "sup", "-o", sup, movie
            ).status == 0)
        let name = try #require(names(in: native).first)
        #expect(name.hasSuffix(".sup"))
        #expect(fileBytes(native + "/" + name) == fileBytes(sup + "/" + name))
    }

    @Test(.requires("mkvmerge", "ffmpeg")) func otherProgramsTakeThem() throws {
        let name = try images()
        for output in ["a.sup", "b.idx"] {
            let result = Command.undertext("convert", "-q", folder / name, folder / output)
            #expect(result.status == 0, "\(result.stderr)")
            let merged = run("mkvmerge", ["-q", "-o", folder / "\(output).mkv", folder / output])
            #expect(merged.status == 0, "\(output): \(merged.text)")
            let cues = try Media(folder / "\(output).mkv").subtitleTrack(id: 0).document().cues
            let ours = try Media(folder / output).subtitleTrack(id: 0).document().cues
            #expect(!ours.isEmpty && cues.map(\.content) == ours.map(\.content), "\(output)")
            let decoded = run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "warning", "-i", folder / output, "-map", "0:s", "-c:s",
                    "dvdsub",
                ]
                    + ["-f", "null", "-"])
            #expect(decoded.status == 0 && decoded.stderr.isEmpty, "\(decoded.stderr)")
        }
    }
}
