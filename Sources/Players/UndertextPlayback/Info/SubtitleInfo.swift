public import Undertext
public import UndertextCore

/// Available subtitles: a track of the video, a file, a URL or a download.
///
/// An info is a value and does not change; ``SubtitleModel/subtitleInfos`` has the current ones.
public struct SubtitleInfo: Hashable, Sendable, Identifiable {
    /// The unique identifier within a model, made of the source and the source's identifier.
    public let id: String
    /// The name to show in a list.
    public var name: String
    /// The language, or `nil` if unknown.
    public var language: LanguageTag?
    /// The stated purpose of the subtitles.
    public var disposition: Disposition
    /// `true` if the subtitles are images.
    public var isBitmap: Bool
    /// The codec, or `nil` if it is unknown before the subtitles are opened.
    public var codec: CodecID?
    /// The name of its source.
    public var source: String
    /// The location of its cues.
    public var origin: SubtitleOrigin
    /// The delay of its cues; negative shows them earlier.
    ///
    /// ``SubtitleModel/setDelay(_:for:)`` changes it.
    public var delay: Duration
    /// The change of its times that makes them fit other subtitles, or `nil` if they are as stored.
    ///
    /// `SubtitleModel.align(_:to:leastConfidence:)` sets it.
    public internal(set) var alignment: SubtitleAlignment?
    /// The charset of its text, as named by iconv, or `nil` to detect it.
    public var charset: String?
    /// The loading state.
    public internal(set) var state: SubtitleState = .idle
    /// `true` if it is selected, for the first or second place.
    public internal(set) var isEnabled = false
    /// The first hundred diagnostics of reading, such as a guessed charset, in the order of the file.
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

    /// The kind; of several flags, commentary takes precedence over forced, and forced over hearing impaired.
    public var kind: SubtitleKind { candidate(order: 0).kind }

    /// The error, or `nil` if loading did not fail.
    public var error: UndertextError? {
        if case .failed(let error) = state { error } else { nil }
    }

    /// Marks it as something that cannot be shown.
    mutating func refuse(_ error: UndertextError) {
        isRefused = true
        state = .failed(error)
    }

    /// Returns an argument without the secrets of a URL, as a part of ``id``.
    ///
    /// URLs that differ only in their secrets have different results. The result stays the same while the process runs.
    static func identity(of argument: String) -> String {
        let shown = withoutSecrets(argument)
        guard shown != argument else { return argument }
        // The key of hashes is random in each process, so that a hash does not reveal the secret.
        let mark = UInt32(truncatingIfNeeded: argument.hashValue)
        return "\(shown)~\(String(mark, radix: 16))"
    }

    /// Returns a candidate for the selection algorithm.
    ///
    /// - Parameter order: The index in the list, which decides between equal candidates.
    /// - Returns: The candidate.
    public func candidate(order: Int) -> SubtitleCandidate {
        SubtitleCandidate(
            language: language, isForced: disposition.contains(.forced),
            isHearingImpaired: disposition.contains(.hearingImpaired),
            isCommentary: disposition.contains(.comment), isBitmap: isBitmap,
            isDefault: disposition.contains(.default), isExternal: origin.isExternal, order: order)
    }
}

/// The location of the cues of an info.
public enum SubtitleOrigin: Hashable, Sendable {
    /// A stream of the video with its index.
    case embedded(MediaInput, stream: Int)
    /// A stream of a separate subtitle file; `nil` means its first subtitle stream.
    case file(MediaInput, stream: Int?)
    /// Cues in memory.
    case document(SubtitleDocument)
    /// A download that the source makes only after selection, because it may count against a quota.
    case deferred(key: String)

    /// `true` if the cues are not part of the video.
    public var isExternal: Bool {
        if case .embedded = self { false } else { true }
    }

    /// `true` if it may be selected automatically.
    var mayBeChosenAutomatically: Bool {
        if case .deferred = self { false } else { true }
    }
}

/// The loading state of subtitles.
public enum SubtitleState: Hashable, Sendable {
    /// The subtitles are not selected.
    case idle
    /// The subtitles are being opened, or the current cues are still being read.
    case loading
    /// The current cues are loaded; reading may continue.
    case ready
    /// Loading failed; cues that were read before are still shown.
    case failed(UndertextError)
}
