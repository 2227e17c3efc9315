/// A candidate for the selection algorithm: the relevant properties of a subtitle track or file.
public struct SubtitleCandidate: Hashable, Sendable {
    /// The language, or `nil` if unknown.
    public var language: LanguageTag?
    /// `true` if it contains only forced subtitles.
    public var isForced: Bool
    /// `true` if it is for the hard of hearing.
    public var isHearingImpaired: Bool
    /// `true` if it is a commentary.
    public var isCommentary: Bool
    /// `true` if it consists of images.
    public var isBitmap: Bool
    /// `true` if it is marked as the default.
    public var isDefault: Bool
    /// `true` if it is a separate file.
    public var isExternal: Bool
    /// Its index in the list that a user sees.
    public var order: Int

    /// Creates a candidate.
    public init(
        language: LanguageTag? = nil, isForced: Bool = false, isHearingImpaired: Bool = false,
        isCommentary: Bool = false, isBitmap: Bool = false, isDefault: Bool = false,
        isExternal: Bool = false, order: Int = 0
    ) {
        self.language = language
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
        self.isCommentary = isCommentary
        self.isBitmap = isBitmap
        self.isDefault = isDefault
        self.isExternal = isExternal
        self.order = order
    }

    /// Creates a candidate from a subtitle stream of a container; its order is the stream's index.
    public init(_ stream: StreamDescription) {
        self.init(
            language: stream.language, isForced: stream.isForced,
            isHearingImpaired: stream.isHearingImpaired,
            isCommentary: stream.disposition.contains(.comment),
            isBitmap: stream.kind == .bitmap,
            isDefault: stream.disposition.contains(.default), order: stream.index)
    }

    /// The kind; of several flags, commentary takes precedence over forced, and forced over hearing impaired.
    public var kind: SubtitleKind {
        if isCommentary { return .commentary }
        if isForced { return .forced }
        return isHearingImpaired ? .hearingImpaired : .full
    }
}

/// The purpose of subtitles.
public enum SubtitleKind: Hashable, Sendable, CaseIterable {
    /// The whole dialogue.
    case full
    /// The whole dialogue and descriptions of sounds (SDH).
    case hearingImpaired
    /// Only parts in other languages than the audio.
    case forced
    /// A commentary.
    case commentary
}
