/// What a stream carries, subtitles split by what they are made of.
public enum MediaKind: String, Hashable, Sendable {
    /// Moving images.
    case video
    /// Sound.
    case audio
    /// Subtitles made of text.
    case text
    /// Subtitles made of images.
    case bitmap
    /// A file inside the file: fonts, covers.
    case attachment
    /// Anything else.
    case data

    /// `true` if it is a subtitle stream.
    public var isSubtitle: Bool { self == .text || self == .bitmap }
}
