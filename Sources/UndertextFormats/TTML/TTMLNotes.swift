internal import UndertextCore

/// What is noted of a document: of each kind the first few, since a file may be wrong a million times.
struct TTMLNotes {
    /// How many notes of one code are kept.
    private static let keptAtMost = 20

    private var diagnostics: [Diagnostic] = []
    private var counts = NoteCounts()

    mutating func add(
        _ severity: Diagnostic.Severity, _ code: String, _ message: @autoclosure () -> String,
        time: Timestamp? = nil, offset: Int? = nil
    ) {
        guard counts.keeps(severity, code, atMost: Self.keptAtMost) else { return }
        diagnostics.append(
            Diagnostic(
                severity, code, message(), time: time,
                byteOffset: offset.flatMap { UInt64(exactly: $0) }))
    }

    /// What was noted since the last call, and how often what was not kept.
    mutating func take() -> [Diagnostic] {
        defer {
            diagnostics = []
            counts = NoteCounts()
        }
        return diagnostics + counts.takeRest()
    }
}
