package import UndertextCore
internal import UndertextSQLite

/// The tables of a journal.
///
/// `Documentation/Batch.md` describes them for readers.
enum JournalSchema {
    /// "undt" in ASCII; C: `PRAGMA application_id`.
    static let applicationID: Int64 = 0x756E_6474
    /// The version of the tables; C: `PRAGMA user_version`.
    static let version: Int64 = 1

    static let creation = """
        BEGIN IMMEDIATE;
        CREATE TABLE options(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
        CREATE TABLE owners(
            id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, pid INTEGER NOT NULL,
            started INTEGER NOT NULL);
        CREATE TABLE inputs(
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, size INTEGER NOT NULL,
            modified INTEGER NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
            fingerprint INTEGER, options INTEGER NOT NULL REFERENCES options(id),
            state TEXT NOT NULL CHECK (state IN ('started', 'done')),
            owner INTEGER, attempts INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 1,
            outcome TEXT, exit_code INTEGER, finished INTEGER, record TEXT);
        CREATE INDEX inputs_by_content ON inputs(size, modified);
        CREATE TABLE outputs(
            path BLOB PRIMARY KEY, input INTEGER NOT NULL REFERENCES inputs(id) ON DELETE CASCADE,
            size INTEGER, is_current INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX outputs_by_input ON outputs(input);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        COMMIT;
        """

    /// The state of a file that was opened as a journal.
    enum Finding {
        case isEmpty
        case isCurrent
        case isForeign
        case isNewer
    }

    static func examine(_ database: SQLiteDatabase) throws(SQLiteError) -> Finding {
        let application = try database.row("PRAGMA application_id")?.first?.integer ?? 0
        let version = try database.row("PRAGMA user_version")?.first?.integer ?? 0
        if application == applicationID {
            return version == Self.version ? .isCurrent : .isNewer
        }
        let tables = try database.row("SELECT count(*) FROM sqlite_schema")?.first?.integer ?? 0
        return application == 0 && version == 0 && tables == 0 ? .isEmpty : .isForeign
    }
}

extension SQLiteError {
    /// The failure as an error about the journal.
    func journalError(_ path: String) -> UndertextError {
        let (code, text): (UndertextError.Code, String) =
            if isMissingLibrary {
                (
                    .missingLibrary,
                    "libsqlite3.so.0 is needed for the journal; install it with: apt-get install libsqlite3-0"
                )
            } else if isFull {
                (.noSpace, "there is no space left for the journal; free some")
            } else if isReadOnly {
                (.readOnly, "the journal cannot be written")
            } else if isBusy {
                (.io, "another process keeps the journal locked; try again when it has ended")
            } else if isDamage {
                (.malformed, "the journal is damaged")
            } else {
                (.io, "the journal cannot be used")
            }
        return UndertextError(
            code, text, path: path, underlying: message,
            remedy: isReadOnly ? .set(.journal) : nil)
    }
}

extension UndertextError.Code {
    /// A journal lies where SQLite cannot lock it.
    package static let networkJournal = UndertextError.Code(name: "journal-on-network")
}
