package import UndertextCore
package import UndertextIO
internal import UndertextSQLite

/// A file that records what was done to each input, so that a run continues where another ended.
///
/// Several processes may use a journal at once; any thread may call it.
package final class Journal: Sendable {
    /// The file.
    package let path: String
    /// Where the damaged journal is that this one replaces; `nil` if there was none.
    package let damagedPath: String?
    /// `true` if the journal was made from its log, because it was damaged or missing.
    package let isRebuilt: Bool
    /// The number of this run in the journal.
    package let owner: Int64
    /// The existing outputs.
    package let outputs = OutputStore(listsFolders: true)

    private let connection: Monitor<JournalConnection>
    private let locks: ProcessLocks
    private let options: Int64
    private let log: JournalLog
    private let identity: FileSystem.FileIdentity?
    /// The lock that is held while a journal is opened; those of runs have the numbers of their rows.
    private static let openingLock: Int64 = 0
    /// Runs that may end during the work on an input before it is given up.
    static let attemptLimit: Int64 = 3

    /// Opens a journal for a run, creates it if it is missing, and replaces it if it is damaged.
    ///
    /// - Parameters:
    ///   - path: The file; its folder is created if it is missing.
    ///   - options: Everything that decides the outputs; inputs that were done with other options are done again.
    ///   - log: The log, also on a network file system; a new journal continues from it. `nil` = beside the journal.
    /// - Throws: ``UndertextError`` with code `journal-on-network`, or if the file cannot be used.
    package init(path: String, options: String, log: String? = nil) throws(UndertextError) {
        self.path = path
        let logPath = log ?? JournalLog.path(for: path)
        let folder = PathName.directoryName(path)
        try FileSystem.createDirectory(folder)
        if FileSystem.readPolicy(for: folder) == .networkFile {
            throw UndertextError(
                .networkJournal,
                "a journal cannot be on a network file system, which may damage it; put it on a local disk",
                path: path, remedy: .set(.journal))
        }
        if FileSystem.size(of: path) ?? 0 > 0, !Self.hasSignature(path),
            log != nil || !FileSystem.exists(logPath)
        {
            throw UndertextError(
                .malformed, "it is no journal", path: path,
                remedy: .set(.journal))
        }
        if let log, !JournalLog.isLog(log) {
            throw UndertextError(
                .malformed, "it is no log of a journal; choose another file", path: log)
        }
        let locks = try ProcessLocks(path: path + ".lock")
        self.locks = locks
        try Self.waitForOpening(locks, path)
        defer { locks.unlock(Self.openingLock) }
        let isAlone: Bool
        do throws(SQLiteError) {
            let opened = try Self.open(path, log: logPath)
            let options = try opened.connection.identifier(ofOptions: options)
            var owner = try opened.connection.addOwner()
            // A run that goes on with an earlier journal of this name may have the number.
            var attempts = 1
            while !locks.lock(owner) {
                guard attempts < 100 else {
                    throw SQLiteError(code: 5, message: "the lock of this run is taken")
                }
                attempts += 1
                owner = try opened.connection.addOwner()
            }
            try opened.connection.removeDeadOwners(
                isAlive: locks.isLockedElsewhere, except: owner)
            (damagedPath, isRebuilt) = (opened.damagedPath, opened.isRebuilt)
            (self.options, self.owner) = (options, owner)
            isAlone = try opened.connection.isOnlyOwner(owner)
            // Another machine may have continued from the log since this journal was used.
            if log != nil, !opened.isRebuilt, isAlone {
                let isNew = try opened.connection.isEmpty()
                try opened.connection.rebuild(from: logPath, keepingNewer: !isNew)
            }
            connection = Monitor(opened.connection)
        } catch {
            throw error.journalError(path)
        }
        identity = FileSystem.identity(of: path)
        // A log that is not beside the journal may be in use on another machine. Where there is no room for another log,
        // the long one is as good.
        if isAlone, log == nil { try? JournalLog.compact(logPath, of: path) }
        self.log = try JournalLog(path: logPath, options: options)
    }

    private static func waitForOpening(
        _ locks: ProcessLocks, _ path: String
    ) throws(UndertextError) {
        for _ in 0..<1000 {
            if locks.lock(openingLock) { return }
            SignalWatcher.pause(.milliseconds(20))
        }
        throw UndertextError(
            .io, "another process has been opening the journal for 20 seconds", path: path)
    }

    /// Opens the file; a damaged one is moved away, and one that is missing is made, both from the log.
    private static func open(
        _ path: String, log: String
    ) throws(SQLiteError) -> (
        connection: JournalConnection, damagedPath: String?, isRebuilt: Bool
    ) {
        let isMissing = !FileSystem.exists(path)
        do throws(SQLiteError) {
            let connection = try JournalConnection(path: path)
            let hasLog = FileSystem.size(of: log) ?? 0 > 0
            if isMissing, hasLog { try connection.rebuild(from: log) }
            return (connection, nil, isMissing && hasLog)
        } catch {
            guard error.isDamage, let moved = moveAside(path) else { throw error }
            let connection = try JournalConnection(path: path)
            try connection.rebuild(from: log)
            return (connection, moved, true)
        }
    }

    /// `true` if a file is a SQLite database: a media file that was named by mistake is not moved.
    private static func hasSignature(_ path: String) -> Bool {
        guard let source = try? FileSource(path: path, isInput: false) else { return false }
        let head = (try? source.read(at: 0, count: 15)) ?? []
        return head.elementsEqual("SQLite format 3".utf8)
    }

    private static func moveAside(_ path: String) -> String? {
        let number = (1...1000).first { !FileSystem.exists("\(path).damaged-\($0)") }
        guard let number else { return nil }
        let moved = "\(path).damaged-\(number)"
        guard (try? FileSystem.rename(path, to: moved)) != nil else { return nil }
        // What was not merged into the file belongs to the damaged one.
        for ending in ["-wal", "-shm"] {
            try? FileSystem.rename(path + ending, to: moved + ending)
        }
        return moved
    }

    private func with<Value>(
        _ work: (JournalConnection) throws(SQLiteError) -> Value
    ) throws(UndertextError) -> Value {
        do throws(SQLiteError) {
            return try connection.with { connection in
                Result { () throws(SQLiteError) in try work(connection) }
            }.get()
        } catch {
            throw error.journalError(path)
        }
    }

    /// Decides what is to be done about a file, and notes it in the journal if it was only renamed.
    ///
    /// - Parameters:
    ///   - file: The file as it was found.
    ///   - retry: Outcomes of earlier runs that are tried again.
    /// - Returns: The decision.
    /// - Throws: ``UndertextError`` if the journal cannot be used.
    package func decide(
        _ file: FoundFile, retry: Set<RecordedOutcome>
    ) throws(UndertextError) -> JournalDecision {
        // Object storage is not asked while other threads wait for the journal.
        var written: [RecordedOutput] = []
        var revision: Int64 = 0
        let decision: JournalDecision = try with { connection throws(SQLiteError) in
            guard let row = try connection.row(of: file.path) else {
                if try connection.isOutput(file.path) { return .isOutput }
                let moved = try connection.adopt(file, options: options)
                return moved.map { .moved(from: $0) } ?? .work(revision: 0)
            }
            if !row.isDone {
                if let owner = row.owner, isAlive(owner) { return .claimed }
                let isTriedAgain = retry.contains(.failed)
                return row.attempts >= Self.attemptLimit && !isTriedAgain
                    ? .givenUp : .work(revision: row.revision)
            }
            guard row.options == options, row.isSame(file), let outcome = row.outcome,
                !retry.contains(outcome)
            else { return .work(revision: row.revision) }
            written = try connection.outputs(of: row.id).filter(\.isCurrent)
            revision = row.revision
            return .unchanged(outcome)
        }
        for output in written where try !output.exists(in: outputs) {
            return .work(revision: revision)
        }
        return decision
    }

    /// `true` if a run has not ended.
    private func isAlive(_ owner: Int64) -> Bool {
        owner == self.owner || locks.isLockedElsewhere(owner)
    }

    /// Results that go into a file without a name would be lost.
    private func requireFile() throws(UndertextError) {
        guard identity == nil || FileSystem.identity(of: path) != identity else { return }
        throw UndertextError(
            .notFound,
            "the journal was removed or replaced while the run used it; start the run again",
            path: path)
    }

    /// Takes a file for this run and notes that work on it begins.
    ///
    /// - Parameters:
    ///   - file: The file as it was found.
    ///   - revision: The revision of the decision; `nil` = any.
    /// - Returns: The claim; `nil` if another run works on the file, or did since the decision.
    /// - Throws: ``UndertextError`` if the journal cannot be used.
    package func claim(
        _ file: FoundFile, revision: Int64? = nil
    ) throws(UndertextError) -> Claim? {
        try requireFile()
        let claimed: (Int64, [RecordedOutput])? = try with { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                let row = try connection.row(of: file.path)
                if let row, !row.isDone, let owner = row.owner, isAlive(owner) { return nil }
                if let revision, revision != row?.revision ?? 0 { return nil }
                let outputs = try row.map { row throws(SQLiteError) in
                    try connection.outputs(of: row.id)
                }
                let input = try connection.start(file, options: options, owner: owner)
                return (input, outputs ?? [])
            }
        }
        guard let (input, written) = claimed else { return nil }
        do throws(UndertextError) {
            var own: [RecordedOutput] = []
            for output in written where try output.isOurs(in: outputs) { own.append(output) }
            return Claim(input: input, file: file, ownOutputs: own)
        } catch {
            try release(Claim(input: input, file: file, ownOutputs: []))
            throw error
        }
    }

    /// Notes outputs before they are written, so that they are known as our own after a crash.
    package func plan(_ paths: [String], of claim: Claim) throws(UndertextError) {
        let own = Set(claim.ownOutputs.map(\.path))
        var planned: [String] = []
        for path in paths {
            let output = RecordedOutput(path: path, size: nil)
            let exists = own.contains(path) ? false : try output.exists(in: outputs)
            if !exists { planned.append(path) }
        }
        guard !planned.isEmpty else { return }
        try log.append(claim.file, planned: planned)
        try with { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                for path in planned { try connection.plan(path, of: claim.input) }
            }
        }
    }

    /// Notes the outcome of an input, after its outputs have their final names.
    ///
    /// Outputs that earlier runs wrote or planned and that still exist are kept: they are no inputs, and a later run
    /// may replace them.
    package func finish(_ claim: Claim, _ finished: FinishedInput) throws(UndertextError) {
        try requireFile()
        var finished = finished
        let written = Set(finished.outputs.map(\.path))
        for output in finished.outputs {
            outputs.note(output.path, size: output.size ?? 0, isFolder: output.isFolder)
        }
        let earlier = try with { connection throws(SQLiteError) in
            try connection.outputs(of: claim.input)
        }
        for var output in earlier where !written.contains(output.path) && isKept(output) {
            output.isCurrent = false
            finished.outputs.append(output)
        }
        try with { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.finish(claim.input, finished)
            }
        }
        try log.append(claim.file, finished)
    }

    /// `true` for an output that exists and is ours, also if object storage does not say so now.
    private func isKept(_ output: RecordedOutput) -> Bool {
        do throws(UndertextError) {
            guard try output.exists(in: outputs) else { return false }
            return try output.isOurs(in: outputs)
        } catch {
            return true
        }
    }

    /// Gives an input back whose work was stopped, as if it had not begun.
    package func release(_ claim: Claim) throws(UndertextError) {
        try with { connection throws(SQLiteError) in
            try connection.release(claim.input)
        }
    }

    /// Ends the run: its claims, if any are left, are free.
    package func close() throws(UndertextError) {
        try with { connection throws(SQLiteError) in
            try connection.removeOwner(owner)
            try connection.checkpoint()
        }
        locks.unlock(owner)
    }

    /// Adds the inputs of another log to the tables and to the own log.
    func add(log path: String) throws(UndertextError) {
        // In a log the last entry of an input counts.
        try log.append(linesOf: path) { entry throws(UndertextError) in
            let time = try with { connection throws(SQLiteError) in
                try connection.finishedTime(of: entry.file.path)
            }
            return time.map { $0 <= entry.time } ?? true
        }
        try with { connection throws(SQLiteError) in
            try connection.rebuild(from: path, keepingNewer: true)
        }
    }
}
