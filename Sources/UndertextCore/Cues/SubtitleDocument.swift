/// The subtitles of one track or file: text, or images.
public enum SubtitleDocument: Hashable, Sendable {
    /// Cues of text.
    case text(TextDocument)
    /// Cues of images.
    case bitmap(BitmapDocument)

    /// Creates a document of images if one of the cues has images, otherwise of text.
    package init(header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = []) {
        let hasImages = cues.contains { cue in
            if case .images = cue.content { true } else { false }
        }
        self =
            hasImages
            ? .bitmap(BitmapDocument(header: header, cues: cues))
            : .text(TextDocument(header: header, cues: cues))
    }

    /// The properties of the whole track.
    package var header: SubtitleHeader {
        get {
            switch self {
            case .text(let document): document.header
            case .bitmap(let document): document.header
            }
        }
        set {
            switch self {
            case .text(let document):
                self = .text(TextDocument(header: newValue, cues: document.cues))
            case .bitmap(let document):
                self = .bitmap(BitmapDocument(header: newValue, cues: document.cues))
            }
        }
    }

    /// The cues, by start and order.
    public var cues: [Cue] {
        get {
            switch self {
            case .text(let document): document.cues
            case .bitmap(let document): document.cues
            }
        }
        set {
            switch self {
            case .text(let document):
                self = .text(TextDocument(header: document.header, cues: newValue))
            case .bitmap(let document):
                self = .bitmap(BitmapDocument(header: document.header, cues: newValue))
            }
        }
    }
}

/// The subtitles of a track of text, which formats of text can carry.
public struct TextDocument: Hashable, Sendable {
    /// The properties of the whole track.
    public var header: SubtitleHeader
    /// The cues, by start and order.
    ///
    /// TTML tracks may have cues of images among them; formats of text lose those.
    public var cues: [Cue]

    /// Creates a document.
    public init(header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = []) {
        self.header = header
        self.cues = cues
    }
}

/// The subtitles of a bitmap track, which formats of images can carry.
public struct BitmapDocument: Hashable, Sendable {
    /// The properties of the whole track.
    public var header: SubtitleHeader
    /// The cues, by start and order; formats of images lose cues of text.
    public var cues: [Cue]

    /// Creates a document.
    public init(header: SubtitleHeader = SubtitleHeader(), cues: [Cue] = []) {
        self.header = header
        self.cues = cues
    }
}

/// The properties of a whole track, beside its cues.
public struct SubtitleHeader: Hashable, Sendable {
    /// The codec of the cues.
    public var codec: CodecID
    /// The language; `nil` if undetermined.
    public var language: LanguageTag?
    /// The title; `nil` if there is none.
    public var title: String?
    /// WebVTT style sheets, one per STYLE block.
    public var styleSheets: [String]
    /// The regions that cues refer to.
    public var regions: [Region]
    /// `true` if the whole track is shown even when subtitles are off, as its container or its name says.
    package var isForced: Bool
    /// The canvas of ASS scripts (`PlayResX`, `PlayResY`) or of bitmap tracks, in pixels.
    public var canvas: PixelSize?
    /// The codec's header as stored: the ASS script up to its events, the WebVTT file header.
    public var codecPrivate: [UInt8]

    /// Creates a header.
    public init(
        codec: CodecID = CodecID(rawValue: "unknown"), language: LanguageTag? = nil,
        title: String? = nil,
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
