import TestSupport
import Testing

/// `undertext render` as people run it.
@Suite struct RenderTests {
    let folder = TemporaryDirectory()

    private let subRip = """
        1
        00:00:01,000 --> 00:00:02,000
        Words

        """

    private func render(
        _ arguments: String..., environment: [String: String?] = [:]
    ) -> ToolResult {
        // The settings of the user who runs the tests must not apply.
        let clean: [String: String?] = ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
        return run(
            Command.path, ["render"] + arguments,
            environment: clean.merging(environment) { $1 })
    }

    /// Width and height of a PNG.
    private func size(_ file: [UInt8]?) -> [Int] {
        guard let file, file.count > 24, Array(file[1...3]) == Array("PNG".utf8) else { return [] }
        return [16, 20].map { start in
            file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    @Test func momentsAndSizes() throws {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        let shown = render("--at", "1.5", file, "-o", folder / "shown.png")
        #expect(shown.status == 0 && shown.notes.isEmpty)
        #expect(size(fileBytes(folder / "shown.png")) == [1920, 1080])
        let first = render("--first", "--size", "640x360", file, "-o", "-")
        #expect(first.status == 0)
        #expect(size(first.stdout) == [640, 360])
        let empty = render("--at", "5", "--size", "640x360", file, "-o", "-")
        #expect(empty.status == 0 && empty.notes.count == 1)
        #expect(empty.stdout.count < first.stdout.count)
        let tiny = render("--first", "--size", "1x1", file, "-o", "-")
        #expect(tiny.status == 0 && tiny.notes.count == 1 && tiny.stderr != empty.stderr)
    }

    /// Text that is lost because nothing can draw it is not a success.
    @Test(arguments: [["--at", "1.5"], ["--first"]]) func withoutFonts(moment: [String]) {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        let settings = folder.write(Array("<fontconfig/>".utf8), to: "fonts.conf")
        let result = run(
            Command.path, ["render"] + moment + [file, "-o", folder / "none.png"],
            environment: [
                "FONTCONFIG_FILE": settings, "XDG_CONFIG_HOME": folder.path, "HOME": folder.path,
            ])
        #expect(result.status == 3)
        #expect(result.notes.count { $0.contains("apt-get install fontconfig-config") } == 1)
        #expect(!result.stderr.contains("nothing is visible"))
    }

    /// Pixels of the video that are not square: the image has the shape that players show.
    @Test(.requires("ffmpeg"), arguments: ["film.mkv", "film.mp4"]) func shapesOfPixels(
        _ name: String
    ) throws {
        let text = folder.write(Array(subRip.utf8), to: "a.srt")
        let codec = name.hasSuffix("mp4") ? "mov_text" : "copy"
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=s=720x576:r=5:d=3,setsar=64/45", "-i",
                text, "-c:v", "mpeg4", "-c:s", codec, folder / name,
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let shown = render("--first", folder / name, "-o", "-")
        #expect(size(shown.stdout) == [1024, 576])
        // Letters are as wide as over a video of square pixels; mov_text states its own size.
        guard codec == "copy" else { return }
        #expect(shown.stdout == render("--first", "--size", "1024x576", text, "-o", "-").stdout)
    }

    @Test func stylesAndSettings() throws {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        func image(_ arguments: [String]) -> [UInt8] {
            run(
                Command.path,
                ["render", "--first", "--size", "640x360", file, "-o", "-"] + arguments,
                environment: ["XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
            ).stdout
        }
        let usual = image([])
        let yellow = image(["--style", "foreground=yellow"])
        #expect(usual != yellow)
        #expect(makeFolder(folder / "undertext"))
        folder.write(Array("foreground=yellow\nnonsense\n".utf8), to: "undertext/style.conf")
        #expect(image([]) == yellow)
        #expect(image(["--style", "foreground=white"]) == usual)
        #expect(image(["--style", "foreground=content"]) == usual)
        #expect(
            render("--first", file, "-o", "-").states("style.conf"))
        let note = render("--first", file, "-o", "-").stderr
        #expect(note.statedPosition == "2", "\(note)")
    }

    @Test func existingFilesStay() throws {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        let there = folder.write([1], to: "there.png")
        #expect(render("--first", file, "-o", there).status == 1)
        #expect(fileBytes(there) == [1])
        #expect(render("--first", "--force", file, "-o", there).status == 0)
        #expect(size(fileBytes(there)) == [1920, 1080])
    }

    @Test(arguments: [
        ["a.srt", "-o", "x.png"], ["--at", "x", "a.srt", "-o", "x.png"],
        ["--at", "1", "--first", "a.srt", "-o", "x.png"], ["--first", "a.srt"],
        ["--first", "--style", "colour=red", "a.srt", "-o", "x.png"],
        ["--first", "--size", "0x9", "a.srt", "-o", "x.png"],
        ["--first", "--size", "+5x+5", "a.srt", "-o", "x.png"],
    ])
    func usage(_ arguments: [String]) {
        let result = run(Command.path, ["render"] + arguments)
        #expect(result.status == 64)
        #expect(!result.stderr.isEmpty)
    }

    /// R, G, B of an image, as ffmpeg reads it.
    private func pixels(_ arguments: [String]) -> [UInt8] {
        run(
            "ffmpeg",
            ["-v", "error"] + arguments + [
                "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ]
        ).stdout
    }

    @Test(.requires("ffmpeg")) func overTheVideo() throws {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        let film = folder / "film.mkv"
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=10:d=3", "-i", file,
                "-c:v", "mpeg4", "-q:v", "2", "-g", "10", "-c:s", "srt", film,
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let shot = render("--at", "1.55", "--over-video", film, "-o", folder / "shot.png")
        #expect(shot.status == 0 && shot.notes.isEmpty, "\(shot.stderr)")
        let found = pixels(["-i", folder / "shot.png"])
        let below = pixels([
            "-ss", "1.5", "-i", film, "-sws_flags", "bicubic+accurate_rnd+full_chroma_int",
        ])
        #expect(found.count == 640 * 360 * 3 && below.count == found.count)
        guard found.count == below.count else { return }
        let differing = found.indices.filter { abs(Int(found[$0]) - Int(below[$0])) > 24 }
        // Only at the position of the text: in the lowest part of the image, around its middle.
        let places = differing.map { ($0 / 3 % 640, $0 / 3 / 640) }
        #expect(places.count > 600)
        #expect(places.allSatisfy { $0.1 > 270 && (160..<480).contains($0.0) })
        // White text on any background.
        #expect(
            places.contains {
                found[($0.1 * 640 + $0.0) * 3..<($0.1 * 640 + $0.0) * 3 + 3].allSatisfy { $0 > 240 }
            })

        // The file beside the video, in another aspect ratio: bars above and below.
        let other = render(
            "--first", "--video", film, "--size", "320x320", file, "-o", folder / "other.png")
        #expect(other.status == 0 && other.notes.isEmpty, "\(other.stderr)")
        let square = pixels(["-i", folder / "other.png"])
        #expect(square.count == 320 * 320 * 3)
        guard square.count == 320 * 320 * 3 else { return }
        let bar = square[..<(320 * 70 * 3)]
        #expect(bar.allSatisfy { $0 == 0 })
        #expect(square[(320 * 72 * 3)..<(320 * 240 * 3)].contains { $0 > 200 })
    }

    @Test func videosThatAreNotThere() {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        let none = render("--first", "--over-video", file, "-o", "-")
        #expect(none.status == 1 && none.states(file))
        #expect(none.stdout.isEmpty)
        let missing = render("--first", "--video", folder / "none.mkv", file, "-o", "-")
        #expect(missing.status == 1 && missing.states("none.mkv"))
        let both = render("--first", "--over-video", "--video", file, file, "-o", "-")
        #expect(both.status == 64)
    }

    @Test func tracksThatAreNotThere() {
        let file = folder.write(Array(subRip.utf8), to: "a.srt")
        for option in ["--track", "--second"] {
            let result = render("--first", option, "7", file, "-o", "-")
            #expect(result.status == 2)
            #expect(result.states("a.srt", option, "7"))
        }
        #expect(render("--first", folder / "none.srt", "-o", "-").status == 1)
    }
}
