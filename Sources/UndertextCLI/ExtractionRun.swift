internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// Runs an extraction for a command: progress bar, messages, report and exit code.
struct ExtractionRun {
    let inputs: [String]
    let options: ExtractionOptions
    /// The command, which determines how remedies name options.
    let command: RemedyText.Command
    /// The path of the JSON report; `-` for standard output.
    let report: String?
    let verbosity: Verbosity

    func perform(_ console: Console) -> Int32 { reported(console).code }

    /// The same, and the reports of the inputs; none if nothing was begun.
    func reported(_ console: Console) -> (code: Int32, reports: [InputReport]) {
        let bar = ProgressBar(quiet: verbosity.quiet)
        let extractor = Extractor(
            options: options, cancellation: console.cancellation,
            followingStop: console.followingStop
        ) {
            bar.update($0)
        }
        let reports: [InputReport]
        do throws(UndertextError) {
            reports = try extractor.extract(inputs.map(MediaInput.init(argument:)))
        } catch {
            bar.clear()
            console.fail(error, in: command)
            return (
                error.code == .invalidRequest ? ExitStatus.usage : ExitStatus.nothing, []
            )
        }
        bar.clear()
        for report in reports {
            ExtractSummary(
                report, console, verbosity, command: command,
                isOneOfSeveral: inputs.count > 1
            ).write()
        }
        let codes = reports.map(exitCode)
        let code = ExitStatus.combined(codes)
        guard let path = report else {
            writeSummary(of: codes, console)
            return (code, reports)
        }
        do throws(UndertextError) {
            let document = ReportJSON.document(
                reports, avformat: FFmpegInfo.loadedVersion, exitCode: exitCode)
            try Self.write(document, to: path, replacing: options.existing != .refuse)
            writeSummary(of: codes, console)
            return (code, reports)
        } catch {
            console.endIfReaderLeft(error)
            console.fail(error)
            return (ExitStatus.partial, reports)
        }
    }

    /// The exit code of an input.
    ///
    /// A conversion without output has failed; an extraction of empty tracks has not.
    private func exitCode(of report: InputReport) -> Int32 {
        let code = ExitStatus.code(of: report.outcome)
        let isEmpty = !report.tracks.isEmpty && report.tracks.allSatisfy { $0.status == .empty }
        return command != .extract && code == ExitStatus.success && isEmpty
            ? ExitStatus.nothing : code
    }

    private func writeSummary(of codes: [Int32], _ console: Console) {
        guard !verbosity.quiet, let line = ExitStatus.summary(of: codes) else { return }
        console.say(line)
    }

    /// Writes a report to a file, or to standard output (`-`).
    static func write(
        _ report: JSON, to path: String, replacing: Bool
    ) throws(UndertextError) {
        let bytes = report.pretty + [0x0A]
        if path == "-" {
            let output = StandardOutput()
            try output.write(bytes)
            try output.flush()
        } else {
            let file = try OutputFile(path: path)
            try file.write(bytes)
            try file.commit(replacing: replacing)
        }
    }
}
