internal import UndertextCore

/// An entry of a subtitle menu, with its selection state.
public struct SubtitleEntry: Hashable, Sendable {
    /// The subtitles.
    public let info: SubtitleInfo
    /// The place for which they are selected; ``SubtitlePlace/first`` if for both, or `nil` if for none.
    public let place: SubtitlePlace?
    /// `true` if they are selected for the second place, even if also for the first.
    public let isSecond: Bool
}
