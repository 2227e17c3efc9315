internal import UndertextCore

/// The diagnostics of a document: the first few of each kind, because a file may have a million errors.
struct TTMLNotes {
    /// The maximum number of diagnostics of one code.
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

    /// Returns the diagnostics since the last call, with the counts of those that were not kept.
    mutating func take() -> [Diagnostic] {
        defer {
            diagnostics = []
            counts = NoteCounts()
        }
        return diagnostics + counts.takeRest()
    }
}
