internal import UndertextCore

/// Cues of which nothing is shown: that is lost input, not something that is shown otherwise.
struct LostCues {
    /// The first ones tell enough.
    private static let toldAtMost = 1000

    private var diagnostics: [Diagnostic] = []

    /// Takes note of a cue that is not written.
    mutating func add(_ cue: Cue, _ reason: String) {
        guard diagnostics.count < Self.toldAtMost else { return }
        diagnostics.append(
            Diagnostic(.error, "lost-cue", "a cue is lost: \(reason)", time: cue.start))
    }

    /// What was lost since the last call.
    mutating func take() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics
    }
}
