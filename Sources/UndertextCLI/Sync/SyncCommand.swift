internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// `undertext sync`.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Aligns the times of a subtitle file with a media file or another subtitle file.",
        discussion: """
            The reference is a media file, whose subtitle track provides the times, or a subtitle file, also in another \
            language. Only the times at which cues begin and end are compared, not text, so tracks of images can be used, \
            too. Without --track, the track with the whole dialogue in the language of the subtitle file is used.

            --speech compares with the speech of the audio instead: all of the file is read. So does a reference that has \
            audio, but no subtitle track with enough cues.

            The search finds an offset, a change of frame rate, and breaks where the offset changes: advertisements, \
            cuts, several discs. Nothing is written if the confidence is below --min-confidence.

            Everything but the times stays as it is if the output has the format of the subtitle file: SubRip, WebVTT \
            with its timestamps within cues, scripts with karaoke and movements, .sup, .idx with .sub. The extension of the \
            output or --format selects another format.

            EXAMPLES
              undertext sync film.srt --to film.mkv -o film.en.srt
              undertext sync film.pt.srt --to film.en.srt -o fixed.srt
              undertext sync film.ass --to film.m2ts --track 5 -o film.fixed.ass
              undertext sync film.sup --to film.srt -o fixed.sup
              undertext sync film.srt --to film.mp4 --speech -o fixed.srt
              undertext sync --dry-run film.srt --to film.mkv
              undertext sync --no-breaks --max-offset 30 film.srt --to film.mkv -o fixed.srt

            EXIT CODES
              0  written (with --dry-run: found)   1  refused, or failed; nothing was written
              2  no subtitle track                 3  input was lost, the rest is written
            """)

    @Argument(
        help: ArgumentHelp("A subtitle file, or a URL.", valueName: "subtitle"),
        completion: .file())
    var subtitle: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The reference: a media file or a subtitle file, or a URL.", valueName: "reference"),
        completion: .file())
    var reference: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A file, or '-' for standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The format of the output: \(SubtitleFormat.outputs.names).", valueName: "f"),
        completion: .outputFormat)
    var format: String?

    @Option(
        help: ArgumentHelp(
            "The format of the subtitle file, which is checked: \(SubtitleFormat.inputs.names).",
            valueName: "f"), completion: .inputFormat)
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The track of the reference, as probe prints it, or another selection, e.g. 3 or en+text.",
            valueName: "sel"), completion: .selection)
    var track: String?

    @Flag(help: "Compare with the speech of the reference's audio; --track selects an audio track.")
    var speech = false

    @Option(
        help: ArgumentHelp(
            "The track of the subtitle file, if it has several.", valueName: "sel"),
        completion: .selection)
    var subtitleTrack: String?

    @Option(
        help: ArgumentHelp(
            "The language of the subtitle file (BCP 47), if its name does not state it.",
            valueName: "tag"), completion: .language)
    var language: String?

    @Option(
        help: ArgumentHelp(
            "The frame rate of a subtitle file whose times count frames.", valueName: "rate"))
    var fps: String?

    @OptionGroup var search: AlignmentArguments

    @Flag(help: "Report what was found, and write nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Write a JSON report of what was found and written; '-' is standard output.",
            valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Replace an existing output.")
    var force = false

    @Flag(help: "Keep an existing output.")
    var skipExisting = false

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        guard output != nil || dryRun else {
            throw ValidationError("specify an output with -o, or --dry-run to write nothing")
        }
        guard !(output != nil && dryRun) else {
            throw ValidationError("-o and --dry-run cannot be combined")
        }
        guard subtitle != "-" else {
            throw ValidationError(
                "the subtitle file is read twice, which standard input does not allow; use a file")
        }
        guard !(force && skipExisting) else {
            throw ValidationError("--force and --skip-existing cannot be combined")
        }
        guard !(output == "-" && report == "-") else {
            throw ValidationError(
                "-o - and --report - cannot share standard output; write one of them to a file")
        }
        _ = try (options(), search.options(), selection(track, "--track"))
    }

    /// The options with which the subtitle file is read and written.
    func options() throws -> ExtractionOptions {
        var options = ExtractionOptions()
        options.tracks = try selection(subtitleTrack, "--subtitle-track") ?? .all
        options.reading.language = try ExtractionArguments.language(language)
        options.reading.inputFormat = try from.map { name in
            do throws(UndertextError) {
                return try SubtitleFormat.input(named: name)
            } catch {
                throw ValidationError("--from: \(error)")
            }
        }
        options.reading.frameRate = try ImageArguments.frameRate(fps)
        options.reading.charset = try charset.name()
        options.copiesText = true
        options.allowsOtherExtensions = true
        options.existing = force ? .replace : skipExisting ? .skip : .refuse
        options.report = report == "-" ? nil : report
        if let output {
            let format = try outputFormat(output)
            options.format = format.map { FormatRequest(text: $0, bitmap: $0) } ?? .standard
            options.destination = output == "-" ? .standardOutput : .file(output)
        }
        return options
    }

    /// A selection of tracks; `nil` if none is given.
    func selection(_ text: String?, _ option: String) throws -> TrackSelection? {
        try text.map {
            do throws(UndertextError) {
                return try TrackSelection(parsing: $0)
            } catch {
                throw ValidationError("\(option): \(error)")
            }
        }
    }

    private func outputFormat(_ output: String) throws -> SubtitleFormat? {
        if let format {
            do throws(UndertextError) {
                return try SubtitleFormat.output(named: format)
            } catch {
                throw ValidationError("--format: \(error)")
            }
        }
        guard let known = SubtitleFormat(path: output) else {
            throw ValidationError(
                "'\(escapedForTerminal(output))' has no extension of a format that is written; use --format"
            )
        }
        return known
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        // The values were checked with the arguments.
        guard let options = try? options(), let search = try? search.options() else {
            return ExitStatus.usage
        }
        return SyncRun(
            command: self, options: options, search: search,
            referenceTrack: (try? selection(track, "--track")) ?? nil, console: console
        ).perform()
    }
}
