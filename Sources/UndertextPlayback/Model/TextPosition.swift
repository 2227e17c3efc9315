public import UndertextCore

/// Where text stands on the video: a simple view of ``CueLayout`` for players that draw text themselves.
///
/// Margins are percentages of the video's width or height, 0 to 100. What it cannot say, such as regions
/// and vertical writing, ``DisplayedSubtitle/cue`` says.
public struct TextPosition: Hashable, Sendable {
    /// The edge that ``verticalMargin`` counts from.
    public enum Vertical: Hashable, Sendable {
        /// The top edge; the margin is above the text.
        case top
        /// The middle; the margin is from the top edge to the middle of the text.
        case middle
        /// The bottom edge; the margin is below the text.
        case bottom
    }

    /// How lines are aligned between the margins.
    public enum Horizontal: Hashable, Sendable {
        /// At the left.
        case left
        /// In the middle.
        case center
        /// At the right.
        case right
    }

    /// The edge that ``verticalMargin`` counts from.
    public var vertical: Vertical = .bottom
    /// How lines are aligned.
    public var horizontal: Horizontal = .center
    /// What is free at the left.
    public var leftMargin: Double = 0
    /// What is free at the right.
    public var rightMargin: Double = 0
    /// What is free at the edge of ``vertical``; `nil` = as the player does by default.
    public var verticalMargin: Double?

    /// At the bottom, in the middle, as players show most text.
    public init() {}

    /// The position of a layout.
    ///
    /// - Parameters:
    ///   - layout: as the cue has it.
    ///   - direction: the direction of the text, which `start` and `end` depend on.
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
