internal import CueModel
internal import SubtitleCodecs

/// A format that cues are written to, for what it cannot carry.
enum TextTarget {
    case webVTT
    case subRip
}

/// What the stored form of a cue holds beyond its neutral form, and `target` cannot carry.
///
/// The times of syllables are part of the neutral form: WebVTT carries them.
func sourceLosses(of cue: Cue, target: TextTarget) -> Set<LossLedger.Kind> {
    guard case .ass(let line) = cue.source else { return [] }
    var kinds = Set(ASSEvent.features(of: line).lossKinds)
    if target == .webVTT { kinds.remove(.karaoke) }
    return kinds
}

extension LossLedger {
    /// Counts what `cue` lost: `kinds`, and what only its stored form holds.
    mutating func record(_ kinds: Set<Kind>, of cue: Cue, target: TextTarget) {
        if kinds.isEmpty, cue.isPlain { return }
        let stored = sourceLosses(of: cue, target: target)
        if kinds.isEmpty, stored.isEmpty { return }
        for kind in stored.union(kinds).sorted() { record(kind, in: cue) }
    }
}

extension Set<LossLedger.Kind> {
    /// The kinds in the order of their declaration.
    func sorted() -> [LossLedger.Kind] { LossLedger.Kind.allCases.filter(contains) }
}
