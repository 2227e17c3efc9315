internal import ArgumentParser
internal import SystemIO
internal import Undertext

/// `undertext convert`.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a subtitle file to another format.",
        discussion: """
            Formats are told by the input's content and the output's name; --from checks the \
            first, --to names the second. Pictures: .sup, .idx with its .sub, and folders of PNG \
            pictures with BDN XML (the folder, or the index.xml in it). Text: .vtt, .srt and .json \
            are written from any text that can be read, and with --ocr from pictures; .ass and .ssa \
            are written from themselves.

            What the new format cannot carry is told, and is no error.

            EXAMPLES
              undertext convert film.sup film.idx
              undertext convert film.idx pictures.png
              undertext convert pictures.png/index.xml film.sup
              undertext convert --scale 720x576 film.sup film.idx
              undertext convert film.ass film.vtt
              undertext convert --ocr en film.sup film.srt
              undertext convert --to json film.srt -
            """)

    @Argument(
        help: ArgumentHelp(
            "A file, a folder of pictures, an URL, or '-' for standard input.", valueName: "input"))
    var input: String

    @Argument(
        help: ArgumentHelp(
            "A file, a folder for pictures, or '-' for standard output.", valueName: "output"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "The input's format, checked: vtt srt ass ssa ttml sami sup vobsub bdn png.",
            valueName: "f"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The output's format: vtt srt ass ssa json sup vobsub bdn png.", valueName: "f"))
    var to: String?

    @Option(help: ArgumentHelp("Which track, where there are several.", valueName: "sel"))
    var tracks = "all"

    @Flag(help: "Only cues that are forced.")
    var forcedOnly = false

    @OptionGroup var pictures: PictureArguments

    @OptionGroup var recognition: RecognitionArguments

    @Option(
        help: ArgumentHelp(
            "Times on a player's clock, or as stored: player or source.", valueName: "view"))
    var timeline = "player"

    @Option(help: ArgumentHelp("Write a JSON report; '-' is standard output.", valueName: "file"))
    var report: String?

    @Flag(help: "Replace an output that exists.")
    var force = false

    @Flag(help: "Do nothing if the output exists.")
    var skipExisting = false

    @Flag(help: "Warnings and losses count as lost input: exit code 3.")
    var strict = false

    @OptionGroup var verbosity: Verbosity

    /// Checks what ArgumentParser cannot.
    func validate() throws {
        guard !(force && skipExisting) else {
            throw ValidationError("--force and --skip-existing exclude each other; use one")
        }
        guard !(output == "-" && report == "-") else {
            throw ValidationError(
                "an output '-' and --report - cannot share standard output; write one to a file")
        }
        _ = try options()
    }

    /// The engine's options.
    func options() throws -> ExtractionOptions {
        var options = ExtractionOptions()
        do {
            options.tracks = try TrackSelection(parsing: tracks)
        } catch {
            throw ValidationError("--tracks: \(error)")
        }
        let format = try outputFormat()
        options.format = FormatRequest(text: format, bitmap: format)
        options.recognition = try recognition.options(for: format)
        options.inputFormat = try from.map { name in
            guard let format = InputFormat(rawValue: name) else {
                let known = InputFormat.allCases.map(\.rawValue).joined(separator: " ")
                throw ValidationError("--from: '\(name)' is not one of \(known)")
            }
            return format
        }
        guard let view = TimelineView(rawValue: timeline) else {
            throw ValidationError("--timeline: '\(timeline)' is not one of player, source")
        }
        options.timeline = view
        options.pictures = try pictures.options()
        options.decoding = try pictures.decoding()
        options.forcedOnly = forcedOnly
        options.report = report == "-" ? nil : report
        options.isStrict = strict
        options.existing = force ? .replace : skipExisting ? .skip : .refuse
        options.destination = output == "-" ? .standardOutput : .file(output)
        return options
    }

    private func outputFormat() throws -> OutputFormat {
        if let to {
            guard let format = OutputFormat(rawValue: to) else {
                let known = OutputFormat.allCases.map(\.rawValue).joined(separator: " ")
                throw ValidationError("--to: '\(to)' is not one of \(known)")
            }
            return format
        }
        guard let format = OutputFormat(path: output) else {
            throw ValidationError(
                "'\(output)' does not tell a format: name one with --to, or end it with .vtt, "
                    + ".srt, .ass, .ssa, .json, .sup, .idx, .png or .xml")
        }
        return format
    }

    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        guard let options = try? options() else { return ExitStatus.usage }
        return ExtractionRun(
            inputs: [input], options: options, report: report, verbosity: verbosity
        ).perform(console)
    }
}
