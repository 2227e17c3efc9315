/// Text in runs of equal style.
///
/// Lines are separated by line feeds.
public struct StyledText: Hashable, Sendable {
    /// Most text is one run without style: then it is a string, and no array of one run.
    private enum Storage: Hashable, Sendable {
        case plain(String)
        case runs([TextRun])
    }

    private var storage: Storage

    /// The runs in reading order.
    public var runs: [TextRun] {
        get {
            switch storage {
            case .plain(let text): text.isEmpty ? [] : [TextRun(text)]
            case .runs(let runs): runs
            }
        }
        set { storage = Self.storage(of: newValue) }
    }

    /// Creates text from `runs`.
    public init(runs: [TextRun] = []) {
        storage = Self.storage(of: runs)
    }

    /// Creates text of one run without styles.
    public init(_ plain: String) {
        storage = .plain(plain)
    }

    /// Returns the canonical storage of runs: equal runs have equal storage.
    private static func storage(of runs: [TextRun]) -> Storage {
        if runs.isEmpty { return .plain("") }
        if runs.count == 1, runs[0].isPlain, !runs[0].text.isEmpty { return .plain(runs[0].text) }
        return .runs(runs)
    }

    /// The text if it is one run without styles, otherwise `nil`.
    package var unstyled: String? {
        guard case .plain(let text) = storage else { return nil }
        return text
    }

    /// The text without styles; ruby text is removed, its base stays.
    public var plainText: String {
        switch storage {
        case .plain(let text): text
        case .runs(let runs): runs.map(\.text).joined()
        }
    }

    /// `true` if it has no text.
    package var isEmpty: Bool {
        switch storage {
        case .plain(let text): text.isEmpty
        case .runs(let runs): runs.allSatisfy(\.text.isEmpty)
        }
    }

    /// Appends a run, which is merged with the last one if the styles are equal.
    package mutating func append(_ run: TextRun) {
        if run.text.isEmpty, run.appearsAt == nil { return }
        var runs = runs
        // No other reference to the array may exist while it grows.
        storage = .plain("")
        if let last = runs.last, last.style == run.style, last.ruby == nil, run.ruby == nil,
            run.appearsAt == nil
        {
            runs[runs.count - 1].text += run.text
        } else {
            runs.append(run)
        }
        self.runs = runs
    }
}

/// A piece of text in one style.
public struct TextRun: Hashable, Sendable {
    /// The text; line feeds are hard breaks.
    public var text: String
    /// The style of the text.
    public var style: TextStyle
    /// The ruby text, whose base is the run, or `nil`.
    public var ruby: String?
    /// The time at which the text appears (karaoke, WebVTT timestamps), or `nil` to appear with the cue.
    public var appearsAt: Timestamp?

    /// `true` if the run has no style, ruby or time.
    package var isPlain: Bool { ruby == nil && appearsAt == nil && style.isDefault }

    /// Creates a run.
    public init(
        _ text: String, style: TextStyle = TextStyle(), ruby: String? = nil,
        appearsAt: Timestamp? = nil
    ) {
        self.text = text
        self.style = style
        self.ruby = ruby
        self.appearsAt = appearsAt
    }
}

/// The style of a run of text.
///
/// `nil` and `false` mean the default of the player.
public struct TextStyle: Hashable, Sendable {
    /// `true` if the text is italic.
    public var isItalic = false
    /// `true` if the text is bold.
    public var isBold = false
    /// `true` if the text is underlined.
    public var isUnderlined = false
    /// `true` if the text is struck through.
    public var isStruckThrough = false
    private var extras = CopyOnWriteBox<Extras>()

    /// The properties that most text does not have.
    private struct Extras: Defaulted {
        var color: RGBA?
        var background: RGBA?
        var font: String?
        var fontSize: FontSize?
        var classes: [String] = []
        var voice: String?
        var language: String?
        var outline: TextOutline?
        var shadows: [TextShadow] = []
        var lineHeight: Int?
        var isUnbroken = false
    }

    /// The color of the text, or `nil` for the default.
    public var color: RGBA? {
        get { extras.value.color }
        set { extras.value.color = newValue }
    }

    /// The background color of the text, or `nil` for the default.
    public var background: RGBA? {
        get { extras.value.background }
        set { extras.value.background = newValue }
    }

    /// The font family, or `nil` for the default.
    public var font: String? {
        get { extras.value.font }
        set { extras.value.font = newValue }
    }

    /// The font size in the units of the format, or `nil` for the default.
    public var fontSize: FontSize? {
        get { extras.value.fontSize }
        set { extras.value.fontSize = newValue }
    }

    /// Class names for style sheets.
    ///
    /// WebVTT: `<c.name>`.
    public var classes: [String] {
        get { extras.value.classes }
        set { extras.value.classes = newValue }
    }

    /// The name of the speaker.
    ///
    /// WebVTT: `<v name>`.
    public var voice: String? {
        get { extras.value.voice }
        set { extras.value.voice = newValue }
    }

    /// The language tag of the text.
    ///
    /// WebVTT: `<lang tag>`.
    public var language: String? {
        get { extras.value.language }
        set { extras.value.language = newValue }
    }

    /// The outline of the text, or `nil` for the default.
    package var outline: TextOutline? {
        get { extras.value.outline }
        set { extras.value.outline = newValue }
    }

    /// The shadows of the text, the topmost first.
    package var shadows: [TextShadow] {
        get { extras.value.shadows }
        set { extras.value.shadows = newValue }
    }

    /// The line height in thousandths of a percent of the video's height, or `nil` for the default.
    package var lineHeight: Int? {
        get { extras.value.lineHeight }
        set { extras.value.lineHeight = newValue }
    }

    /// `true` if lines break only where the text has a line feed.
    package var isUnbroken: Bool {
        get { extras.value.isUnbroken }
        set { extras.value.isUnbroken = newValue }
    }

    /// `true` if only bold, italics, underline and strike-through may be set.
    package var isBasic: Bool { extras.isDefault }

    /// `true` if the style is the default of the player.
    package var isDefault: Bool {
        extras.isDefault && !isItalic && !isBold && !isUnderlined && !isStruckThrough
    }

    /// Creates the default style of the player.
    public init() {}
}

/// The size of a font.
public enum FontSize: Hashable, Sendable {
    /// The line height in thousandths of a percent of the video's height, as in scripts.
    case ofHeight(Int)
    /// A percentage of the default size.
    case percent(Int)
    /// Pixels of the canvas of the format.
    case pixels(Int)

    /// The average height of a line of fonts, in eighths of an em.
    ///
    /// Scripts and the cue model use the height of a line (ascent and descent), TTML and style
    /// sheets the em.
    package static let lineEighths = 9

    /// The default size of TTML text: one of fifteen rows.
    ///
    /// Players show text about as large anyway, so formats without sizes lose nothing.
    package static let usual = FontSize.ofHeight(7500)
}
