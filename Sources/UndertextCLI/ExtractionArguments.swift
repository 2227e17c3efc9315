internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// Arguments for track selection, reports and existing files, shared by `extract` and `convert`.
struct ExtractionArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The subtitle tracks to select, e.g. en+text,fr+forced.", valueName: "sel"),
        completion: .selection)
    var tracks = "all"

    @Option(
        help: ArgumentHelp(
            "The language of subtitles without one (BCP 47); overrides the one in the file name "
                + "(movie.pt-BR.srt).",
            valueName: "tag"), completion: .language)
    var language: String?

    @Flag(help: "Only forced cues; generated names contain .forced.")
    var forcedOnly = false

    @Option(
        help: ArgumentHelp(
            "The times of cues: player (from the start of playback) or source (as stored).",
            valueName: "view"), completion: .list(["player", "source"]))
    var timeline = "player"

    @Option(
        help: ArgumentHelp(
            "The cues of roll-up captions: screens (what is shown at a time) or lines (each line once).",
            valueName: "cues"), completion: .list(["screens", "lines"]))
    var rollUp = "screens"

    @Flag(help: "Write SCC with non-drop-frame time codes.")
    var nonDrop = false

    @Option(
        help: ArgumentHelp(
            "Write a JSON report of what was read, written and lost; '-' is standard output.",
            valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Replace existing outputs.")
    var force = false

    @Flag(help: "Keep existing outputs.")
    var skipExisting = false

    @Flag(
        help: ArgumentHelp(
            "Treat warnings and losses as lost input (exit code 3), and write nothing if any input cannot "
                + "be written."))
    var strict = false

    /// Validates options that exclude each other.
    ///
    /// - Parameters:
    ///   - output: The output given on the command line.
    ///   - name: The name of the output argument.
    /// - Throws: `ValidationError` if two options exclude each other.
    func check(output: String?, named name: String) throws {
        guard !(force && skipExisting) else {
            throw ValidationError("--force and --skip-existing cannot be combined")
        }
        guard !(output == "-" && report == "-") else {
            throw ValidationError(
                "\(name) and --report - cannot share standard output; write one of them to a file")
        }
    }

    /// Applies these arguments to extraction options.
    func apply(to options: inout ExtractionOptions) throws {
        do {
            options.tracks = try TrackSelection(parsing: tracks)
        } catch {
            throw ValidationError("--tracks: \(error)")
        }
        options.reading.language = try Self.language(language)
        guard let view = TimelineView(rawValue: timeline) else {
            throw ValidationError("--timeline: '\(timeline)' is not one of player, source")
        }
        options.reading.timeline = view
        guard ["screens", "lines"].contains(rollUp) else {
            throw ValidationError(
                "--roll-up: '\(escapedForTerminal(rollUp))' is not one of screens, lines")
        }
        options.reading.rollUpLines = rollUp == "lines"
        options.dropsFrames = !nonDrop
        options.forcedOnly = forcedOnly
        options.report = report == "-" ? nil : report
        options.isStrict = strict
        options.existing = force ? .replace : skipExisting ? .skip : .refuse
    }

    /// The language of an argument `--language`.
    static func language(_ language: String?) throws -> LanguageTag? {
        try language.map { text in
            guard LanguageTag.isWellFormed(text), let tag = LanguageTag(text) else {
                throw ValidationError(
                    "--language: '\(escapedForTerminal(String(text.prefix(40))))' is not a language; use "
                        + "a BCP 47 tag such as en or pt-BR")
            }
            return tag
        }
    }
}

extension [SubtitleFormat] {
    /// The format names separated by spaces, as help texts list them.
    var names: String { map(\.name).joined(separator: " ") }
}
