internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// The report of a run as JSON Lines: a record for each input, and the summary at the end.
final class BatchReportFile {
    private enum Target {
        /// Standard output.
        case stream(any ByteSink)
        /// A file that gets its name when it is complete.
        case file(OutputFile, replacing: Bool)
        /// A file that grows with each record, over several runs.
        case log(AppendedFile)
    }

    private let target: Target

    /// Begins a report; `-` is standard output.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - replacing: `true` to replace a file that exists.
    ///   - isContinued: `true` to add to a file that exists, with each record as it is written.
    /// - Throws: ``UndertextError`` if the file exists or cannot be written.
    init(path: String, replacing: Bool, isContinued: Bool = false) throws(UndertextError) {
        if path == "-" {
            target = .stream(StandardOutput())
        } else if isContinued {
            target = .log(try AppendedFile(path: path))
        } else if !replacing, try OutputStore().exists(path), (try? FileKind(of: path)) != .pipe {
            throw UndertextError(
                .outputExists, "the report exists already; use --force to replace it", path: path)
        } else {
            target = .file(try OutputFile(path: path), replacing: replacing)
        }
    }

    /// Adds a record.
    func write(_ record: JSON) throws(UndertextError) {
        let line = record.compact
        switch target {
        case .stream(let sink):
            try sink.write((line + [0x0A])[...])
            try sink.flush()
        case .file(let file, _): try file.write((line + [0x0A])[...])
        case .log(let file): try file.append(line: line)
        }
    }

    /// Adds the summary and gives the file its name.
    func finish(_ summary: JSON) throws(UndertextError) {
        try write(summary)
        if case .file(let file, let replacing) = target { try file.commit(replacing: replacing) }
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
