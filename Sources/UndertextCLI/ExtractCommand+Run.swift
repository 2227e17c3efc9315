internal import Undertext
internal import UndertextCore

extension ExtractCommand {
    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard let options = try? options() else { return ExitStatus.usage }
        reading.applyPriority(console)
        return ExtractionRun(
            inputs: inputs, options: options, command: .extract, report: extraction.report,
            verbosity: verbosity
        ).perform(console)
    }
}
