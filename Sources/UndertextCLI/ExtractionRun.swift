internal import SystemIO
internal import Undertext

/// A run of the engine as a command: progress, what people are told, the report, the exit code.
struct ExtractionRun {
    let inputs: [String]
    let options: ExtractionOptions
    /// Where the report goes; `-` is standard output.
    let report: String?
    let verbosity: Verbosity

    func perform(_ console: Console) -> Int32 {
        let bar = ProgressBar(quiet: verbosity.quiet)
        let extractor = Extractor(
            options: options, cancellation: console.cancellation,
            followingStop: console.followingStop
        ) {
            bar.update($0)
        }
        let reports: [InputReport]
        do throws(ExtractionRefusal) {
            reports = try extractor.extract(inputs.map(MediaInput.init(argument:)))
        } catch {
            bar.clear()
            console.fail(error.description)
            return error.exitCode
        }
        bar.clear()
        let summary = ExtractSummary(console: console, verbosity: verbosity)
        for report in reports { summary.tell(report) }
        let code = ExitStatus.combined(reports.map(\.exitCode))
        guard let path = report else { return code }
        do throws(OutputError) {
            try write(ReportJSON.document(reports, avformat: FFmpegInfo.loadedVersion), to: path)
            return code
        } catch {
            console.fail(error.description)
            return ExitStatus.partial
        }
    }

    private func write(_ report: JSON, to path: String) throws(OutputError) {
        let bytes = report.pretty + [0x0A]
        if path == "-" {
            let output = StandardOutput()
            try output.write(bytes)
            try output.flush()
        } else {
            let file = try OutputFile(path: path)
            try file.write(bytes)
            try file.commit(replacing: options.existing != .refuse)
        }
    }
}
