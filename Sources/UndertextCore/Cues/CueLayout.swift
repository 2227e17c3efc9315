/// Where a text cue is placed: WebVTT's cue settings, which every other format is mapped to.
///
/// Percentages are of the video's width or height, 0 to 100. W3C WebVTT, section 3.1.
public struct CueLayout: Hashable, Sendable {
    /// The writing direction.
    public enum Vertical: String, Hashable, Sendable {
        /// Lines run horizontally.
        case horizontal = ""
        /// Vertical, lines grow to the left.
        case growingLeft = "rl"
        /// Vertical, lines grow to the right.
        case growingRight = "lr"
    }

    /// Which part of the box `line` positions.
    public enum LineAlignment: String, Hashable, Sendable {
        /// Its first line or edge.
        case start
        /// Its middle.
        case center
        /// Its last line or edge.
        case end
    }

    /// Which part of the box `position` positions.
    public enum PositionAlignment: String, Hashable, Sendable {
        /// As the text alignment says.
        case auto
        /// Its left or top edge.
        case lineLeft = "line-left"
        /// Its middle.
        case center
        /// Its right or bottom edge.
        case lineRight = "line-right"
    }

    /// How lines are aligned within the box.
    public enum TextAlignment: String, Hashable, Sendable {
        /// By the direction of the text, at its start.
        case start
        /// In the middle.
        case center
        /// By the direction of the text, at its end.
        case end
        /// At the left.
        case left
        /// At the right.
        case right
    }

    /// The writing direction.
    public var vertical: Vertical = .horizontal
    /// A line number or, without ``snapToLines``, a percentage; `nil` = auto.
    public var line: Double?
    /// `true` if ``line`` counts lines.
    public var snapToLines = true
    /// Which part of the box ``line`` positions.
    public var lineAlignment: LineAlignment = .start
    /// A percentage; `nil` = auto.
    public var position: Double?
    /// Which part of the box ``position`` positions.
    public var positionAlignment: PositionAlignment = .auto
    /// The box's width (height, if vertical) as a percentage.
    public var size: Double = 100
    /// How lines are aligned within the box.
    public var textAlignment: TextAlignment = .center
    /// The region's id; `nil` if the cue is in none.
    public var region: String?

    /// The direction in which lines run, where the format states another one than that of their first strong
    /// character; `nil` otherwise.
    ///
    /// TTML: `tts:direction`.
    public var direction: TextDirection?

    /// The colored area of the cue's region; `nil` if it has none.
    public var background: RegionBackground?

    /// The defaults of WebVTT.
    public init() {}

    /// `true` if nothing differs from the defaults.
    public var isDefault: Bool { self == CueLayout() }
}
