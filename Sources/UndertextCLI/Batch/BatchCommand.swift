internal import ArgumentParser

/// `undertext batch`.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Extracts the subtitles of whole libraries, each file once.",
        subcommands: [
            BatchRunCommand.self, BatchPlanCommand.self, BatchStatusCommand.self,
            BatchMergeCommand.self,
        ])
}
