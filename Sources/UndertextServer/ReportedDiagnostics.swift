internal import UndertextCore

/// The diagnostics already reported, so that each kind is reported once.
struct ReportedDiagnostics: Sendable {
    private var known: Set<String> = []
    /// Messages may hold what the upstream says, which is never twice the same.
    private static let mostKnown = 256

    mutating func isNew(_ diagnostic: Diagnostic) -> Bool {
        if known.count >= Self.mostKnown { known = [] }
        return known.insert(diagnostic.code + diagnostic.message).inserted
    }
}
