/// The subtitles of one track or file.
public struct SubtitleDocument: Hashable, Sendable {
    /// The properties of the whole track.
    public var header: SubtitleHeader
    /// The cues, by start and order.
    public var cues: [Cue]

    /// Creates a document.
    public init(header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = []) {
        self.header = header
        self.cues = cues
    }
}

/// The properties of a whole track.
public struct SubtitleHeader: Hashable, Sendable {
    /// The codec from which the cues were decoded.
    public var codec: CodecID
    /// The language.
    public var language: LanguageTag?
    /// The title.
    public var title: String?
    /// WebVTT style sheets, one per STYLE block.
    public var styleSheets: [String]
    /// The regions that cues refer to.
    public var regions: [Region]
    /// `true` if the whole track is shown even when subtitles are off, as its container or name states.
    public var isForced: Bool
    /// The canvas of ASS scripts (`PlayResX`, `PlayResY`) or of bitmap tracks, in pixels.
    public var canvas: PixelSize?
    /// The codec's header as stored: the ASS script up to its events, the WebVTT file header.
    public var codecPrivate: [UInt8]

    /// Creates a header.
    public init(
        codec: CodecID = .unknown, language: LanguageTag? = nil, title: String? = nil,
        styleSheets: [String] = [], regions: [Region] = [], isForced: Bool = false,
        canvas: PixelSize? = nil, codecPrivate: [UInt8] = []
    ) {
        self.codec = codec
        self.language = language
        self.title = title
        self.styleSheets = styleSheets
        self.regions = regions
        self.isForced = isForced
        self.canvas = canvas
        self.codecPrivate = codecPrivate
    }
}
