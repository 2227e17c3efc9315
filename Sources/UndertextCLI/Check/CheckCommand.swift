internal import ArgumentParser
internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// `undertext check`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks subtitles against delivery rules.",
        discussion: """
            Checks reading speed, line length and count, durations, gaps, overlaps, order, empty cues, tags, characters, \
            positions and colors of the selected tracks of media files and subtitle files. A profile states the rules and \
            their limits, by language or script, each with its source; --list-profiles prints them all. A JSON file is a \
            profile of your own, which may extend a built-in one. Bitmap tracks are checked by times, position and colors.

            Findings are written to standard output, one line each. --format json and --format sarif write a document; \
            --report writes one to a file in addition. Frames of a profile are those of the video, of --fps, or of the \
            profile.

            --shot-changes checks the distance of starts and ends from shot changes, for which the video of the input or of \
            --video is decoded; --fast decodes key frames only and is approximate.

            --fix repairs what has one right repair and writes it to another file: it sorts cues, removes empty ones, ends \
            a cue that overlaps the next one before it, extends short cues into free time, and closes or removes tags that \
            are not balanced. Starts and words never change. What remains is reported.

            EXAMPLES
              undertext check --profile netflix film.en.srt
              undertext check --profile bbc --tracks en+text film.mkv
              undertext check --profile house.json --format sarif subs/*.vtt
              undertext check --profile netflix --shot-changes --video film.mp4 film.en.srt
              undertext check --profile netflix --report findings.json film.srt
              undertext check --profile netflix --fix film.srt -o fixed.srt
              undertext check --list-profiles

            EXIT CODES
              0  no findings                    1  no input could be checked
              2  no subtitle track              3  input was lost, the rest is checked
              4  findings                       64 usage
            Several inputs: 4 if all could be checked and one has findings.
            """)

    @Argument(
        help: ArgumentHelp("Files, URLs, or '-' for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            "The rules: \(CheckProfile.builtInNames.joined(separator: ", ")), or a JSON file.",
            valueName: "name"), completion: .list(CheckProfile.builtInNames))
    var profile = "basic"

    @Flag(help: "Print the profiles with their rules, limits and sources.")
    var listProfiles = false

    @Option(
        help: ArgumentHelp(
            "The form of findings on standard output: text, json or sarif.", valueName: "f"),
        completion: .list(CheckReportFormat.allCases.map(\.rawValue)))
    var format = "text"

    @Option(
        help: ArgumentHelp(
            "Write the findings to a file in addition: SARIF if its name ends in .sarif, otherwise JSON.",
            valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Repair what has one right repair, and write it to the file of -o.")
    var fix = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file that --fix writes, or '-' for standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Replace an existing output and report; an input is never replaced.")
    var force = false

    @Option(
        help: ArgumentHelp("The subtitle tracks to check, e.g. en+text.", valueName: "sel"),
        completion: .selection)
    var tracks = "all"

    @Option(
        help: ArgumentHelp(
            "The language of subtitles without one (BCP 47); overrides the one in the file name.",
            valueName: "tag"), completion: .language)
    var language: String?

    @Option(
        help: ArgumentHelp(
            "The format of the input, which is checked: \(SubtitleFormat.inputs.names).",
            valueName: "f"), completion: .inputFormat)
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The frame rate of the video, for limits in frames and for files whose times count frames.",
            valueName: "rate"), completion: .frameRate)
    var fps: String?

    @Flag(help: "Check the distance from shot changes: all of the video is decoded.")
    var shotChanges = false

    @Option(
        help: ArgumentHelp(
            "The video whose shot changes count; without it, that of the input.",
            valueName: "file"), completion: .file())
    var video: String?

    @Flag(help: "Search shot changes among key frames only: faster, and approximate.")
    var fast = false

    @Option(
        help: ArgumentHelp(
            "The times of cues: player (from the start of playback) or source (as stored).",
            valueName: "view"), completion: .list(["player", "source"]))
    var timeline = "player"

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        if listProfiles { return }
        guard !inputs.isEmpty else { throw ValidationError("specify at least one input") }
        guard CheckReportFormat(rawValue: format) != nil else {
            throw ValidationError(
                "--format: '\(escapedForTerminal(format))' is not one of text, json, sarif")
        }
        guard report != "-" else {
            throw ValidationError("--report takes a file; --format json writes to standard output")
        }
        guard fix == (output != nil) else {
            throw ValidationError(
                fix
                    ? "--fix requires an output with -o"
                    : "-o is the output of --fix; --report writes findings to a file")
        }
        if fix, inputs.count > 1 { throw ValidationError("--fix takes one input") }
        if output == "-", format != "text" {
            throw ValidationError("-o - and --format \(format) cannot share standard output")
        }
        guard shotChanges || (video == nil && !fast) else {
            throw ValidationError("--video and --fast are for --shot-changes")
        }
        _ = try (options(), outputFormat())
        try reading.check()
        let loaded = try loadedProfile()
        guard !shotChanges || loaded.usesShotChanges else {
            throw ValidationError(
                "the profile '\(escapedForTerminal(loaded.name))' has no rule about shot changes; "
                    + "use --profile netflix, or one of your own with shot-change-start or shot-change-end"
            )
        }
    }

    /// The options with which the inputs are read.
    func options() throws -> Media.Options {
        var options = Media.Options()
        options.language = try ExtractionArguments.language(language)
        options.inputFormat = try from.map { name in
            do throws(UndertextError) {
                return try SubtitleFormat.input(named: name)
            } catch {
                throw ValidationError("--from: \(error)")
            }
        }
        options.frameRate = try ImageArguments.frameRate(fps)
        options.charset = try charset.name()
        guard let view = TimelineView(rawValue: timeline) else {
            throw ValidationError("--timeline: '\(timeline)' is not one of player, source")
        }
        options.timeline = view
        options.ioBlock = try reading.block()
        options.maxReadRate = try reading.rate()
        let selection = try selection()
        options.opensStream = { selection.mayTake($0) }
        options.tracks = selection
        return options
    }

    /// The selected tracks.
    func selection() throws -> TrackSelection {
        do throws(UndertextError) {
            return try TrackSelection(parsing: tracks)
        } catch {
            throw ValidationError("--tracks: \(error)")
        }
    }

    /// The format that the name of the output states; `nil` for that of the input.
    func outputFormat() throws -> SubtitleFormat? {
        guard let output, output != "-" else { return nil }
        guard !SubtitleFormat.isNameWithoutWriter(output) else {
            throw ValidationError("'\(escapedForTerminal(output))': this format cannot be written")
        }
        guard let format = SubtitleFormat(path: output) else { return nil }
        guard format.takes.contains(.text), !format.isRecords else {
            throw ValidationError(
                "'\(escapedForTerminal(output))': --fix writes text formats only")
        }
        return format
    }

    /// The profile, from its name or its file.
    func loadedProfile() throws -> CheckProfile {
        let isFile =
            profile.contains("/") || profile.hasSuffix(".json")
            || CheckProfile.builtInText(profile) == nil && FileSystem.exists(profile)
        do throws(UndertextError) {
            guard isFile else { return try CheckProfile.builtIn(profile) }
            let bytes = try FileSystem.contents(of: profile, limit: CheckProfile.sizeAtMost)
            do throws(UndertextError) {
                return try CheckProfile(parsing: bytes)
            } catch {
                var located = error
                located.path = profile
                throw located
            }
        } catch {
            throw ValidationError("--profile: \(error)")
        }
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        if listProfiles { return ProfileList.write(console) }
        // The values were checked with the arguments.
        guard let options = try? options(), let selection = try? selection(),
            let profile = try? loadedProfile(), let format = CheckReportFormat(rawValue: format)
        else { return ExitStatus.usage }
        reading.applyPriority(console)
        return CheckRun(
            command: self, profile: profile, options: options, selection: selection,
            format: format, console: console
        ).perform()
    }
}
