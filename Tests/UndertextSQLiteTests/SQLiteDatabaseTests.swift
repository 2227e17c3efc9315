import TestSupport
import Testing
import UndertextSQLite

/// Values go into a database and come out as they were.
@Suite struct SQLiteDatabaseTests {
    let folder = TemporaryDirectory()

    private func open(_ name: String) throws -> SQLiteDatabase {
        try SQLiteDatabase(path: Array((folder / name).utf8CString), mode: .create)
    }

    @Test func keepsEveryKindOfValue() throws {
        let database = try open("values")
        try database.execute("CREATE TABLE t(a, b, c, d, e, f)")
        let values: [SQLiteValue] = [
            .null, .integer(.min), .text("é\u{0}x"), .blob([0, 255, 7]), .text(""), .blob([]),
        ]
        let insert = try database.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)")
        try insert.run(values)
        #expect(database.changes == 1)
        #expect(try database.row("SELECT * FROM t") == values)
        #expect(try database.row("SELECT * FROM t WHERE b = 1") == nil)
    }

    @Test func stopsWhenTheCallerHasEnough() throws {
        let database = try open("rows")
        let numbers = try database.prepare(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10) SELECT i FROM n"
        )
        var seen: [Int64?] = []
        try numbers.enumerate {
            seen.append($0.first?.integer)
            return seen.count < 3
        }
        #expect(seen == [1, 2, 3])
        #expect(try numbers.rows().count == 10)
    }

    @Test func saysWhatFailed() throws {
        let database = try open("errors")
        let wrong = #expect(throws: SQLiteError.self) { try database.execute("SELEKT") }
        #expect(wrong?.message.contains("SELEKT") == true)
        #expect(wrong?.isDamage == false)
        folder.write("this is no database, however long it is", to: "text")
        let text = try open("text")
        let damage = #expect(throws: SQLiteError.self) {
            _ = try text.row("SELECT count(*) FROM sqlite_schema")
        }
        #expect(damage?.isDamage == true)
    }

    @Test func doesNotWaitByDefault() throws {
        let (first, second) = (try open("locked"), try open("locked"))
        try first.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        let busy = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
        #expect(busy?.isBusy == true)
    }
}
