/// `true` if an index names every block of the chosen streams, and how that is known.
package enum IndexAssessment: Hashable, Sendable {
    /// It does.
    case usable(proof: IndexProof)
    /// There is no proof; the reason is a sentence for users.
    case refused(reason: String)
}

/// The proof that an index is complete.
package enum IndexProof: String, Hashable, Sendable {
    /// The muxer's count of frames equals the number of entries.
    case statistics
    /// The muxer is one that indexes every subtitle block, and samples found no other.
    case muxer
}
