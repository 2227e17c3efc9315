/// How packets are found in a container.
public enum ReadPath: String, Hashable, Sendable, CaseIterable {
    /// By the container's own index: only what is wanted is read.
    case index
    /// By the headers of all blocks or transport packets: of other tracks only they are looked at.
    case walk
    /// By reading everything, through libavformat.
    case scan
    /// A subtitle file, read whole.
    case file
}

/// Which path the user wants.
public enum ReadPathPreference: String, Hashable, Sendable, CaseIterable {
    /// The cheapest path that is proved complete.
    case auto
    /// The index, or an error that says why not.
    case index
    /// The walk over the headers of all blocks, or an error that says why not.
    case walk
    /// A full scan.
    case scan
}

/// How an input was read, for the report.
public struct ReadSummary: Hashable, Sendable {
    /// The path that was taken.
    public var path: ReadPath
    /// What proved the index complete: `statistics` or `muxer`.
    public var proof: String?
    /// Paths that were not taken, and why.
    public var refused: [Refusal]
    /// What was asked of the source.
    public var statistics: ReadStatistics

    /// A path that was not taken.
    public struct Refusal: Hashable, Sendable {
        /// The path.
        public var path: ReadPath
        /// Why, as a sentence.
        public var reason: String

        /// Creates a refusal.
        public init(path: ReadPath, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// Creates a summary.
    public init(
        path: ReadPath, proof: String? = nil, refused: [Refusal] = [],
        statistics: ReadStatistics = ReadStatistics()
    ) {
        self.path = path
        self.proof = proof
        self.refused = refused
        self.statistics = statistics
    }
}
