/// How long segments are taken to be where they are not seen.
extension MediaPlaylist {
    /// The target duration, or the longest segment's where it is far above that; `nil` if it is not told.
    ///
    /// A target far above all segments is no bound that anybody can go by.
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
