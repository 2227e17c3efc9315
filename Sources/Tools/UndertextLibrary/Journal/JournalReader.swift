package import UndertextCore
internal import UndertextIO
internal import UndertextSQLite

/// A journal that is only read, also while runs work with it.
package final class JournalReader {
    /// The inputs of a journal in numbers.
    package struct Counts: Hashable, Sendable {
        /// Inputs that were finished, by outcome.
        package var outcomes: [RecordedOutcome: Int] = [:]
        /// Inputs that a run works on.
        package var inWork = 0
        /// Inputs whose run ended before they were finished.
        package var interrupted = 0
    }

    private let path: String
    private let database: SQLiteDatabase
    private let known: SQLiteStatement
    /// Records that are in memory at a time.
    private static let pageSize: Int64 = 256

    /// Opens a journal.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``UndertextError`` with code `not-found`, or if it is no journal of this version.
    package init(path: String) throws(UndertextError) {
        self.path = path
        guard FileSystem.exists(path) else {
            throw UndertextError(
                .notFound, "there is no journal of these roots; specify them as for the run",
                path: path, remedy: .set(.journal))
        }
        do throws(SQLiteError) {
            database = try SQLiteDatabase(path: PathText.systemPath(path), mode: .readOnly)
            database.setBusyTimeout(milliseconds: 20_000)
            guard try JournalSchema.examine(database) == .isCurrent else {
                throw SQLiteError.refused("it is no journal that this version can read")
            }
            known = try database.prepare(
                """
                SELECT 1 FROM inputs WHERE path = ?1 AND state = 'done'
                UNION ALL SELECT 1 FROM outputs WHERE path = ?1
                """)
        } catch {
            throw error.journalError(path)
        }
    }

    /// The inputs in numbers.
    package func counts() throws(UndertextError) -> Counts {
        let lockPath = path + ".lock"
        let locks = FileSystem.exists(lockPath) ? try ProcessLocks(path: lockPath) : nil
        var counts = Counts()
        do throws(SQLiteError) {
            let rows = try database.prepare(
                "SELECT state, outcome, owner, count(*) FROM inputs GROUP BY 1, 2, 3"
            ).rows()
            for row in rows where row.count == 4 {
                let number = Int(clamping: row[3].integer ?? 0)
                if row[0].text == "done" {
                    guard let outcome = row[1].text.flatMap(RecordedOutcome.init(rawValue:)) else {
                        throw SQLiteError.damaged("an outcome is unknown")
                    }
                    counts.outcomes[outcome, default: 0] += number
                } else if let owner = row[2].integer, locks?.isLockedElsewhere(owner) == true {
                    counts.inWork += number
                } else {
                    counts.interrupted += number
                }
            }
        } catch {
            throw error.journalError(path)
        }
        return counts
    }

    /// `true` if a file was finished, or is an output.
    package func knows(_ path: String) throws(UndertextError) -> Bool {
        do throws(SQLiteError) {
            return try known.row([.path(path)]) != nil
        } catch {
            throw error.journalError(self.path)
        }
    }

    /// The arguments that decided the outputs, one list for each of the different runs.
    package func arguments() throws(UndertextError) -> [[String]] {
        do throws(SQLiteError) {
            return try database.prepare(
                "SELECT text FROM options WHERE id IN (SELECT options FROM inputs)"
            ).rows().compactMap { row in
                row.first?.text.flatMap { try? JSON(parsing: $0.utf8) }?.elements
                    .compactMap(\.text)
            }
        } catch {
            throw error.journalError(path)
        }
    }

    /// Calls `body` with the record of each finished input, in the order of the bytes of their paths.
    ///
    /// - Parameters:
    ///   - outcomes: The outcomes to report.
    ///   - body: Gets the path and the record, as in the report of the run that finished it.
    /// - Throws: ``UndertextError`` of the journal or of `body`.
    package func forEachRecord(
        of outcomes: Set<RecordedOutcome> = Set(RecordedOutcome.allCases),
        _ body: (String, JSON) throws(UndertextError) -> Void
    ) throws(UndertextError) {
        let words = outcomes.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        var last = SQLiteValue.blob([])
        while true {
            let rows: [[SQLiteValue]]
            do throws(SQLiteError) {
                rows = try database.prepare(
                    """
                    SELECT path, record FROM inputs
                    WHERE state = 'done' AND outcome IN (\(words)) AND path > ?
                    ORDER BY path LIMIT \(Self.pageSize)
                    """
                ).rows([last])
            } catch {
                throw error.journalError(path)
            }
            guard let next = rows.last?.first else { return }
            last = next
            for row in rows where row.count == 2 {
                guard let name = row[0].blob, let text = row[1].text,
                    let record = try? JSON(parsing: text.utf8)
                else { throw SQLiteError.damaged("a record is unreadable").journalError(path) }
                try body(PathText.text(of: name), record)
            }
        }
    }
}

extension Journal {
    /// Joins journals into a new one, such as those of the parts of a manifest.
    ///
    /// Their logs are read, so runs may go on, and logs may be on network file systems. If several journals have an
    /// input, the newest result counts.
    ///
    /// - Parameters:
    ///   - sources: The files of the journals, or of their logs.
    ///   - path: The new file.
    /// - Throws: ``UndertextError`` if a source has no log, if `path` exists, or if it cannot be written; no new file
    ///   is left then.
    package static func merge(
        _ sources: [String], into path: String
    ) throws(UndertextError) {
        let logs = sources.map { $0.hasSuffix(".log") ? $0 : JournalLog.path(for: $0) }
        for log in logs where !FileSystem.exists(log) {
            throw UndertextError(
                .notFound, "there is no such log; specify the journal of each part", path: log)
        }
        guard !FileSystem.exists(path), !FileSystem.exists(JournalLog.path(for: path)) else {
            throw UndertextError(.outputExists, "the journal exists already", path: path)
        }
        do throws(UndertextError) {
            let journal = try Journal(path: path, options: "[]")
            for log in logs { try journal.add(log: log) }
            try journal.close()
        } catch {
            for ending in ["", "-wal", "-shm", ".log", ".lock"] {
                FileSystem.removeFile(path + ending)
            }
            throw error
        }
    }
}
