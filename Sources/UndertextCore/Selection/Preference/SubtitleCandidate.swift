/// What of a subtitle track or file decides whether it is chosen.
public struct SubtitleCandidate: Hashable, Sendable {
    /// The language; `nil` if it is not known.
    public var language: LanguageTag?
    /// `true` if it holds only what is shown even where subtitles are off.
    public var isForced: Bool
    /// `true` if it is for the hard of hearing.
    public var isHearingImpaired: Bool
    /// `true` if it is a commentary.
    public var isCommentary: Bool
    /// `true` if it is images.
    public var isBitmap: Bool
    /// `true` if its maker marked it as the one to show.
    public var isDefault: Bool
    /// `true` if it is a file of its own.
    public var isExternal: Bool
    /// Its place in the list that a user sees.
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

    /// A subtitle stream of a container; its index is its place.
    public init(_ stream: StreamDescription) {
        self.init(
            language: stream.language, isForced: stream.isForced,
            isHearingImpaired: stream.isHearingImpaired,
            isCommentary: stream.disposition.contains(.comment),
            isBitmap: stream.kind == .bitmap,
            isDefault: stream.disposition.contains(.default), order: stream.index)
    }

    /// What it is for; of several flags commentary counts before forced before hearing impaired.
    public var kind: SubtitleKind {
        if isCommentary { return .commentary }
        if isForced { return .forced }
        return isHearingImpaired ? .hearingImpaired : .full
    }
}

/// What subtitles are for.
public enum SubtitleKind: Hashable, Sendable, CaseIterable {
    /// The whole dialogue.
    case full
    /// The whole dialogue and sounds (SDH).
    case hearingImpaired
    /// Only what is foreign to the audio's language.
    case forced
    /// A commentary.
    case commentary
}
