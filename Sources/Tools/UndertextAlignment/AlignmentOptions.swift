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

    /// The factors for times that are tried.
    package var speeds = Speeds.automatic
    /// `true` if the offset may change on the way: advertisements, cuts, several discs.
    package var allowsBreaks = true
    /// The largest offset, in both directions.
    package var largestOffset = Duration.seconds(600)

    /// The defaults.
    package init() {}
}
