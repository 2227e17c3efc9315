/// A way to find packets in a container.
package enum ReadPath: String, Hashable, Sendable, CaseIterable {
    /// The container's index; only the selected packets are read.
    case index
    /// The headers of all blocks or transport packets; payloads of other tracks are skipped.
    case walk
    /// Reading everything with libavformat.
    case scan
    /// Reading a whole subtitle file.
    case file
}

/// The requested way to find packets.
package enum ReadPathPreference: String, Hashable, Sendable, CaseIterable {
    /// The cheapest path that is proven complete.
    case auto
    /// The index, or an error that states why it cannot be used.
    case index
    /// The walk over the headers of all blocks, or an error that states why it cannot be used.
    case walk
    /// A full scan.
    case scan
}

/// A summary of how an input was read.
package struct ReadSummary: Hashable, Sendable {
    /// The path that was used.
    package var path: ReadPath
    /// The proof that the index is complete: `statistics`, `muxer` or `nil`.
    package var proof: String?
    /// The paths that could not be used, with reasons.
    package var refused: [Refusal]
    /// The statistics of the reads.
    package var statistics: ReadStatistics

    /// A path that could not be used.
    package struct Refusal: Hashable, Sendable {
        /// The path.
        package var path: ReadPath
        /// The reason, as a sentence.
        package var reason: String

        /// Creates a refusal.
        package init(path: ReadPath, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// Creates a summary.
    package init(
        path: ReadPath, proof: String? = nil, refused: [Refusal] = [],
        statistics: ReadStatistics = ReadStatistics()
    ) {
        self.path = path
        self.proof = proof
        self.refused = refused
        self.statistics = statistics
    }
}
