public import MediaCore

/// Text in runs of equal style.
///
/// Lines are separated by line feeds.
public struct StyledText: Hashable, Sendable {
    /// The runs in reading order.
    public var runs: [TextRun]

    /// Creates text of `runs`.
    public init(runs: [TextRun] = []) {
        self.runs = runs
    }

    /// Creates text of one run without style.
    public init(_ plain: String) {
        runs = plain.isEmpty ? [] : [TextRun(plain)]
    }

    /// The text without styles; ruby is left out, its base stays.
    public var plainText: String { runs.map(\.text).joined() }

    /// Whether it has no text.
    public var isEmpty: Bool { runs.allSatisfy(\.text.isEmpty) }

    /// Appends a run, joined to the last one where the styles are equal.
    public mutating func append(_ run: TextRun) {
        if run.text.isEmpty, run.appearsAt == nil { return }
        if let last = runs.last, last.style == run.style, last.ruby == nil, run.ruby == nil,
            run.appearsAt == nil
        {
            runs[runs.count - 1].text += run.text
        } else {
            runs.append(run)
        }
    }
}

/// A piece of text in one style.
public struct TextRun: Hashable, Sendable {
    /// The text; line feeds are hard breaks.
    public var text: String
    /// How it looks.
    public var style: TextStyle
    /// Text above or beside it, for pronunciation; the run is its base.
    public var ruby: String?
    /// When it appears within its cue: karaoke, WebVTT timestamps; `nil` = with the cue.
    public var appearsAt: Timestamp?

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

/// How a run of text looks.
///
/// `nil` and `false` mean: as the player does by default.
public struct TextStyle: Hashable, Sendable {
    /// Slanted.
    public var isItalic = false
    /// Heavy.
    public var isBold = false
    /// Underlined.
    public var isUnderlined = false
    /// Struck through.
    public var isStruckThrough = false
    /// The colour of the letters.
    public var color: RGBA?
    /// The colour behind the letters.
    public var background: RGBA?
    /// The font's family name.
    public var font: String?
    /// The font's size, in the units of the format.
    public var fontSize: FontSize?
    /// Class names for style sheets.
    ///
    /// WebVTT: `<c.name>`.
    public var classes: [String] = []
    /// Who speaks.
    ///
    /// WebVTT: `<v name>`.
    public var voice: String?
    /// The language.
    ///
    /// WebVTT: `<lang tag>`.
    public var language: String?

    /// The player's default look.
    public init() {}
}

/// The size of a font.
public enum FontSize: Hashable, Sendable {
    /// A part of the video's height, in thousandths of a percent.
    case ofHeight(Int)
    /// A part of the default size, in percent.
    case percent(Int)
    /// Pixels of the format's own canvas.
    case pixels(Int)
}
