/// The layout of a text cue: WebVTT's cue settings, to which all other formats are mapped.
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

    /// The part of the box that `line` positions.
    public enum LineAlignment: String, Hashable, Sendable {
        /// Its first line or edge.
        case start
        /// Its middle.
        case center
        /// Its last line or edge.
        case end
    }

    /// The part of the box that `position` positions.
    package enum PositionAlignment: String, Hashable, Sendable {
        /// According to the text alignment.
        case auto
        /// Its left or top edge.
        case lineLeft = "line-left"
        /// Its middle.
        case center
        /// Its right or bottom edge.
        case lineRight = "line-right"
    }

    /// The alignment of lines within the box.
    public enum TextAlignment: String, Hashable, Sendable {
        /// At the start, according to the direction of the text.
        case start
        /// In the middle.
        case center
        /// At the end, according to the direction of the text.
        case end
        /// At the left.
        case left
        /// At the right.
        case right
    }

    /// The writing direction.
    public var vertical: Vertical = .horizontal
    /// A line number or, without ``snapToLines``, a percentage; `nil` means auto.
    public var line: Double?
    /// `true` if ``line`` counts lines.
    public var snapToLines = true
    /// The part of the box that ``line`` positions.
    public var lineAlignment: LineAlignment = .start
    /// A percentage; `nil` means auto.
    public var position: Double?
    /// The part of the box that ``position`` positions.
    package var positionAlignment: PositionAlignment = .auto
    /// The box's width (height, if vertical) as a percentage.
    public var size: Double = 100
    /// The alignment of lines within the box.
    public var textAlignment: TextAlignment = .center
    /// The identifier of the region, or `nil` if the cue is in none.
    public var region: String?

    /// The direction of lines if the format states it, or `nil` to use that of their first strong character.
    ///
    /// TTML: `tts:direction`.
    package var direction: TextDirection?

    /// The colored area of the cue's region, or `nil` if it has none.
    package var background: RegionBackground?

    /// The lines of a caption on its grid.
    package var captionLines = CaptionLines()

    /// Creates a layout with the defaults of WebVTT.
    public init() {}

    /// `true` if all properties have their default values; comparisons leave out the lines of captions.
    package var isDefault: Bool { self == CueLayout() && captionLines.lines.isEmpty }
}

extension CueLayout: Defaulted {}
