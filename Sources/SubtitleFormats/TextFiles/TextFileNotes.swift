internal import MediaCore

/// What a reader of a text file notes, each with its line and column.
///
/// A file may be wrong in the same way a million times: of each code only the first notes are
/// kept, the others are counted, and one note at the end says how many there were.
struct TextFileNotes {
    /// Where something stands in a text file.
    struct Place {
        /// The line, from 1.
        var line: Int
        /// The character in the line, from 1.
        var column = 1
    }

    /// How many notes of a code are kept, unless a call says otherwise.
    static let kept = 100

    private struct Count {
        var code: String
        var severity: Diagnostic.Severity
        var total = 0
        var suppressed = 0
    }

    private var diagnostics: [Diagnostic] = []
    private var counts: [Count] = []

    /// Notes something at a place.
    ///
    /// Of one code at most `kept` notes are kept: 1 suits what is a habit of a whole file.
    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, at place: Place,
        kept: Int = TextFileNotes.kept, _ message: @autoclosure () -> String
    ) {
        let index: Int
        if let known = counts.firstIndex(where: { $0.code == code }) {
            index = known
        } else {
            index = counts.count
            counts.append(Count(code: code, severity: severity))
        }
        counts[index].total += 1
        guard counts[index].total <= kept else {
            counts[index].suppressed += 1
            return
        }
        diagnostics.append(
            Diagnostic(
                severity, code, "line \(place.line), column \(place.column): \(message())",
                streamIndex: 0))
    }

    /// Says at the end of the file how often what was not noted by itself occurred.
    mutating func finish() {
        for index in counts.indices where counts[index].suppressed > 0 {
            let count = counts[index]
            diagnostics.append(
                Diagnostic(
                    count.severity, count.code,
                    "the same occurs \(count.suppressed) more"
                        + (count.suppressed == 1 ? " time" : " times"),
                    streamIndex: 0))
            counts[index].suppressed = 0
        }
    }

    /// What was noted since the last call.
    mutating func take() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }
}
