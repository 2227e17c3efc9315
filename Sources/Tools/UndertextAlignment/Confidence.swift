/// The probability that an alignment is right: one that puts four of five cues within half a second of their times.
///
/// It is a logistic regression. That for cues was fitted to 1320 pairs of `Tests/Benchmarks/Sync`, of which 1104 belong
/// together; that for speech to 1199 pairs, of which 564 belong together, with ranges of speech that are missing, invented and
/// inaccurate. Both have whole films and parts from 6 cues on.
enum Confidence {
    /// - Parameters:
    ///   - reference: The kind of the times of the other side.
    ///   - evidence: The evidence, less the penalties of breaks.
    ///   - share: The share of cues with a boundary of the other side within half a second, from 0 to 1.
    ///   - chance: That share at arbitrary offsets.
    /// - Returns: The probability.
    static func probability(
        with reference: AlignmentOptions.Reference, evidence: Double, share: Double, chance: Double
    ) -> Double {
        let root = max(0, evidence).squareRoot()
        switch reference {
        case .cues: return 1 / (1 + exp(6.33 - 0.302 * root - 8.95 * share))
        case .speech:
            // Speech has so many boundaries that many cues have one nearby at any offset.
            let excess = (share - chance) / max(0.05, 1 - chance)
            return 1 / (1 + exp(7.97 - 1.3 * root - 1.38 * excess))
        }
    }
}
