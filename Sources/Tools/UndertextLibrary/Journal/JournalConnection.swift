internal import UndertextCore
internal import UndertextIO
internal import UndertextSQLite

/// The statements of a journal.
///
/// Not `Sendable`: ``Journal`` lets one thread in at a time.
final class JournalConnection {
    private let database: SQLiteDatabase
    private let rowByPath: SQLiteStatement
    private let rowsByContent: SQLiteStatement
    private let outputsOfInput: SQLiteStatement
    private let outputByPath: SQLiteStatement
    private let startInput: SQLiteStatement
    private let planOutput: SQLiteStatement
    private let finishInput: SQLiteStatement
    private let dropOutputs: SQLiteStatement
    private let addOutput: SQLiteStatement
    private let moveInput: SQLiteStatement
    private let releaseInput: SQLiteStatement
    private let timeOfInput: SQLiteStatement

    init(path: String) throws(SQLiteError) {
        database = try SQLiteDatabase(path: PathText.systemPath(path), mode: .create)
        database.setBusyTimeout(milliseconds: 20_000)
        try database.execute("PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON")
        switch try JournalSchema.examine(database) {
        case .isEmpty:
            try Self.configure(database)
            try database.execute(JournalSchema.creation)
        case .isCurrent:
            try Self.configure(database)
            let check = try database.row("PRAGMA quick_check(1)")?.first?.text
            guard check == "ok" else {
                throw SQLiteError.damaged(check ?? "the check gave no result")
            }
        case .isForeign:
            throw SQLiteError.refused("it is a database of another program; choose another file")
        case .isNewer:
            throw SQLiteError.refused("a newer version of undertext made it")
        }
        rowByPath = try database.prepare(
            "SELECT \(JournalRow.columns) FROM inputs WHERE path = ?")
        rowsByContent = try database.prepare(
            """
            SELECT \(JournalRow.columns) FROM inputs
            WHERE size = ? AND modified = ? AND options = ? AND state = 'done' LIMIT 10
            """)
        outputsOfInput = try database.prepare(
            "SELECT path, size, is_current FROM outputs WHERE input = ?")
        outputByPath = try database.prepare("SELECT 1 FROM outputs WHERE path = ?")
        startInput = try database.prepare(
            """
            INSERT INTO inputs(path, size, modified, device, inode, options, state, owner, attempts)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'started', ?7, 1)
            ON CONFLICT(path) DO UPDATE SET size = ?2, modified = ?3, device = ?4, inode = ?5,
                options = ?6, owner = ?7, outcome = NULL, exit_code = NULL, finished = NULL,
                record = NULL, fingerprint = NULL,
                attempts = CASE state WHEN 'started' THEN attempts + 1 ELSE 1 END,
                revision = revision + 1, state = 'started'
            RETURNING id
            """)
        planOutput = try database.prepare(
            """
            INSERT INTO outputs(path, input, size, is_current) VALUES (?1, ?2, NULL, 1)
            ON CONFLICT(path) DO UPDATE SET input = ?2, size = NULL, is_current = 1
            """)
        finishInput = try database.prepare(
            """
            UPDATE inputs SET state = 'done', owner = NULL, attempts = 0, outcome = ?2,
                exit_code = ?3, fingerprint = ?4, finished = ?5, record = ?6,
                size = CASE ?7 WHEN 1 THEN -1 ELSE size END WHERE id = ?1
            """)
        dropOutputs = try database.prepare("DELETE FROM outputs WHERE input = ?")
        addOutput = try database.prepare(
            """
            INSERT INTO outputs(path, input, size, is_current) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT(path) DO UPDATE SET input = ?2, size = ?3, is_current = ?4
            """)
        moveInput = try database.prepare(
            "UPDATE inputs SET path = ?2, device = ?3, inode = ?4 WHERE id = ?1")
        releaseInput = try database.prepare(
            "UPDATE inputs SET owner = NULL, attempts = max(0, attempts - 1) WHERE id = ?")
        timeOfInput = try database.prepare("SELECT finished FROM inputs WHERE path = ?")
    }

    private static func configure(_ database: SQLiteDatabase) throws(SQLiteError) {
        _ = try database.row("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA synchronous = NORMAL")
    }

