internal import MediaCore

/// What is noted of a document: of each kind the first few, since a file may be wrong a million times.
struct TTMLNotes {
    private struct Entry {
        var severity: Diagnostic.Severity
        var code: String
        var suppressed = 0
        var kept = 0
    }

    /// How many notes of one code are kept.
    private static let keptAtMost = 20

    private var diagnostics: [Diagnostic] = []
    private var entries: [Entry] = []

    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, _ message: @autoclosure () -> String,
        time: Timestamp? = nil, offset: Int? = nil
    ) {
        let place: Int
        if let known = entries.firstIndex(where: { $0.code == code }) {
            place = known
        } else {
            place = entries.count
            entries.append(Entry(severity: severity, code: code))
        }
        guard entries[place].kept < Self.keptAtMost else {
            entries[place].suppressed += 1
            return
        }
        entries[place].kept += 1
        diagnostics.append(
            Diagnostic(
                severity, code, message(), time: time,
                byteOffset: offset.flatMap { UInt64(exactly: $0) }))
    }

    /// What was noted since the last call, and how often what was not kept.
    mutating func take() -> [Diagnostic] {
        var taken = diagnostics
        for entry in entries where entry.suppressed > 0 {
            taken.append(
                Diagnostic(
                    entry.severity, entry.code,
                    "the same occurs \(entry.suppressed) more"
                        + (entry.suppressed == 1 ? " time" : " times")))
        }
        diagnostics = []
        entries = []
        return taken
    }
}
