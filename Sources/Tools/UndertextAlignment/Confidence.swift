/// The probability that an alignment is right.
///
/// It is a logistic regression on the alignments of 1320 pairs of `Tests/Benchmarks/Sync`, of which 1104 belong together, whole
/// ones and parts from 6 cues on; right is one that puts four of five cues within half a second of their times.
enum Confidence {
    /// - Parameters:
    ///   - evidence: The evidence, less the penalties of breaks.
    ///   - share: The share of cues with a boundary of the other side within half a second, from 0 to 1.
    /// - Returns: The probability.
    static func probability(evidence: Double, share: Double) -> Double {
        1 / (1 + exp(6.33 - 0.302 * max(0, evidence).squareRoot() - 8.95 * share))
    }
}
