/// The assumed duration of unseen segments.
extension MediaPlaylist {
    /// The target duration, or the longest segment's duration if the target far exceeds it; `nil` if it is not
    /// stated.
    ///
    /// A target duration far above all segments is useless as a bound.
    /// RFC 8216, section 4.3.3.1.
    public var plausibleTargetDuration: Duration? {
        guard let targetDuration, let longest = segments.map(\.duration).max(), longest > .zero,
            targetDuration > longest * Self.mostTimesLonger
        else { return targetDuration }
        return longest
    }

    /// The end of a stream may show short segments alone.
    private static var mostTimesLonger: Int { 4 }
}
