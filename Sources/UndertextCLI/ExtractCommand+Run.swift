internal import Undertext
internal import UndertextCore

extension ExtractCommand {
    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard let options = try? options() else { return ExitStatus.usage }
        reading.applyPriority(console)
        if mkvextract { return extractTracks(options, console) }
        return ExtractionRun(
            inputs: inputs, options: options, command: .extract, report: extraction.report,
            verbosity: verbosity
        ).perform(console)
    }

    /// Runs the command with the arguments of mkvextract, which name a file for each track.
    private func extractTracks(_ options: ExtractionOptions, _ console: Console) -> Int32 {
        guard let arguments = try? MKVExtractArguments(inputs) else { return ExitStatus.usage }
        var options = options
        options.format = .native
        options.allowsOtherExtensions = true
        options.existing = .replace
        let codes = arguments.tracks.map { track in
            options.tracks = .stream(track.id)
            options.destination = .file(track.output)
            return ExtractionRun(
                inputs: [arguments.input], options: options, command: .extract, report: nil,
                verbosity: verbosity
            ).perform(console)
        }
        return ExitStatus.combined(codes)
    }
}
