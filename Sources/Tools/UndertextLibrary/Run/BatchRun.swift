package import Undertext
package import UndertextCore
package import UndertextIO

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
    /// The source of new and changed files, if the run waits for them.
    private var watch: LibraryWatch?
    private var isWaiting = false
    /// Signalled when a job has ended; a program signals it to have a cancellation noticed at once.
    package let wakeUp: EventDescriptor
    /// The time between looks at jobs that may take too long.
    private static let interval = Duration.milliseconds(100)
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
    /// - Throws: ``UndertextError`` with code `limit-exceeded` if the process has no descriptor left.
    package init(
        options: BatchOptions, journal: Journal, cancellation: Cancellation,
        form: @escaping @Sendable (InputReport) -> ReportForm,
        report: @escaping (BatchEvent) -> Void
    ) throws(UndertextError) {
        guard let wakeUp = EventDescriptor() else {
            throw UndertextError(.limit, "the process has too many open files")
        }
        self.wakeUp = wakeUp
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
        do throws(UndertextError) {
            try work(on: next)
        } catch {
            for job in running.values {
                job.cancellation.cancel()
                // A file is no worse for a journal that cannot be written.
                try? journal.release(job.claim)
            }
            throw error
        }
        summary.isStopped = cancellation.isCancelled
        return summary
    }

    /// Works on the files of a watch until the run is cancelled.
    ///
    /// - Parameter watch: The files that exist, and then new and changed ones.
    /// - Returns: The numbers of the run.
    /// - Throws: ``UndertextError`` if the journal cannot be used; inputs in work are stopped then.
    package func perform(_ watch: LibraryWatch) throws(UndertextError) -> BatchSummary {
        self.watch = watch
        return try perform(watch.next)
    }

    private func work(on next: () -> FoundFile?) throws(UndertextError) {
        var isAtEnd = false
        while true {
            try collect()
            if cancellation.isCancelled { break }
            let hasRoom = running.count < max(1, options.jobs)
            let takesFiles = hasRoom && deferred.count < Self.lookahead
            if hasRoom {
                if try startDeferred() { continue }
                if !isAtEnd, takesFiles {
                    if let file = next() {
                        isWaiting = false
                        try take(file)
                        continue
                    }
                    isAtEnd = watch == nil
                }
            }
            if isAtEnd, running.isEmpty { break }
            wait(isBusy: !takesFiles)
        }
        // Those that were stopped end soon; the claims of the others are free when the process has ended.
        while !running.isEmpty {
            wakeUp.wait(timeout: Self.interval)
            try collect()
        }
    }

    /// Waits until a job has ended, or there may be a file.
    private func wait(isBusy: Bool) {
        let timeout = running.isEmpty ? nil : Self.interval
        guard let watch else { return wakeUp.wait(timeout: timeout) }
        if running.isEmpty, !isWaiting, watch.isIdle {
            isWaiting = true
            report(.waiting(summary))
        }
        watch.wait(wakeUp, timeout: timeout, isBusy: isBusy)
    }

    // MARK: - Files

    private func take(_ file: FoundFile) throws(UndertextError) {
        do throws(UndertextError) {
            try decide(file)
        } catch {
            try pass(error, file)
        }
    }

    /// Notes a failure of object storage, which costs one file; others end the run.
    private func pass(_ error: UndertextError, _ file: FoundFile) throws(UndertextError) {
        guard let path = error.path, S3Location.isLocation(path) else { throw error }
        note(unreadable: error)
        // The storage may respond later.
        watch?.lookAgain(at: file, isClaimed: true)
    }

    private func decide(_ file: FoundFile) throws(UndertextError) {
        // A watch finds a file again and again; only its first answer is news.
        let isNews = watch?.isFirstPass ?? true
        switch try journal.decide(file, retry: isNews ? options.retry : []) {
        case .work(let revision):
            if hasRoom(for: file) {
                try start(file, revision)
            } else {
                deferred.append((file, revision))
            }
        case .unchanged(let outcome):
            if isNews { note(file, .unchanged, outcome) }
        case .moved(let old):
            note(file, .moved, nil, [.init("from", .string(old))])
        case .claimed: noteClaim(file, isNews: isNews)
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

    /// Leaves a file to another run, which may end without finishing it.
    private func noteClaim(_ file: FoundFile, isNews: Bool) {
        if isNews { note(file, .claimed, nil) }
        watch?.lookAgain(at: file, isClaimed: true)
    }

    /// Records an input that several runs did not survive.
    private func giveUp(_ file: FoundFile) throws(UndertextError) {
        guard let claim = try journal.claim(file) else {
            return noteClaim(file, isNews: watch?.isFirstPass ?? true)
        }
        var failed = InputReport(input: file.input)
        failed.outcome = .failed
        failed.error = UndertextError(
            .io, "it was in work in \(Journal.attemptLimit) runs that did not end properly",
            path: file.path)
        try finish(claim, BatchJob.Result(report: failed), status: .givenUp)
    }

    private func hasRoom(for file: FoundFile) -> Bool {
        let device = file.status.device
        if rotating[device] == nil { rotating[device] = options.isRotating(device) }
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
            try pass(error, next.file)
        }
        return true
    }

    // MARK: - Jobs

    private func start(_ file: FoundFile, _ revision: Int64) throws(UndertextError) {
        guard let claim = try journal.claim(file, revision: revision) else {
            return noteClaim(file, isNews: watch?.isFirstPass ?? true)
        }
        let stop = Cancellation(parent: cancellation)
        let job = BatchJob(
            claim: claim, options: options.extraction(for: claim), cancellation: stop,
            journal: journal)
        let queue = idle.popLast() ?? BackgroundQueue(threads: 1)
        let began = ContinuousClock.now
        running[claim.input] = Running(
            claim: claim, cancellation: stop, queue: queue, began: began)
        let work: @Sendable () -> Void = { [results, wakeUp] in
            let result = job.perform()
            results.with { $0.append(Ended(input: claim.input, began: began, result: result)) }
            wakeUp.signal()
        }
        // Without a thread it takes longer, and the result is the same.
        if !queue.submit(work) { work() }
    }

    /// Takes the results that are there, and stops what takes too long.
    private func collect() throws(UndertextError) {
        let ended = results.with { list in
            defer { list = [] }
            return list
        }
        for end in ended {
            // A thread that was given up may end after all; its input was recorded.
            guard let job = running[end.input], job.began == end.began else { continue }
            running[end.input] = nil
            idle.append(job.queue)
            try finish(job, end.result)
        }
        try stopLateJobs()
    }

    private func finish(_ job: Running, _ result: BatchJob.Result) throws(UndertextError) {
        var result = result
        if result.report.error?.code == .cancelled {
            guard job.stopped != nil else { return try journal.release(job.claim) }
            result.report.error = timeout(job.claim)
            result.report.outcome = .failed
        }
        try finish(job.claim, result, status: .done)
        if result.hasChanged { watch?.lookAgain(at: job.claim.file) }
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
                outputs: outputs, record: json, isGone: result.isGone))
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
