internal import UndertextCore

/// The diagnostics of a reader of text files, each with its line and column.
///
/// A file may have the same fault a million times: only the first notes of each code are kept, and one note at
/// the end states the number of the others.
struct TextFileNotes {
    /// A position in a text file.
    struct Place {
        /// The line, from 1.
        var line: Int
        /// The character in the line, from 1.
        var column = 1
    }

    /// The default for the number of diagnostics of a code that are kept.
    static let kept = 100

    private let diagnostics: DiagnosticSink
    /// By stream.
    private var counts: [Int?: NoteCounts] = [:]

    init(_ diagnostics: DiagnosticSink) { self.diagnostics = diagnostics }

    /// Adds a note at a position.
    ///
    /// At most `kept` notes of a code and stream are kept; 1 suits faults that recur throughout a file.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, at place: Place, stream: Int? = 0,
        kept: Int = TextFileNotes.kept, remedy: Remedy? = nil,
        _ message: @autoclosure () -> String
    ) {
        guard counts[stream, default: NoteCounts()].keeps(severity, code, atMost: kept) else {
            return
        }
        diagnostics.report(
            Diagnostic(
                severity, code, "line \(place.line), column \(place.column): \(message())",
                streamIndex: stream, remedy: remedy))
    }

    /// Reports the number of further occurrences at the end of the file.
    mutating func finish() {
        for stream in counts.keys.sorted(by: { ($0 ?? -1) < ($1 ?? -1) }) {
            diagnostics.report(counts[stream]?.takeRest(streamIndex: stream) ?? [])
        }
    }
}
