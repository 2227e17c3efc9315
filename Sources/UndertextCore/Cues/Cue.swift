/// What is shown from one time to another: text, or images on a canvas.
///
/// A cue that leaves the engine has a definite end and says where it came from.
public struct Cue: Hashable, Sendable, Identifiable {
    /// The position among the cues of the track, from 0.
    public var order: Int
    /// When it appears.
    public var start: Timestamp
    /// When it disappears; after ``start``.
    public var end: Timestamp
    /// Where ``end`` came from.
    public var endSource: EndSource
    /// Whether it is shown even when subtitles are off: its object, sample or track says so.
    public var isForced: Bool
    /// The content: text or images.
    public var content: CueContent
    var extras: CopyOnWriteBox<Extras>

    /// What most cues do not have.
    struct Extras: Defaulted {
        var identifier = ""
        var layer = 0
        var layout = CueLayout()
        var source: CueSource?
        var recognition: RecognizedText?
    }

    /// Creates a cue.
    public init(
        identifier: String = "", order: Int = 0, start: Timestamp, end: Timestamp,
        endSource: EndSource = .explicit, isForced: Bool = false, layer: Int = 0,
        layout: CueLayout = CueLayout(), content: CueContent, source: CueSource? = nil,
        recognition: RecognizedText? = nil
    ) {
        self.order = order
        self.start = start
        self.end = end
        self.endSource = endSource
        self.isForced = isForced
        self.content = content
        extras = CopyOnWriteBox(
            Extras(
                identifier: identifier, layer: layer, layout: layout, source: source,
                recognition: recognition))
    }

    /// The position among the cues of the track, which no other cue of the track has: ``order``.
    public var id: Int { order }

    /// The identifier from the file; empty if there is none.
    ///
    /// Files may give several cues the same one. WebVTT: the line before the times. TTML: `xml:id`.
    public var identifier: String {
        get { extras.part("") { $0.identifier } }
        set { extras.value.identifier = newValue }
    }

    /// Which cue lies on top: higher values do.
    ///
    /// ASS: `Layer`.
    public var layer: Int {
        get { extras.part(0) { $0.layer } }
        set { extras.value.layer = newValue }
    }

    /// Where it is placed.
    public var layout: CueLayout {
        get { extras.part(CueLayout()) { $0.layout } }
        set { extras.value.layout = newValue }
    }

    /// The stored form, for writers of the same format.
    public var source: CueSource? {
        get { extras.part(nil) { $0.source } }
        set { extras.value.source = newValue }
    }

    /// What was read in its images; `nil` if nobody looked.
    public var recognition: RecognizedText? {
        get { extras.value.recognition }
        set { extras.value.recognition = newValue }
    }

    /// Keeps one copy of what both cues have beside times and content, if it is equal: tracks of a million cues
    /// place them in a few ways.
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

    /// `true` if it has no identifier, no place, no layer and no stored form of its own.
    public var isPlain: Bool { extras.isDefault }

    /// The text without styles, lines separated by line feeds; `nil` for images.
    public var plainText: String? {
        guard case .text(let text) = content else { return nil }
        return text.plainText
    }
}

/// Where a cue's end came from.
public enum EndSource: String, Hashable, Sendable {
    /// The subtitle itself says so.
    case explicit
    /// The container's duration of the packet.
    case containerDuration
    /// The next cue, or a command that clears the screen.
    case nextEvent
    /// A limit cut it: a page time-out, or the longest time a cue may stay.
    case clamped
    /// The input ended.
    case endOfStream
}

/// What a cue shows.
public enum CueContent: Hashable, Sendable {
    /// Styled text.
    case text(StyledText)
    /// One to n images on one canvas.
    indirect case images(CueImages)
}

/// A cue in the words of its own format, kept so that writing the same format loses nothing.
public enum CueSource: Hashable, Sendable {
    /// WebVTT cue text, as the cue text parser would get it.
    case webVTT(String)
    /// An ASS event as `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    case ass(String)
    /// SubRip text with its tags.
    case subRip(String)
}
