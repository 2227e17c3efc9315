/// The purpose of a stream.
///
/// FFmpeg: `AV_DISPOSITION_*`, the same bits.
public struct Disposition: OptionSet, Hashable, Sendable {
    /// FFmpeg's bits.
    public let rawValue: Int32
    /// Creates a set of FFmpeg's bits; unknown bits are kept.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Selected by default.
    public static let `default` = Disposition(rawValue: 1 << 0)
    /// A dub.
    public static let dub = Disposition(rawValue: 1 << 1)
    /// The original language.
    public static let original = Disposition(rawValue: 1 << 2)
    /// Commentary.
    public static let comment = Disposition(rawValue: 1 << 3)
    /// Lyrics.
    public static let lyrics = Disposition(rawValue: 1 << 4)
    /// Karaoke.
    public static let karaoke = Disposition(rawValue: 1 << 5)
    /// Shown even when subtitles are off: foreign dialogue, signs.
    public static let forced = Disposition(rawValue: 1 << 6)
    /// For the hearing impaired (SDH).
    public static let hearingImpaired = Disposition(rawValue: 1 << 7)
    /// For the visually impaired.
    public static let visualImpaired = Disposition(rawValue: 1 << 8)
    /// Music and effects only.
    public static let cleanEffects = Disposition(rawValue: 1 << 9)
    /// A cover image.
    public static let attachedPicture = Disposition(rawValue: 1 << 10)
    /// Thumbnails with times.
    public static let timedThumbnails = Disposition(rawValue: 1 << 11)
    /// Sound that is not part of the story, such as narration; FFmpeg 6.0.
    package static let nonDiegetic = Disposition(rawValue: 1 << 12)
    /// Closed captions.
    public static let captions = Disposition(rawValue: 1 << 16)
    /// Text descriptions.
    public static let descriptions = Disposition(rawValue: 1 << 17)
    /// Metadata.
    public static let metadata = Disposition(rawValue: 1 << 18)
    /// Needs another stream to be of use.
    public static let dependent = Disposition(rawValue: 1 << 19)
    /// A still image.
    public static let stillImage = Disposition(rawValue: 1 << 20)
    /// Several layers, such as the views of stereoscopic video; FFmpeg 7.1.
    package static let multilayer = Disposition(rawValue: 1 << 21)
}
