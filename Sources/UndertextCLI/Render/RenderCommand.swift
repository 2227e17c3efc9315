internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextRendering

/// `undertext render`.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draws the subtitles at a time as a transparent PNG, or over the video.",
        discussion: """
            libass draws scripts with the fonts of the input. Other text is drawn at its stated position, and images \
            are scaled. The output has the display size of the video, otherwise the size of the subtitles' canvas, \
            otherwise 1920x1080.

            --style overrides single properties; all others keep the style of the content. KEYs: foreground \
            background window edge edge-color font scale bold italic opacity position align margin-left margin-right margin-vertical content-first. Colors are CSS colors or none; \
            edge is none, raised, depressed, uniform or drop-shadow; position is top, middle, bottom or percent from \
            the top. Lines of KEY=VALUE in $XDG_CONFIG_HOME/undertext/style.conf (~/.config/undertext/style.conf) \
            apply where --style does not; KEY=content restores the style of the content.

            EXAMPLES
              undertext render --first film.srt -o preview.png
              undertext render --at 1:02:03.5 film.mkv -o shot.png
              undertext render --at 62 --track 3 --second 4 film.mkv -o both.png
              undertext render --first --style scale=150% film.srt -o big.png
              undertext render --at 62 --size 1280x720 film.sup -o - | display
              undertext render --at 62 --over-video film.mkv -o shot.png
              undertext render --first --video film.mp4 film.en.srt -o shot.png
            """)

    @Argument(
        help: ArgumentHelp(
            "A file, a URL, or '-' for standard input.", valueName: "input"), completion: .file())
    var input: String

    @Option(
        help: ArgumentHelp(
            "The time on the player's clock: seconds, or [H:]MM:SS.mmm.", valueName: "time"))
    var at: String?

    @Flag(help: "Draw the first visible cue.")
    var first = false

    @Option(
        help: ArgumentHelp(
            "The stream index of the track to draw, as listed by probe. (default: the first subtitle "
                + "track)",
            valueName: "n"))
    var track: Int?

    @Option(
        help: ArgumentHelp("The stream index of a second track, drawn at the top.", valueName: "n"))
    var second: Int?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Override a style property; may be repeated.", valueName: "key=value"),
        completion: .styleProperty)
    var style: [String] = []

    @Option(
        help: ArgumentHelp("The size of the output, e.g. 1280x720.", valueName: "wxh"),
        completion: .size)
    var size: String?

    @Flag(help: "Draw over the frame of the input's video.")
    var overVideo = false

    @Option(
        help: ArgumentHelp("Draw over the frame of this file's video.", valueName: "file"),
        completion: .file())
    var video: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The PNG file, or '-' for standard output.", valueName: "png"),
        completion: .file())
    var output: String

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        guard (at != nil) != first else {
            throw ValidationError("specify --at TIME or --first")
        }
        let ending = PathName.fileExtension(output).lowercased()
        guard output == "-" || ["", "png"].contains(ending) else {
            throw ValidationError(
                "-o: '\(escapedForTerminal(output))' is not a PNG file name; use the extension .png"
            )
        }
        guard !output.hasSuffix("/") else {
            throw ValidationError(
                "-o: '\(escapedForTerminal(output))' is a folder; specify a file")
        }
        if overVideo, video != nil {
            throw ValidationError("--over-video and --video cannot be combined")
        }
        _ = try job()
    }

    /// The render job that the arguments describe.
    func job() throws -> RenderJob {
        var job = RenderJob(input: input, track: track, second: second)
        if let at {
            guard let time = Timestamp(clock: at) else {
                throw ValidationError(
                    "--at: '\(escapedForTerminal(at))' is not a time, such as 62, 1:02.5 or 1:02:03"
                )
            }
            job.time = time
        }
        for setting in style {
            do throws(UndertextError) {
                try job.style.set(setting)
            } catch {
                throw ValidationError("--style: \(escapedForTerminal(error.description))")
            }
        }
        if let size {
            let sides = size.split(separator: "x", omittingEmptySubsequences: false).map {
                // `Int` would accept a sign.
                $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil
            }
            guard sides.count == 2, let width = sides[0], let height = sides[1],
                (1...8192).contains(width), (1...8192).contains(height)
            else {
                throw ValidationError(
                    "--size: '\(escapedForTerminal(size))' is not a size; use 1280x720, at most 8192x8192"
                )
            }
            job.size = PixelSize(width: width, height: height)
        }
        job.charset = try charset.name()
        job.video = overVideo ? input : video
        return job
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard var job = try? job() else { return ExitStatus.usage }
        guard OverlayRenderer.isAvailable else {
            console.fail("this build cannot render; build with the package trait Rendering")
            return ExitStatus.usage
        }
        if output != "-", !force, FileSystem.exists(output) {
            console.fail("\(output) already exists; use --force to replace it")
            return ExitStatus.nothing
        }
        let isQuiet = verbosity.quiet
        // Options on the command line override the viewer's settings.
        var settings = viewerSettings { if !isQuiet { console.say($0) } }
        for setting in style { try? settings.set(setting) }
        job.style = settings
        var hasFonts = true
        do throws(UndertextError) {
            let image = try job.draw(cancellation: console.cancellation) { diagnostic in
                if diagnostic.code == "no-fonts" { hasFonts = false }
                if !isQuiet {
                    console.say(diagnostic.text(for: .other))
                }
            }
            guard let image else {
                console.fail("\(input): the input has no subtitle track")
                return ExitStatus.noTrack
            }
            if image.isEmpty, hasFonts, !isQuiet {
                let isTiny = job.size.map { min($0.width, $0.height) < 32 } ?? false
                let reason = isTiny ? ", or it is too small to be visible" : ""
                console.say("warning: nothing is visible at that time\(reason)")
            }
            try write(image.png, console)
            if output != "-", !isQuiet {
                console.say(
                    "\(output): \(image.size.width)x\(image.size.height), "
                        + "\(decimalSeconds(image.time)) s")
            }
            return hasFonts ? ExitStatus.success : ExitStatus.partial
        } catch {
            if error.code == .notFound, error.streamIndex != nil {
                console.fail("\(input): \(error.message)")
                return ExitStatus.noTrack
            }
            console.fail(error)
            return error.code == .outputIsInput ? ExitStatus.usage : ExitStatus.nothing
        }
    }

    /// The viewer's stored settings, which command-line options override.
    private func viewerSettings(_ warn: (String) -> Void) -> SubtitleStyle {
        do throws(UndertextError) {
            return try SubtitleStyle.viewerSettings { warn("warning: \($0.message)") }
        } catch {
            warn("warning: \(error.description)")
            return SubtitleStyle()
        }
    }

    private func write(_ bytes: [UInt8], _ console: Console) throws(UndertextError) {
        do throws(UndertextError) {
            if output == "-" {
                let standard = StandardOutput()
                try standard.write(bytes)
                try standard.flush()
            } else {
                let file = try OutputFile(path: output)
                try file.write(bytes)
                try file.commit(replacing: force)
            }
        } catch {
            console.endIfReaderLeft(error)
            throw error
        }
    }
}
