/// Subtitles of a list, and whether they are chosen.
public struct SubtitleEntry: Hashable, Sendable {
    /// The subtitles.
    public let info: SubtitleInfo
    /// The place that they are chosen for, the first one in both; `nil` = none.
    public let place: SubtitlePlace?
    /// `true` if they are chosen for the second place, be it for both.
    public let isSecond: Bool
}
