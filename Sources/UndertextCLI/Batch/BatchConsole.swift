internal import Undertext
internal import UndertextCore
internal import UndertextLibrary

/// What a run says: records to the report, failures and, with `-v`, every file to standard error.
final class BatchConsole {
    private let console: Console
    private let verbosity: Verbosity
    private let progress: BatchProgress
    private let report: BatchReportFile?
    /// The first failure of the report; the run goes on without it.
    private var failure: UndertextError?
    /// The text about folders that are watched; `nil` if none is.
    var watchText: (() -> String)?
    private var isWatching = false

    init(
        console: Console, verbosity: Verbosity, progress: BatchProgress, report: BatchReportFile?
    ) {
        self.console = console
        self.verbosity = verbosity
        self.progress = progress
        self.report = report
    }

    func show(_ event: BatchEvent) {
        switch event {
        case .waiting(let summary):
            progress.pause()
            guard !isWatching, !verbosity.quiet, let watchText else { return }
            isWatching = true
            show(summary)
            console.say(watchText())
        case .unreadable(let error):
            progress.clear()
            console.fail(error, in: .batch)
            add(
                .object([
                    .init("type", .string("unreadable")),
                    .init("path", .optional(error.path)),
                    .init("code", .string(error.code.name)),
                    .init("message", .string(error.description)),
                ]))
        case .output(let file): progress.count(file)
        case .file(let record):
            add(record.json)
            if let extraction = record.report {
                show(record, extraction)
            } else if verbosity.verbose {
                progress.clear()
                console.say(record.status.rawValue, about: record.file.path)
            }
            progress.count(record.file)
        }
    }

    private func show(_ record: BatchRecord, _ extraction: InputReport) {
        let isWell = record.outcome == .complete || record.outcome == .noTrack
        if isWell, !verbosity.verbose { return }
        progress.clear()
        if verbosity.verbose {
            let files = extraction.tracks.reduce(0) { $0 + $1.outputs.count }
            console.say(
                "\(record.outcome?.rawValue ?? ""), \(files) \(files == 1 ? "output" : "outputs")",
                about: record.file.path)
        }
        guard !isWell else { return }
        // Errors only: what else there is to say about one of many files is in the report.
        var errorsOnly = verbosity
        errorsOnly.verbose = false
        errorsOnly.quiet = true
        ExtractSummary(
            extraction, console, errorsOnly, command: .batch, isOneOfSeveral: true
        ).write()
    }

    /// Reports a fact about the folders that are watched.
    func show(_ notice: LibraryWatch.Notice, interval: Duration) {
        progress.clear()
        let seconds = interval.components.seconds
        switch notice {
        case .scanning(_, .limit, let error?):
            console.say("warning: \(error.summary); scanning every \(seconds) s until then")
        case .scanning(let path, .network, _) where !verbosity.quiet:
            console.say(
                "it is on a network file system, where changes by other machines are not reported; scanning it every "
                    + "\(seconds) s", about: path)
        case .overflow where verbosity.verbose:
            console.say("there were more changes than the kernel reports; scanning all folders")
        default: break
        }
    }

    /// The last line.
    func show(_ summary: BatchSummary) {
        guard !verbosity.quiet else { return }
        let words =
            summary.outcomes.words + [
                (summary.statuses[.unchanged, default: 0], "unchanged"),
                (summary.statuses[.moved, default: 0], "renamed"),
                (summary.statuses[.claimed, default: 0], "in work by another run"),
                (summary.unreadable, "unreadable"),
            ]
        let parts = words.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let stop = summary.isStopped ? "stopped; " : ""
        console.say(stop + (parts.isEmpty ? "no inputs found" : parts.joined(separator: ", ")))
    }

    /// Completes the report.
    ///
    /// - Throws: ``UndertextError``, also of an earlier record.
    func finish(_ summary: BatchSummary) throws(UndertextError) {
        guard let failure else {
            try report?.finish(summary.json)
            return
        }
        // A report that grows is of use without the records that it lacks.
        if watchText != nil { try? report?.finish(summary.json) }
        throw failure
    }

    private func add(_ record: JSON) {
        guard failure == nil || watchText != nil else { return }
        do throws(UndertextError) {
            try report?.write(record)
        } catch {
            if failure == nil, watchText != nil {
                progress.clear()
                console.fail(error)
            }
            failure = failure ?? error
        }
    }
}
