internal import ArgumentParser
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// `undertext batch status`.
struct BatchStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what a journal has recorded, also while runs are in progress.",
        discussion: """
            EXAMPLES
              undertext batch status /media
              undertext batch status --journal part.journal --json

            EXIT CODES
              0   every input is complete          1    no such journal, or a damaged one
              3   inputs were lost or failed       64   usage
            """)

    @Argument(
        help: ArgumentHelp("The roots of 'batch run', which name its journal.", valueName: "root"),
        completion: .file())
    var roots: [String] = []

    @Option(help: ArgumentHelp("The journal.", valueName: "file"), completion: .file())
    var journal: String?

    @Flag(
        help: ArgumentHelp(
            "JSON Lines: the record of each input that was lost or failed, then the numbers."))
    var json = false

    /// Checks what ArgumentParser cannot.
    func validate() throws {
        guard roots.isEmpty != (journal == nil) else {
            throw ValidationError("specify the roots of a run, or --journal")
        }
    }

    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        do throws(UndertextError) {
            let path =
                if let journal { journal } else {
                    try JournalName.path(for: BatchRoots.canonical(roots))
                }
            let reader = try JournalReader(path: path)
            let counts = try reader.counts()
            let output = StandardOutput()
            try reader.forEachRecord(of: [.failed, .partial]) {
                input, record throws(UndertextError) in
                let outcome = record["outcome"]?.text ?? ""
                let line =
                    json ? record.compact : Array("\(outcome): \(escapedForTerminal(input))".utf8)
                try output.write((line + [0x0A])[...])
            }
            let last = json ? counts.json(of: path).compact : Array(counts.text.utf8)
            try output.write((last + [0x0A])[...])
            try output.flush()
            return counts.outcomes.hasLosses ? ExitStatus.partial : ExitStatus.success
        } catch {
            console.fail(error)
            return ExitStatus.nothing
        }
    }
}

extension JournalReader.Counts {
    /// The numbers in words, without those that are 0.
    var text: String {
        let words = outcomes.words + [(inWork, "in work"), (interrupted, "interrupted")]
        let parts = words.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "no inputs" : parts.joined(separator: ", ")
    }

    /// The record of the numbers.
    func json(of journal: String) -> JSON {
        .object([
            .init("type", .string("status")), .init("journal", .string(journal)),
            .init("outcomes", outcomes.json),
            .init("inWork", .integer(inWork)), .init("interrupted", .integer(interrupted)),
        ])
    }
}
