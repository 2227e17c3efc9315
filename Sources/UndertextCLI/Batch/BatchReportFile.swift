internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// The report of a run as JSON Lines: a record for each input, and the summary at the end.
final class BatchReportFile {
    private let sink: any ByteSink
    private let file: OutputFile?
    private let isReplacing: Bool

    /// Begins a report; `-` is standard output.
    init(path: String, replacing: Bool) throws(UndertextError) {
        isReplacing = replacing
        if path == "-" {
            sink = StandardOutput()
            file = nil
            return
        }
        if !replacing, try OutputStore().exists(path), (try? FileKind(of: path)) != .pipe {
            throw UndertextError(
                .outputExists, "the report exists already; use --force to replace it", path: path)
        }
        let made = try OutputFile(path: path)
        (sink, file) = (made, made)
    }

    /// Adds a record.
    func write(_ record: JSON) throws(UndertextError) {
        let line = record.compact + [0x0A]
        try sink.write(line[...])
        if file == nil { try sink.flush() }
    }

    /// Adds the summary and gives the file its name.
    func finish(_ summary: JSON) throws(UndertextError) {
        try write(summary)
        try sink.flush()
        try file?.commit(replacing: isReplacing)
    }
}

extension BatchSummary {
    /// The last record of a report.
    var json: JSON {
        func count(_ status: BatchStatus) -> JSON { .integer(statuses[status, default: 0]) }
        return .object([
            .init("type", .string("summary")),
            .init("outcomes", outcomes.json),
            .init("unchanged", count(.unchanged)), .init("moved", count(.moved)),
            .init("claimed", count(.claimed)), .init("givenUp", count(.givenUp)),
            .init("unreadable", .integer(unreadable)), .init("missing", .integer(missing)),
            .init("bytes", .integer(bytes)),
            .init("stopped", .bool(isStopped)),
        ])
    }
}

extension [RecordedOutcome: Int] {
    /// The number of inputs with each outcome, with the words of messages.
    var words: [(Int, String)] {
        [
            (self[.complete, default: 0], "complete"),
            (self[.noTrack, default: 0], "without a matching subtitle track"),
            (self[.partial, default: 0], "incomplete"),
            (self[.failed, default: 0], "failed"),
        ]
    }

    /// The value of `outcomes` in reports.
    var json: JSON {
        .object(RecordedOutcome.allCases.map { .init($0.rawValue, .integer(self[$0, default: 0])) })
    }
}
