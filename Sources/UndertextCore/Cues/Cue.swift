/// Text, or images on a canvas, that are shown from a start time to an end time.
///
/// Every cue has a definite end time and records how it was determined.
public struct Cue: Hashable, Sendable, Identifiable {
    /// The index among the cues of the track, from 0.
    package var order: Int
    /// The time at which the cue appears.
    public var start: Timestamp
    /// The time at which the cue disappears; after ``start``.
    public var end: Timestamp
    /// The origin of ``end``.
    public var endSource: EndSource
    /// `true` if the cue is shown even when subtitles are off, as its object, sample or track states.
    public var isForced: Bool
    /// The content: text or images.
    public var content: CueContent
    var extras: CopyOnWriteBox<Extras>

    /// The properties that most cues do not have.
    struct Extras: Defaulted {
        var identifier = ""
        var layer = 0
        private var storedLayout = CopyOnWriteBox<CueLayout>()
        var source: CueSource?
        var recognition: RecognizedText?

        init() {}

        init(identifier: String, layer: Int, layout: CueLayout, source: CueSource?) {
            self.identifier = identifier
            self.layer = layer
            storedLayout = CopyOnWriteBox(layout)
            self.source = source
        }

        var layout: CueLayout {
            get { storedLayout.value }
            set { storedLayout.value = newValue }
        }
    }

    /// Creates a cue.
    public init(
        identifier: String = "", order: Int = 0, start: Timestamp, end: Timestamp,
        endSource: EndSource = .explicit, isForced: Bool = false, layer: Int = 0,
        layout: CueLayout = CueLayout(), content: CueContent, source: CueSource? = nil
    ) {
        self.order = order
        self.start = start
        self.end = end
        self.endSource = endSource
        self.isForced = isForced
        self.content = content
        extras = CopyOnWriteBox(
            Extras(identifier: identifier, layer: layer, layout: layout, source: source))
    }

    /// The unique index among the cues of the track, from 0: the order of cues that begin at the same time.
    public var id: Int {
        get { order }
        set { order = newValue }
    }

    /// The identifier from the file, or an empty string.
    ///
    /// Several cues of a file may have the same identifier. WebVTT: the line before the times. TTML: `xml:id`.
    public var identifier: String {
        get { extras.part("") { $0.identifier } }
        set { extras.value.identifier = newValue }
    }

    /// The layer: cues with higher values are drawn on top.
    ///
    /// ASS: `Layer`.
    public var layer: Int {
        get { extras.part(0) { $0.layer } }
        set { extras.value.layer = newValue }
    }

    /// The layout of text on the video.
    public var layout: CueLayout {
        get { extras.part(CueLayout()) { $0.layout } }
        set { extras.value.layout = newValue }
    }

    /// The stored form, for writers of the same format.
    public var source: CueSource? {
        get { extras.part(nil) { $0.source } }
        set { extras.value.source = newValue }
    }

    /// The text recognized in the images, or `nil` without recognition.
    package var recognition: RecognizedText? {
        get { extras.value.recognition }
        set { extras.value.recognition = newValue }
    }

    /// Shares one copy of the properties other than times and content with another cue, if they are equal: a
    /// track of a million cues has few different layouts.
    package mutating func shareExtras(with other: Cue) {
        if !sharesExtras(with: other), extras == other.extras { extras = other.extras }
    }

    /// `true` if both cues keep one copy of what they have beside times and content.
    package func sharesExtras(with other: Cue) -> Bool {
        extras.isIdentical(to: other.extras)
    }

    /// Bytes of the identifier and the stored form.
    package var extrasByteCount: Int {
        extras.part(0) { extras in
            switch extras.source {
            case .webVTT(let stored), .ass(let stored), .subRip(let stored):
                extras.identifier.utf8.count + stored.utf8.count
            case nil: extras.identifier.utf8.count
            }
        }
    }

    /// `true` if the cue has no identifier, layout, layer or stored form.
    package var isPlain: Bool { extras.isDefault }

    /// The text without styles, lines separated by line feeds, or `nil` for images.
    public var plainText: String? {
        guard case .text(let text) = content else { return nil }
        return text.plainText
    }
}

/// The origin of a cue's end time.
public enum EndSource: String, Hashable, Sendable {
    /// The subtitle itself states its end.
    case explicit
    /// The duration of the packet in the container.
    case containerDuration
    /// The next cue, or a command that clears the screen.
    case nextEvent
    /// A limit: a page time-out, or the maximum duration of a cue.
    case clamped
    /// The end of the input.
    case endOfStream
}

/// The content of a cue.
public enum CueContent: Hashable, Sendable {
    /// Styled text.
    case text(StyledText)
    /// One to n images on one canvas.
    indirect case images(CueImages)
}

/// A cue as stored in its own format, kept so that writing the same format loses nothing.
public enum CueSource: Hashable, Sendable {
    /// WebVTT cue text as the cue text parser receives it.
    case webVTT(String)
    /// An ASS event as `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    case ass(String)
    /// SubRip text with its tags.
    case subRip(String)
}
