internal import ArgumentParser
internal import Undertext
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
            roots and options finds nothing to do. If several journals have an input, the newest result counts. Inputs of \
            the manifest that no journal has are reported as missing.

            EXAMPLES
              undertext batch merge part-*.journal --journal all.journal --report report.jsonl
              undertext batch merge journals/*.log --journal all.journal --manifest plan.jsonl --report report.jsonl
              undertext batch run /media -o /srv/subtitles --journal all.journal

            EXIT CODES
              0   every input is complete          1    a journal is missing, or an output exists
              3   inputs were lost or failed,      64   usage
                  or are missing
            """)

    @Argument(help: ArgumentHelp("The journals to join.", valueName: "file"), completion: .file())
    var sources: [String]

    @Option(
        help: ArgumentHelp("The journal to write, on a local disk.", valueName: "file"),
        completion: .file())
    var journal: String

    @Option(
        help: ArgumentHelp(
            "The manifest of the parts, whose inputs must all have a result.", valueName: "file"))
    var manifest: String?

    @Option(
        help: ArgumentHelp(
            "JSON Lines: a record for each input, and a summary; '-' is standard output.",
            valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Replace a report that exists.")
    var force = false

    /// The number of missing inputs that are named; the report has all.
    private static let namedLimit = 10

    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        do throws(UndertextError) {
            let plan = try manifest.map { path throws(UndertextError) in try Manifest(path: path) }
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
            }
            var summary = BatchSummary(outcomes: counts.outcomes)
            for path in try plan.map(reader.missing) ?? [] {
                summary.missing += 1
                if summary.missing <= Self.namedLimit {
                    console.say("no journal has a result of it", about: path)
                }
                try file?.write(
                    .object([
                        .init("type", .string("input")), .init("status", .string("missing")),
                        .init("input", .string(path)), .init("outcome", .null),
                    ]))
            }
            try file?.finish(summary.json)
            let missing = summary.missing > 0 ? ", \(summary.missing) missing" : ""
            console.say(counts.text + missing)
            return summary.isComplete ? ExitStatus.success : ExitStatus.partial
        } catch {
            console.fail(error)
            return ExitStatus.nothing
        }
    }
}

extension JournalReader {
    /// The inputs of a manifest that no run finished, such as those of a part that was not run.
    func missing(_ manifest: Manifest) throws(UndertextError) -> [String] {
        // Subtitle files in a format that was written beside the media were left out.
        var written: Set<String>?
        for arguments in try arguments() {
            let option = "--output="
            let folder = arguments.first { $0.hasPrefix(option) }?.dropFirst(option.count)
            var own: Set<String> = []
            if folder.map({ manifest.roots.contains(String($0)) }) ?? true {
                let rest = arguments.filter { !$0.hasPrefix(option) }
                own =
                    (try? ExtractCommand.parse(rest + ["--", "input"]).options())?.format
                    .writtenExtensions ?? []
            }
            written = written?.intersection(own) ?? own
        }
        var walk = WalkOptions()
        walk.writtenExtensions = written ?? []
        var missing: [String] = []
        for entry in manifest.entries where !walk.isWritten(entry.relativePath, entry.kind) {
            if try !knows(entry.path) { missing.append(entry.path) }
        }
        return missing
    }
}
