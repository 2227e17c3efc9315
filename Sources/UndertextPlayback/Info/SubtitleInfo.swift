public import Undertext

/// Subtitles that can be shown: a track of the video, a file, an address or a download.
///
/// A value: ``SubtitleModel/subtitleInfos`` tells the present ones.
public struct SubtitleInfo: Hashable, Sendable, Identifiable {
    /// What tells it from all others of a model: the source and what the source calls it.
    public let id: String
    /// What a list shows.
    public var name: String
    /// The language; `nil` if it is not known.
    public var language: LanguageTag?
    /// What the maker says it is meant for.
    public var disposition: Disposition
    /// `true` if it is images.
    public var isBitmap: Bool
    /// The codec, where it is known without opening it.
    public var codec: CodecID?
    /// The name of the source it came from.
    public var source: String
    /// Where its cues are.
    public var origin: SubtitleOrigin
    /// How much later than stored its cues are shown; negative = earlier.
    ///
    /// ``SubtitleModel/setDelay(_:for:)`` changes it.
    public var delay: Duration
    /// In which characters its text is stored, by iconv's name; `nil` = as the bytes tell.
    public var charset: String?
    /// How far it is loaded.
    public internal(set) var state: SubtitleState = .idle
    /// Whether it is chosen, first or second.
    public internal(set) var isEnabled = false
    /// What was wrong or doubtful while reading, such as the charset, in the order of the file: the first hundred.
    public internal(set) var warnings: [Diagnostic] = []

    /// `true` if it is known beforehand that it cannot be shown.
    var isRefused = false

    /// Creates an info.
    public init(
        id: String, name: String, language: LanguageTag? = nil, disposition: Disposition = [],
        isBitmap: Bool = false, codec: CodecID? = nil, source: String = "application",
        origin: SubtitleOrigin, delay: Duration = .zero, charset: String? = nil
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.disposition = disposition
        self.isBitmap = isBitmap
        self.codec = codec
        self.source = source
        self.origin = origin
        self.delay = delay
        self.charset = charset
    }

    /// What it is for; of several flags commentary counts before forced before hearing impaired.
    public var kind: SubtitleKind { candidate(order: 0).kind }

    /// The error that a player shows, if it could not be loaded.
    public var error: UndertextError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Marks it as something that cannot be shown.
    mutating func refuse(_ error: UndertextError) {
        isRefused = true
        state = .failed(error)
    }

    /// It as something to choose from.
    ///
    /// - Parameter order: its place in the list, which decides between equals.
    /// - Returns: the candidate.
    public func candidate(order: Int) -> SubtitleCandidate {
        SubtitleCandidate(
            language: language, isForced: disposition.contains(.forced),
            isHearingImpaired: disposition.contains(.hearingImpaired),
            isCommentary: disposition.contains(.comment), isBitmap: isBitmap,
            isDefault: disposition.contains(.default), isExternal: origin.isExternal, order: order)
    }
}

/// Where the cues of an info are.
public enum SubtitleOrigin: Hashable, Sendable {
    /// A stream of the video, by the index that probe prints.
    case embedded(MediaInput, stream: Int)
    /// A subtitle file of its own; `nil` = its first subtitle stream.
    case file(MediaInput, stream: Int?)
    /// Cues at hand.
    case document(SubtitleDocument)
    /// Its source fetches it when it is chosen, not before: a download may cost quota.
    case deferred(key: String)

    /// `true` if it is no part of the video.
    public var isExternal: Bool {
        if case .embedded = self { false } else { true }
    }

    /// `true` if it may be chosen without anybody asking for this very one.
    var mayBeChosenAutomatically: Bool {
        if case .deferred = self { false } else { true }
    }
}

/// How far subtitles are loaded.
public enum SubtitleState: Hashable, Sendable {
    /// Nobody has chosen it.
    case idle
    /// It is being opened, or what is on screen now is still being read.
    case loading
    /// What is on screen now is known; reading may go on.
    case ready
    /// It cannot be shown, or not to its end; what was read before is still shown.
    case failed(UndertextError)
}
