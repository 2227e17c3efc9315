public import Undertext

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

    /// Height of a line where a layout counts lines: WebVTT's font is 5 % of the video high and
    /// its lines are by a third higher than CSS's `normal` makes them at most.
    private static let lineHeight = 16.0 / 3

    /// The position of a layout.
    ///
    /// - Parameters:
    ///   - layout: as the cue has it.
    ///   - isRightToLeft: whether the text begins at the right, which `start` and `end` depend on.
    public init(_ layout: CueLayout, isRightToLeft: Bool = false) {
        horizontal =
            switch layout.textAlignment {
            case .start: isRightToLeft ? .right : .left
            case .end: isRightToLeft ? .left : .right
            case .left: .left
            case .right: .right
            case .center: .center
            }
        guard layout.vertical == .horizontal else { return }
        setMargins(layout)
        setLine(layout)
    }

    /// W3C WebVTT, section 7.2, steps 3 to 8.
    private mutating func setMargins(_ layout: CueLayout) {
        let automatic: Double =
            switch horizontal {
            case .left: 0
            case .center: 50
            case .right: 100
            }
        let position = Self.percentage(layout.position ?? automatic)
        let alignment: Horizontal =
            switch layout.positionAlignment {
            case .lineLeft: .left
            case .lineRight: .right
            case .center: .center
            case .auto: horizontal
            }
        let room: Double =
            switch alignment {
            case .left: 100 - position
            case .right: position
            case .center: 2 * min(position, 100 - position)
            }
        let size = min(Self.percentage(layout.size), room)
        switch alignment {
        case .left: leftMargin = position
        case .right: leftMargin = position - size
        case .center: leftMargin = position - size / 2
        }
        rightMargin = 100 - leftMargin - size
    }

    private mutating func setLine(_ layout: CueLayout) {
        guard let line = layout.line, line.isFinite else { return }
        guard layout.snapToLines else {
            let percent = Self.percentage(line)
            switch layout.lineAlignment {
            case .start: (vertical, verticalMargin) = (.top, percent)
            case .center: (vertical, verticalMargin) = (.middle, percent)
            case .end: (vertical, verticalMargin) = (.bottom, 100 - percent)
            }
            return
        }
        vertical = line < 0 ? .bottom : .top
        verticalMargin = Self.percentage((line < 0 ? -line - 1 : line) * Self.lineHeight)
    }

    private static func percentage(_ value: Double) -> Double {
        value.isFinite ? min(max(value, 0), 100) : 0
    }
}
