package import Undertext
package import UndertextCore
internal import UndertextIO

/// Works on the files of a library, several at a time, and records each in a journal.
///
/// The calling thread finds files, decides and hands out work; each input is extracted on another thread.
package final class BatchRun {
    private struct Running {
        let claim: Claim
        let cancellation: Cancellation
        let queue: BackgroundQueue
        let began: ContinuousClock.Instant
        /// When the time limit stopped it.
        var stopped: ContinuousClock.Instant?
    }

    /// A job whose thread has ended.
    private struct Ended {
        let input: Int64
        let began: ContinuousClock.Instant
        let result: BatchJob.Result
    }

    private let options: BatchOptions
    private let journal: Journal
    private let cancellation: Cancellation
    private let form: @Sendable (InputReport) -> ReportForm
    private let report: (BatchEvent) -> Void

    private var summary = BatchSummary()
    /// The jobs that run, by the row of their input.
    private var running: [Int64: Running] = [:]
    /// Threads without work.
    private var idle: [BackgroundQueue] = []
    /// Files whose disk is busy.
    private var deferred: [(file: FoundFile, revision: Int64)] = []
    private var rotating: [UInt64: Bool] = [:]
    private let results = Monitor<
        [Ended]
    >([])
    /// So many files wait at most for a busy disk, while files of other disks are looked for.
    private static let lookahead = 256

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - options: The rules.
    ///   - journal: The record of all runs.
    ///   - cancellation: Stops the run; inputs in work are released.
    ///   - form: Turns an extraction into the record of the report.
    ///   - report: Called on the calling thread of ``perform(_:)``.
    package init(
        options: BatchOptions, journal: Journal, cancellation: Cancellation,
        form: @escaping @Sendable (InputReport) -> ReportForm,
        report: @escaping (BatchEvent) -> Void
    ) {
        self.options = options
        self.journal = journal
        self.cancellation = cancellation
        self.form = form
        self.report = report
    }

    /// Notes a folder or file that cannot be read.
    package func note(unreadable error: UndertextError) {
        summary.unreadable += 1
        report(.unreadable(error))
    }

    /// Works on files until there is none left.
    ///
    /// - Parameter next: The next file; `nil` after the last one.
    /// - Returns: The numbers of the run.
    /// - Throws: ``UndertextError`` if the journal cannot be used; inputs in work are stopped then.
    package func perform(_ next: () -> FoundFile?) throws(UndertextError) -> BatchSummary {
        var isAtEnd = false
        do throws(UndertextError) {
            while true {
                try collect(waiting: false)
                if cancellation.isCancelled { break }
                if running.count < max(1, options.jobs), try startDeferred() { continue }
                if !isAtEnd, running.count < max(1, options.jobs),
                    deferred.count < Self.lookahead
                {
                    guard let file = next() else {
                        isAtEnd = true
                        continue
                    }
                    try take(file)
                } else if running.isEmpty {
                    break
                } else {
                    try collect(waiting: true)
                }
            }
            // Those that were stopped end soon; the claims of the others are free when the process has ended.
            while !running.isEmpty { try collect(waiting: true) }
        } catch {
            for job in running.values { job.cancellation.cancel() }
            throw error
        }
        summary.isStopped = cancellation.isCancelled
        return summary
    }

    // MARK: - Files

    private func take(_ file: FoundFile) throws(UndertextError) {
        do throws(UndertextError) {
            try decide(file)
        } catch {
            try pass(error)
        }
    }

    /// Notes a failure of object storage, which costs one file; others end the run.
    private func pass(_ error: UndertextError) throws(UndertextError) {
        guard let path = error.path, S3Location.isLocation(path) else { throw error }
        note(unreadable: error)
    }

    private func decide(_ file: FoundFile) throws(UndertextError) {
        switch try journal.decide(file, retry: options.retry) {
        case .work(let revision):
            if hasRoom(for: file) {
                try start(file, revision)
            } else {
                deferred.append((file, revision))
            }
        case .unchanged(let outcome): note(file, .unchanged, outcome)
        case .moved(let old):
            note(file, .moved, nil, [.init("from", .string(old))])
        case .claimed: note(file, .claimed, nil)
        case .givenUp: try giveUp(file)
        case .isOutput: report(.output(file))
        }
    }

    private func note(
        _ file: FoundFile, _ status: BatchStatus, _ outcome: RecordedOutcome?,
        _ members: [JSON.Member] = []
    ) {
        summary.statuses[status, default: 0] += 1
        let json = JSON.object(
            [
                .init("type", .string("input")), .init("status", .string(status.rawValue)),
                .init("input", .string(file.path)),
                .init("outcome", .optional(outcome?.rawValue)),
            ] + members)
        report(.file(BatchRecord(file: file, status: status, outcome: outcome, json: json)))
    }

    /// Records an input that several runs did not survive.
    private func giveUp(_ file: FoundFile) throws(UndertextError) {
        guard let claim = try journal.claim(file) else { return note(file, .claimed, nil) }
        var failed = InputReport(input: file.input)
        failed.outcome = .failed
        failed.error = UndertextError(
            .io, "it was in work in \(Journal.attemptLimit) runs that did not end properly",
            path: file.path)
        try finish(claim, BatchJob.Result(report: failed), status: .givenUp)
    }

    private func hasRoom(for file: FoundFile) -> Bool {
        let device = file.status.device
        if rotating[device] == nil { rotating[device] = FileStatus.isRotating(device: device) }
        guard rotating[device] == true else { return true }
        let busy = running.values.count { $0.claim.file.status.device == device }
        return busy < max(1, options.jobsPerRotatingDisk)
    }

    private func startDeferred() throws(UndertextError) -> Bool {
        guard let index = deferred.firstIndex(where: { hasRoom(for: $0.file) }) else {
            return false
        }
        let next = deferred.remove(at: index)
        do throws(UndertextError) {
            try start(next.file, next.revision)
        } catch {
            try pass(error)
        }
        return true
    }

    // MARK: - Jobs

    private func start(_ file: FoundFile, _ revision: Int64) throws(UndertextError) {
        guard let claim = try journal.claim(file, revision: revision) else {
            return note(file, .claimed, nil)
        }
        let stop = Cancellation(parent: cancellation)
        let job = BatchJob(
            claim: claim, options: options.extraction(for: claim), cancellation: stop,
            journal: journal)
        let queue = idle.popLast() ?? BackgroundQueue(threads: 1)
        let began = ContinuousClock.now
        running[claim.input] = Running(
            claim: claim, cancellation: stop, queue: queue, began: began)
        let work: @Sendable () -> Void = { [results] in
            let result = job.perform()
            results.with { $0.append(Ended(input: claim.input, began: began, result: result)) }
            results.wakeAll(.consumers)
        }
        // Without a thread it takes longer, and the result is the same.
        if !queue.submit(work) { work() }
    }

    /// Takes the results that are there, and stops what takes too long.
    private func collect(waiting: Bool) throws(UndertextError) {
        let take: (inout [Ended]) -> [Ended]? = { list in
            guard !list.isEmpty else { return nil }
            defer { list = [] }
            return list
        }
        let ended =
            waiting
            ? results.wait(.consumers, timeout: .milliseconds(100), for: take)
            : results.with(take)
        for end in ended ?? [] {
            // A thread that was given up may end after all; its input was recorded.
            guard let job = running[end.input], job.began == end.began else { continue }
            running[end.input] = nil
            idle.append(job.queue)
            try finish(job, end.result)
        }
        if waiting { try stopLateJobs() }
    }

    private func finish(_ job: Running, _ result: BatchJob.Result) throws(UndertextError) {
        var result = result
        if result.report.error?.code == .cancelled {
            guard job.stopped != nil else { return try journal.release(job.claim) }
            result.report.error = timeout(job.claim)
            result.report.outcome = .failed
        }
        try finish(job.claim, result, status: .done)
    }

    private func stopLateJobs() throws(UndertextError) {
        guard let limit = options.timeLimit else { return }
        let now = ContinuousClock.now
        for (input, job) in running where now - job.began > limit {
            guard let stopped = job.stopped else {
                job.cancellation.cancel()
                running[input]?.stopped = now
                continue
            }
            guard now - stopped > options.grace else { continue }
            // Its thread goes on, cancelled, and commits nothing.
            running[input] = nil
            var failed = InputReport(input: job.claim.file.input)
            failed.outcome = .failed
            failed.error = timeout(job.claim)
            failed.elapsed = now - job.began
            try finish(job.claim, BatchJob.Result(report: failed), status: .done)
        }
    }

    private func timeout(_ claim: Claim) -> UndertextError {
        let seconds = (options.timeLimit ?? .zero).components.seconds
        return UndertextError(
            .timeout, "it took longer than \(seconds) seconds", path: claim.file.path)
    }

    /// Records an input in the journal, then reports it.
    private func finish(
        _ claim: Claim, _ result: BatchJob.Result, status: BatchStatus
    ) throws(UndertextError) {
        let outcome = RecordedOutcome(result.report.outcome)
        let form = form(result.report)
        let json = JSON.object(
            [.init("type", .string("input")), .init("status", .string(status.rawValue))]
                + form.json.members
                + [.init("outcome", .string(outcome.rawValue))]
                + (result.hasChanged ? [.init("changedWhileRead", .bool(true))] : []))
        let records = result.report.tracks.flatMap(\.outputs) + result.report.attachments
        let outputs = records.map { RecordedOutput(path: $0.file, size: Int64(clamping: $0.bytes)) }
        try journal.finish(
            claim,
            FinishedInput(
                outcome: outcome, exitCode: form.exitCode, fingerprint: result.fingerprint,
                outputs: outputs, record: json))
        summary.statuses[status, default: 0] += 1
        summary.outcomes[outcome, default: 0] += 1
        summary.bytes += claim.file.status.size
        report(
            .file(
                BatchRecord(
                    file: claim.file, status: status, outcome: outcome, report: result.report,
                    json: json)))
    }
}
