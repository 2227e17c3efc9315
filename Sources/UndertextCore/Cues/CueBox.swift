/// The box of a cue on the screen, resolved from its layout: percent of the video.
///
/// W3C WebVTT, section 7.2, steps 3 to 9. Where lines run from top to bottom, left is top and width is height.
package struct CueBox: Hashable, Sendable {
    /// A part of a box along its lines.
    package enum Side: Int, Hashable, Sendable {
        case left
        case center
        case right
    }

    /// The position of lines in the block direction.
    package enum Lines: Hashable, Sendable {
        /// The default position of players.
        case automatic
        /// The number of lines after the first one; with `fromEnd`, before the last one.
        case counted(Double, fromEnd: Bool)
        /// An edge or the middle of the lines at a percentage.
        case percent(Double, CueLayout.LineAlignment)
    }

    /// The side of the box at which lines are aligned.
    package let side: Side
    /// The part of the box that the cue's position positions.
    package let anchor: Side
    /// The left edge.
    package private(set) var start: Double
    /// The width.
    package private(set) var size: Double
    /// The position of the lines.
    package private(set) var lines: Lines

    /// The right edge.
    package var end: Double { start + size }

    /// The height of a line: WebVTT's font is 5 % of the video high, and CSS's `normal` makes lines higher by a third
    /// at most.
    package static let lineHeight = 16.0 / 3

    /// Resolves a layout.
    ///
    /// - Parameters:
    ///   - layout: the layout.
    ///   - direction: the direction of the text, which `start` and `end` depend on.
    ///   - region: the region of the cue, whose lines are added at its bottom; `nil` without one.
    ///   - least: the width that the box has at least.
    package init(
        _ layout: CueLayout, direction: TextDirection = .leftToRight, region: Region? = nil,
        atLeast least: Double = 0
    ) {
        side =
            switch layout.textAlignment {
            case .left: .left
            case .center: .center
            case .right: .right
            case .start: direction == .rightToLeft ? .right : .left
            case .end: direction == .rightToLeft ? .left : .right
            }
        anchor =
            switch layout.positionAlignment {
            case .auto: side
            case .lineLeft: .left
            case .center: .center
            case .lineRight: .right
            }
        let automatic: Double =
            switch side {
            case .left: 0
            case .center: 50
            case .right: 100
            }
        let position = Self.percentage(layout.position) ?? automatic
        let most: Double =
            switch anchor {
            case .left: 100 - position
            case .center: 2 * min(position, 100 - position)
            case .right: position
            }
        size = max(min(Self.percentage(layout.size) ?? 100, most), least)
        start =
            switch anchor {
            case .left: position
            case .center: position - size / 2
            case .right: position - size
            }
        start = min(max(start, 0), 100 - size)
        if let line = layout.line, line.isFinite {
            lines =
                !layout.snapToLines
                ? .percent(line, layout.lineAlignment)
                : .counted(line < 0 ? max(-line - 1, 0) : line, fromEnd: line < 0)
        } else {
            lines = .automatic
        }
        guard let region else { return }
        start = region.left + start * region.width / 100
        size = size * region.width / 100
        let height = Double(region.lines) * Self.lineHeight
        let top = region.viewportAnchor.y - region.regionAnchor.y * height / 100
        lines = .percent(top + height, .end)
    }

    private static func percentage(_ value: Double?) -> Double? {
        value.flatMap { $0.isFinite ? min(max($0, 0), 100) : nil }
    }
}

extension Region {
    /// The left edge, percent of the video.
    package var left: Double { viewportAnchor.x - regionAnchor.x * width / 100 }
}
