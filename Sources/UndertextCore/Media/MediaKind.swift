/// The kind of a stream; subtitles are text or bitmaps.
public enum MediaKind: String, Hashable, Sendable {
    /// Video.
    case video
    /// Audio.
    case audio
    /// Subtitles made of text.
    case text
    /// Subtitles made of images.
    case bitmap
    /// An attached file, such as a font or cover image.
    case attachment
    /// Anything else.
    case data

    /// `true` if it is a subtitle stream.
    public var isSubtitle: Bool { self == .text || self == .bitmap }
}
