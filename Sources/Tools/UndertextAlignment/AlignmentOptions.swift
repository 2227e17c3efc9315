package import UndertextCore

/// The limits of the search for an alignment.
package struct AlignmentOptions: Hashable, Sendable {
    /// The factors for times that are tried.
    package enum Speeds: Hashable, Sendable {
        /// No change and the quotients of the usual frame rates; any other factor if none of these fits.
        case automatic
        /// One factor.
        case fixed(TimeBase)
    }

    /// The times with which cues are compared.
    package enum Reference: Hashable, Sendable {
        /// Those of cues.
        case cues
        /// Those of speech, which begins and ends more often.
        case speech
    }

    /// The times with which cues are compared.
    package var reference = Reference.cues
    /// The factors for times that are tried.
    package var speeds = Speeds.automatic
    /// `true` if the offset may change on the way: advertisements, cuts, several discs.
    package var allowsBreaks = true
    /// The largest offset, in both directions.
    package var largestOffset = Duration.seconds(600)

    /// The defaults.
    package init() {}
}
