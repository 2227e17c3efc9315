internal import CueModel

/// A format that cues are written to, for what it cannot carry.
enum TextTarget {
    case webVTT
    case subRip
}

/// What the stored form of a cue holds beyond its neutral form, and `target` cannot carry.
func sourceLosses(of cue: Cue, target: TextTarget) -> Set<LossLedger.Kind> {
    []
}

extension Set<LossLedger.Kind> {
    /// The kinds in the order of their declaration.
    func sorted() -> [LossLedger.Kind] { LossLedger.Kind.allCases.filter(contains) }
}
