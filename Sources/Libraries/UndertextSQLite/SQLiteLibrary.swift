internal import CUndertextSQLite

/// The functions of libsqlite3, looked up at the first use.
///
/// Immutable once made; the table is never freed, as the library is never unloaded.
@safe
final class SQLiteLibrary: @unchecked Sendable {
    /// The table of `shim.h`.
    let functions: UnsafePointer<CSQLiteFunctions>

    private init(adopting functions: UnsafePointer<CSQLiteFunctions>) {
        unsafe self.functions = unsafe functions
    }

    /// The library, loaded at the first call; every later call gives the same answer.
    static func load() throws(SQLiteError) -> SQLiteLibrary { try shared.get() }

    private static let shared: Result<SQLiteLibrary, SQLiteError> = {
        let table = UnsafeMutablePointer<CSQLiteFunctions>.allocate(capacity: 1)
        guard let said = unsafe csqlite_load(table) else {
            return unsafe .success(SQLiteLibrary(adopting: table))
        }
        let error = unsafe SQLiteError(
            code: SQLiteError.missingLibrary, message: String(cString: said))
        unsafe table.deallocate()
        return .failure(error)
    }()
}

/// A failure that SQLite reports.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The code of a library that cannot be loaded, which SQLite does not use.
    package static let missingLibrary: Int32 = -1

    /// SQLite's extended result code; C: `sqlite3_extended_errcode`.
    package let code: Int32
    /// The text of SQLite, or of the loader.
    package let message: String

    /// Creates an error.
    package init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    private var primary: Int32 { code == Self.missingLibrary ? code : code & 0xFF }

    /// `true` if the library is not installed.
    package var isMissingLibrary: Bool { code == Self.missingLibrary }
    /// `true` if the file is damaged; C: `SQLITE_CORRUPT`, `SQLITE_NOTADB`.
    package var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    /// `true` if another connection keeps the database locked; C: `SQLITE_BUSY`, `SQLITE_LOCKED`.
    package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
    /// `true` if the disk is full; C: `SQLITE_FULL`.
    package var isFull: Bool { primary == SQLITE_FULL }
    /// `true` if the file must not be written; C: `SQLITE_READONLY`.
    package var isReadOnly: Bool { primary == SQLITE_READONLY }
}
