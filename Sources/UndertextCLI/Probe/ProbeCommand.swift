internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// `undertext probe`.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Describes media files: streams, subtitle tracks, chapters, attachments.",
        discussion: """
            Probing reads headers and decodes only where headers are incomplete, or with --deep.

            EXAMPLES
              undertext probe movie.mkv
              undertext probe --json movie.mkv
              undertext probe --deep --json a.ts b.ts
              undertext probe --subtitles --json /films/*.mkv
              undertext probe https://host/movie.mkv
              undertext probe s3://bucket/movie.mkv
              undertext probe https://host/master.m3u8
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, URLs (scheme://…), or '-' for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String]

    @Flag(
        help: ArgumentHelp(
            "Print JSON with ffprobe's keys and types, and further details under the key undertext: one "
                + "object, or an array for several inputs."))
    var json = false

    @Flag(
        help:
            "Decode packets for details that headers do not state, and search all of the video for captions."
    )
    var deep = false

    @OptionGroup var reading: ReadingOptions

    @Flag(help: "Describe only subtitle tracks, which is faster.")
    var subtitles = false

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws { try reading.check() }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        reading.applyPriority(console)
        var documents: [JSON] = []
        var codes: [Int32] = []
        let output = StandardOutput()
        let loading = subtitles ? nil : FFmpegInfo.preload(toProbe: inputs, deep: deep)
        defer { withExtendedLifetime(loading) {} }
        let width = Terminal.isTerminal(1) ? Terminal.width(1) ?? 80 : 80
        do throws(UndertextError) {
            for (index, argument) in inputs.enumerated() {
                switch describe(argument, console) {
                case .success(let (report, diagnostics)):
                    for diagnostic in diagnostics where !verbosity.quiet {
                        console.say(diagnostic.text(for: .other), about: argument)
                    }
                    codes.append(ExitStatus.success)
                    documents.append(report.json)
                    if !json {
                        try output.write(
                            (index > 0 ? "\n" : "")
                                + ProbeText(report, width: width, color: Terminal.wantsColor(1))
                                .text)
                    }
                case .failure(let error):
                    codes.append(ExitStatus.nothing)
                    console.fail(error)
                    documents.append(ProbeReport.json(failure: error, input: argument))
                }
                if console.cancellation.isCancelled { break }
            }
            if json {
                let document = inputs.count == 1 ? documents.first : .array(documents)
                try output.write((document ?? .null).pretty + [0x0A])
            }
            try output.flush()
        } catch {
            console.endIfReaderLeft(error)
            console.fail(error)
            return ExitStatus.nothing
        }
        if !verbosity.quiet, let line = ExitStatus.summary(of: codes) { console.say(line) }
        return ExitStatus.combined(codes)
    }

    private func describe(
        _ argument: String, _ console: Console
    ) -> Result<(ProbeReport, [Diagnostic]), UndertextError> {
        var options = Media.Options()
        options.cancellation = console.cancellation
        // `validate()` has checked this.
        options.ioBlock = try? reading.block()
        options.maxReadRate = try? reading.rate()
        return Result { () throws(UndertextError) in
            let file = try Media(argument, options: options)
            return (try file.probe(deep: deep, subtitlesOnly: subtitles), file.diagnostics)
        }
    }
}
