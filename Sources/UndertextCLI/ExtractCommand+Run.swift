internal import Undertext
internal import UndertextCore
internal import UndertextIO

extension ExtractCommand {
    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard let options = try? options() else { return ExitStatus.usage }
        reading.applyPriority(console)
        if !verbosity.quiet, case .directory(let path) = options.destination,
            Self.looksLikeFile(path)
        {
            console.say(
                "-o: '\(escapedForTerminal(path))' is a folder, because '.\(PathName.fileExtension(path))' is not the "
                    + "extension of an output format; end its name with '/' if that is intended")
        }
        if mkvextract { return extractTracks(options, console) }
        return ExtractionRun(
            inputs: inputs, options: options, command: .extract, report: extraction.report,
            verbosity: verbosity
        ).perform(console)
    }

    /// `true` if the path of a folder that does not exist yet ends in an extension, as paths of files do.
    private static func looksLikeFile(_ path: String) -> Bool {
        let ending = PathName.fileExtension(path)
        return !path.hasSuffix("/") && !S3Location.isLocation(path) && !FileSystem.exists(path)
            && (2...5).contains(ending.utf8.count)
            && ending.utf8.allSatisfy(\.isAlphanumeric) && !ending.utf8.allSatisfy(\.isDigit)
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
