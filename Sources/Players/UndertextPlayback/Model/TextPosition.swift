public import UndertextCore

/// The position of text on the video: a simplified ``UndertextCore/CueLayout`` for players that draw text themselves.
///
/// Margins are percentages of the video's width or height, 0 to 100. ``DisplayedSubtitle/cue`` has what this type
/// cannot represent, such as regions and vertical writing.
public struct TextPosition: Hashable, Sendable {
    /// The edge that ``verticalMargin`` refers to.
    public enum Vertical: Hashable, Sendable {
        /// The top edge; the margin is above the text.
        case top
        /// The middle; the margin is from the top edge to the middle of the text.
        case middle
        /// The bottom edge; the margin is below the text.
        case bottom
    }

    /// The alignment of lines between the margins.
    public enum Horizontal: Hashable, Sendable {
        /// At the left.
        case left
        /// In the middle.
        case center
        /// At the right.
        case right
    }

    /// The edge that ``verticalMargin`` refers to.
    public var vertical: Vertical = .bottom
    /// The alignment of lines.
    public var horizontal: Horizontal = .center
    /// The left margin.
    public var leftMargin: Double = 0
    /// The right margin.
    public var rightMargin: Double = 0
    /// The margin at the edge of ``vertical``, or `nil` for the default of the player.
    public var verticalMargin: Double?

    /// Creates the usual position: centered at the bottom.
    public init() {}

    /// Creates the position of a layout.
    ///
    /// - Parameters:
    ///   - layout: The layout of the cue.
    ///   - direction: The direction of the text, on which `start` and `end` depend.
    public init(_ layout: CueLayout, direction: TextDirection = .leftToRight) {
        let box = CueBox(layout, direction: direction)
        horizontal =
            switch box.side {
            case .left: .left
            case .center: .center
            case .right: .right
            }
        guard layout.vertical == .horizontal else { return }
        leftMargin = box.start
        rightMargin = 100 - box.start - box.size
        switch box.lines {
        case .automatic: break
        case .counted(let count, let fromEnd):
            vertical = fromEnd ? .bottom : .top
            verticalMargin = min(count * CueBox.lineHeight, 100)
        case .percent(let line, let alignment):
            let percent = min(max(line, 0), 100)
            switch alignment {
            case .start: (vertical, verticalMargin) = (.top, percent)
            case .center: (vertical, verticalMargin) = (.middle, percent)
            case .end: (vertical, verticalMargin) = (.bottom, 100 - percent)
            }
        }
    }
}