    /// Runs `work` as one transaction.
    func transaction<Value>(
        _ work: () throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        try database.execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let value = try work()
            try database.execute("COMMIT")
            return value
        } catch {
            // A failed commit may have ended the transaction already.
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    // MARK: - Runs

    func identifier(ofOptions text: String) throws(SQLiteError) -> Int64 {
        try database.prepare("INSERT OR IGNORE INTO options(text) VALUES (?)").run([.text(text)])
        let row = try database.row("SELECT id FROM options WHERE text = ?", [.text(text)])
        guard let id = row?.first?.integer else { throw .damaged("the options are missing") }
        return id
    }

    func addOwner() throws(SQLiteError) -> Int64 {
        try database.prepare("INSERT INTO owners(host, pid, started) VALUES (?, ?, ?)").run([
            .text(SystemEnvironment.hostName), .integer(Int64(SystemEnvironment.processID)),
            .integer(FileSystem.now.nanoseconds / 1_000_000_000),
        ])
        return database.lastRow
    }

    /// Removes the rows of runs that did not end properly; their claims are free then.
    func removeDeadOwners(
        isAlive: (Int64) -> Bool, except own: Int64
    ) throws(SQLiteError) {
        let owners = try database.prepare("SELECT id FROM owners").rows()
        for case .integer(let owner)? in owners.map(\.first) where owner != own && !isAlive(owner) {
            try removeOwner(owner)
        }
    }

    /// `true` if no other run has the journal open.
    func isOnlyOwner(_ own: Int64) throws(SQLiteError) -> Bool {
        try database.row("SELECT 1 FROM owners WHERE id <> ?", [.integer(own)]) == nil
    }

    /// Merges what was written into the one file, so that it can be copied.
    func checkpoint() throws(SQLiteError) {
        _ = try database.row("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func removeOwner(_ owner: Int64) throws(SQLiteError) {
        try database.prepare("UPDATE inputs SET owner = NULL WHERE owner = ?").run([
            .integer(owner)
        ])
        try database.prepare("DELETE FROM owners WHERE id = ?").run([.integer(owner)])
    }

    // MARK: - Inputs

    /// `true` if no work was recorded.
    func isEmpty() throws(SQLiteError) -> Bool {
        try database.row("SELECT 1 FROM inputs LIMIT 1") == nil
    }

    func row(of path: String) throws(SQLiteError) -> JournalRow? {
        try rowByPath.row([.path(path)]).flatMap(JournalRow.init)
    }

    func isOutput(_ path: String) throws(SQLiteError) -> Bool {
        try outputByPath.row([.path(path)]) != nil
    }

    func outputs(of input: Int64) throws(SQLiteError) -> [RecordedOutput] {
        try outputsOfInput.rows([.integer(input)]).compactMap { values in
            guard values.count == 3, let path = values[0].blob else { return nil }
            return RecordedOutput(
                path: PathText.text(of: path), size: values[1].integer,
                isCurrent: values[2].integer != 0)
        }
    }

    func start(
        _ file: FoundFile, options: Int64, owner: Int64?
    ) throws(SQLiteError) -> Int64 {
        let status = file.status
        let row = try startInput.row([
            .path(file.path), .integer(status.size), .integer(status.modified),
            .integer(Int64(bitPattern: status.device)), .integer(Int64(bitPattern: status.inode)),
            .integer(options), .optional(owner),
        ])
        guard let id = row?.first?.integer else { throw .damaged("an input has no row") }
        return id
    }

    func plan(_ path: String, of input: Int64) throws(SQLiteError) {
        try planOutput.run([.path(path), .integer(input)])
    }

    /// The time when work on an input ended, in seconds since 1970; `nil` if it did not.
    func finishedTime(of path: String) throws(SQLiteError) -> Int64? {
        try timeOfInput.row([.path(path)])?.first?.integer
    }

    func finish(
        _ input: Int64, _ finished: FinishedInput,
        at time: Int64 = FileSystem.now.nanoseconds / 1_000_000_000
    ) throws(SQLiteError) {
        try finishInput.run([
            .integer(input), .text(finished.outcome.rawValue),
            .integer(Int64(finished.exitCode)), .optional(finished.fingerprint),
            .integer(time),
            .text(String(decoding: finished.record.compact, as: UTF8.self)),
            .integer(finished.isGone ? 1 : 0),
        ])
        try dropOutputs.run([.integer(input)])
        for output in finished.outputs { try add(output, of: input) }
    }

    private func add(_ output: RecordedOutput, of input: Int64) throws(SQLiteError) {
        try addOutput.run([
            .path(output.path), .integer(input), .optional(output.size),
            .integer(output.isCurrent ? 1 : 0),
        ])
    }

    func release(_ input: Int64) throws(SQLiteError) { try releaseInput.run([.integer(input)]) }

    // MARK: - Renamed files

    /// Takes over the row of a file that was renamed together with its outputs.
    ///
    /// - Returns: The path that it had; `nil` if there is no such file.
    func adopt(_ file: FoundFile, options: Int64) throws(SQLiteError) -> String? {
        // A copy of an object has a time of its own.
        guard !S3Location.isLocation(file.path) else { return nil }
        let values: [SQLiteValue] = [
            .integer(file.status.size), .integer(file.status.modified), .integer(options),
        ]
        let candidates = try rowsByContent.rows(values).compactMap(JournalRow.init)
            .filter { $0.fingerprint != nil && !FileSystem.exists($0.path) }
        guard !candidates.isEmpty, let fingerprint = try? Fingerprint.of(file.path) else {
            return nil
        }
        for row in candidates where row.fingerprint == fingerprint {
            let outputs = try outputs(of: row.id).filter(\.isCurrent)
            let moved = outputs.compactMap { renamed($0, from: row.path, to: file.path) }
            guard moved.count == outputs.count, moved.allSatisfy(isThere) else {
                continue
            }
            try transaction { () throws(SQLiteError) in
                try moveInput.run([
                    .integer(row.id), .path(file.path),
                    .integer(Int64(bitPattern: file.status.device)),
                    .integer(Int64(bitPattern: file.status.inode)),
                ])
                try dropOutputs.run([.integer(row.id)])
                for output in moved { try add(output, of: row.id) }
            }
            return row.path
        }
        return nil
    }

    private func isThere(_ output: RecordedOutput) -> Bool {
        let store = OutputStore()
        return (try? output.exists(in: store) && output.isOurs(in: store)) == true
    }

    /// The output beside a file after both were renamed; `nil` if it was not beside the file.
    private func renamed(
        _ output: RecordedOutput, from old: String, to new: String
    ) -> RecordedOutput? {
        func stem(_ path: String) -> String {
            PathName.joining(PathName.directoryName(path), PathName.stem(path))
        }
        let prefix = stem(old)
        guard output.path.hasPrefix(prefix) else { return nil }
        var output = output
        output.path = stem(new) + output.path.dropFirst(prefix.count)
        return output
    }
}

extension SQLiteError {
    /// Content that no journal has; C: `SQLITE_CORRUPT`.
    static func damaged(_ message: String) -> SQLiteError {
        SQLiteError(code: 11, message: message)
    }
    /// A file that is not to be touched; C: `SQLITE_ERROR`.
    static func refused(_ message: String) -> SQLiteError { SQLiteError(code: 1, message: message) }
}
