internal import ArgumentParser
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// `undertext batch merge`.
struct BatchMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract:
            "Joins the journals of the parts of a manifest, and writes one report of all inputs.",
        discussion: """
            The logs of the journals are read: FILE.log, which may also be named. A run with the joined journal, the same \
            roots and options finds nothing to do. If several journals have an input, the newest result counts.

            EXAMPLES
              undertext batch merge part-*.journal --journal all.journal --report report.jsonl
              undertext batch run /media -o /srv/subtitles --journal all.journal

            EXIT CODES
              0   every input is complete          1    a journal is missing, or an output exists
              3   inputs were lost or failed       64   usage
            """)

    @Argument(help: ArgumentHelp("The journals to join.", valueName: "file"), completion: .file())
    var sources: [String]

    @Option(
        help: ArgumentHelp("The journal to write, on a local disk.", valueName: "file"),
        completion: .file())
    var journal: String

    @Option(
        help: ArgumentHelp(
            "JSON Lines: a record for each input, and a summary; '-' is standard output.",
            valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Replace a report that exists.")
    var force = false

    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        do throws(UndertextError) {
            let file = try report.map { path throws(UndertextError) in
                try BatchReportFile(path: path, replacing: force)
            }
            try Journal.merge(sources, into: journal)
            let reader = try JournalReader(path: journal)
            let counts = try reader.counts()
            if let file {
                try reader.forEachRecord { _, record throws(UndertextError) in
                    try file.write(record)
                }
                try file.finish(BatchSummary(outcomes: counts.outcomes).json)
            }
            console.say(counts.text)
            return counts.outcomes.hasLosses ? ExitStatus.partial : ExitStatus.success
        } catch {
            console.fail(error)
            return ExitStatus.nothing
        }
    }
}
