internal import CUndertextSQLite

/// A value of a column or a parameter.
package enum SQLiteValue: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// The number; `nil` for other values.
    package var integer: Int64? {
        if case .integer(let value) = self { return value }
        return nil
    }
    /// The text; `nil` for other values.
    package var text: String? {
        if case .text(let value) = self { return value }
        return nil
    }
    /// The bytes; `nil` for other values.
    package var blob: [UInt8]? {
        if case .blob(let value) = self { return value }
        return nil
    }
}

/// An open database; C: `sqlite3 *`.
///
/// Not `Sendable`: one thread at a time.
@safe
package final class SQLiteDatabase {
    /// The mode of opening a file.
    package enum Mode: Sendable {
        /// Reads and writes; creates the file if it is missing.
        case create
        /// Reads only; the file must exist.
        case readOnly
    }

    fileprivate let library: SQLiteLibrary
    fileprivate let handle: OpaquePointer

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The bytes of the path, with a terminating zero.
    ///   - mode: How it is opened.
    /// - Throws: ``SQLiteError``, also if the library is not installed.
    package init(path: [CChar], mode: Mode) throws(SQLiteError) {
        library = try SQLiteLibrary.load()
        var opened: OpaquePointer?
        let flags =
            mode == .create
            ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        // One thread at a time, so SQLite needs no lock of its own.
        let code = unsafe library.functions.pointee.sqlite3_open_v2(
            path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let database = unsafe opened else {
            let error = unsafe Self.error(library, opened, code)
            unsafe _ = library.functions.pointee.sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = database
        // A record of the largest report fits; a hostile file cannot make us allocate more.
        unsafe _ = library.functions.pointee.sqlite3_limit(
            database, SQLITE_LIMIT_LENGTH, 64 << 20)
    }

    deinit { unsafe _ = library.functions.pointee.sqlite3_close_v2(handle) }

    /// Sets how long statements wait for the locks of other processes.
    package func setBusyTimeout(milliseconds: Int32) {
        unsafe _ = library.functions.pointee.sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Runs statements that return no rows, or whose rows do not matter.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe library.functions.pointee.sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Prepares a statement, to be used many times.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var made: OpaquePointer?
        let code = unsafe library.functions.pointee.sqlite3_prepare_v2(handle, sql, -1, &made, nil)
        guard code == SQLITE_OK, let statement = unsafe made else { throw error(code) }
        return unsafe SQLiteStatement(adopting: statement, of: self)
    }

    /// The first row of a query that is run once; `nil` if it has none.
    package func row(
        _ sql: String, _ values: [SQLiteValue] = []
    ) throws(SQLiteError) -> [SQLiteValue]? {
        try prepare(sql).row(values)
    }

    /// The rows that the last statement changed.
    package var changes: Int {
        unsafe Int(library.functions.pointee.sqlite3_changes(handle))
    }

    /// The identifier of the row that was inserted last.
    package var lastRow: Int64 {
        unsafe library.functions.pointee.sqlite3_last_insert_rowid(handle)
    }

    fileprivate func error(_ code: Int32) -> SQLiteError {
        unsafe Self.error(library, handle, code)
    }

    private static func error(
        _ library: SQLiteLibrary, _ handle: OpaquePointer?, _ code: Int32
    ) -> SQLiteError {
        guard let handle = unsafe handle else {
            return SQLiteError(code: code, message: "no memory")
        }
        let text = unsafe library.functions.pointee.sqlite3_errmsg(handle).map {
            unsafe String(cString: $0)
        }
        let extended = unsafe library.functions.pointee.sqlite3_extended_errcode(handle)
        return SQLiteError(
            code: extended & 0xFF == code & 0xFF ? extended : code, message: text ?? "")
    }
}

/// A prepared statement; C: `sqlite3_stmt *`.
@safe
package final class SQLiteStatement {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    fileprivate init(adopting handle: OpaquePointer, of database: SQLiteDatabase) {
        self.database = database
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe _ = functions.pointee.sqlite3_finalize(handle) }

    private var functions: UnsafePointer<CSQLiteFunctions> {
        unsafe database.library.functions
    }

    /// Runs the statement to its end.
    package func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
        try enumerate(values) { _ in true }
    }

    /// The first row; `nil` if there is none.
    package func row(_ values: [SQLiteValue] = []) throws(SQLiteError) -> [SQLiteValue]? {
        var first: [SQLiteValue]?
        try enumerate(values) {
            first = $0
            return false
        }
        return first
    }

    /// All rows: for few.
    package func rows(_ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        try enumerate(values) {
            rows.append($0)
            return true
        }
        return rows
    }

    /// Calls `body` with one row after the other until it returns `false`.
    package func enumerate(
        _ values: [SQLiteValue] = [], _ body: ([SQLiteValue]) -> Bool
    ) throws(SQLiteError) {
        defer { unsafe _ = functions.pointee.sqlite3_reset(handle) }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            let code = unsafe functions.pointee.sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw database.error(code) }
            if !body(columns) { return }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        let code: Int32
        switch value {
        case .null: code = unsafe functions.pointee.sqlite3_bind_null(handle, index)
        case .integer(let number):
            code = unsafe functions.pointee.sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            code = text.withUTF8 { bytes in
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                guard let start = bytes.baseAddress else {
                    return unsafe csqlite_bind_text(functions, handle, index, "", 0)
                }
                return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    unsafe csqlite_bind_text(functions, handle, index, $0, count)
                }
            }
        case .blob(let bytes):
            guard let count = Int32(exactly: bytes.count) else {
                throw SQLiteError(code: SQLITE_TOOBIG, message: "the value is too large")
            }
            code = unsafe bytes.withUnsafeBytes {
                unsafe csqlite_bind_blob(functions, handle, index, $0.baseAddress, count)
            }
        }
        guard code == SQLITE_OK else { throw database.error(code) }
    }

    private var columns: [SQLiteValue] {
        let count = unsafe functions.pointee.sqlite3_column_count(handle)
        return (0..<max(0, count)).map { column($0) }
    }

    private func column(_ index: Int32) -> SQLiteValue {
        let type = unsafe functions.pointee.sqlite3_column_type(handle, index)
        switch type {
        case SQLITE_INTEGER:
            return unsafe .integer(functions.pointee.sqlite3_column_int64(handle, index))
        case SQLITE_TEXT, SQLITE_BLOB:
            // The bytes must be read first: their number is that of the last requested type.
            let start = unsafe functions.pointee.sqlite3_column_blob(handle, index)
            let count = unsafe Int(functions.pointee.sqlite3_column_bytes(handle, index))
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
            if type == SQLITE_BLOB { return unsafe .blob(Array(bytes)) }
            return unsafe .text(String(decoding: bytes, as: UTF8.self))
        default: return .null
        }
    }
}
