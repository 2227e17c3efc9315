internal import UndertextCore

extension TextFileNotes {
    /// Notes something about a line of a script; `column` counts bytes from 0.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, line: Int, column: Int,
        _ message: @autoclosure () -> String
    ) {
        add(severity, code, at: Place(line: line, column: column + 1), message())
    }
}
