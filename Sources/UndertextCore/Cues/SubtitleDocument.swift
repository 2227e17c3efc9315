/// The subtitles of one track or file: what writers take and readers build.
public struct SubtitleDocument: Hashable, Sendable {
    /// What belongs to the whole track.
    public var header: SubtitleHeader
    /// The cues, by start and order.
    public var cues: [Cue]

    /// Creates a document.
    public init(header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = []) {
        self.header = header
        self.cues = cues
    }
}

/// What belongs to a whole track rather than to one of its cues.
public struct SubtitleHeader: Hashable, Sendable {
    /// The codec the cues came from.
    public var codec: CodecID
    /// The language.
    public var language: LanguageTag?
    /// The title.
    public var title: String?
    /// WebVTT style sheets, one a STYLE block.
    public var styleSheets: [String]
    /// Regions that cues refer to.
    public var regions: [Region]
    /// Whether the whole track is shown even when subtitles are off, as its container or its name says.
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
