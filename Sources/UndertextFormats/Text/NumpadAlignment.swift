package import UndertextCore

/// One of nine positions, numbered like the keys of a number pad: 1 is bottom left, 9 top right.
///
/// ASS `\an` and V4+ `Alignment`; SubRip authors use the same tags.
package struct NumpadAlignment: Hashable, Sendable {
    /// 1 to 9.
    package let rawValue: Int

    /// The position of a key; `nil` outside 1 to 9.
    package init?(numpad value: Int) {
        guard (1...9).contains(value) else { return nil }
        rawValue = value
    }

    /// The position in SSA's numbering: `\a` and V4 `Alignment`.
    ///
    /// 1 to 3 are at the bottom, 5 to 7 at the top, 9 to 11 in the middle.
    package init?(ssa value: Int) {
        switch value {
        case 1...3: rawValue = value
        case 5...7: rawValue = value + 2
        case 9...11: rawValue = value - 5
        default: return nil
        }
    }

    /// Bottom center, where subtitles are by default.
    package static let bottomCenter = NumpadAlignment(known: 2)

    private init(known value: Int) { rawValue = value }

    /// 0 left, 1 center, 2 right.
    package var column: Int { (rawValue - 1) % 3 }
    /// 0 bottom, 1 middle, 2 top.
    package var row: Int { (rawValue - 1) / 3 }

    /// The layout of text at this position of the video, without exact coordinates.
    ///
    /// `margin` is the distance from the left or right edge in percent.
    package func layout(margin: Double = 5) -> CueLayout {
        var layout = CueLayout()
        setTextAlignment(of: &layout)
        if column == 0 { layout.position = margin }
        if column == 2 { layout.position = 100 - margin }
        if row == 2 { layout.line = 0 }
        if row == 1 {
            layout.line = 50
            layout.snapToLines = false
            layout.lineAlignment = .center
        }
        return layout
    }

    /// The layout of text with this anchor at a point, in percent of the video.
    package func layout(x: Double, y: Double) -> CueLayout {
        var layout = CueLayout()
        setTextAlignment(of: &layout)
        layout.position = min(max(x, 0), 100)
        layout.positionAlignment = [.lineLeft, .center, .lineRight][column]
        // WebVTT gives a centered box twice the distance to the nearer edge, and other boxes the distance to
        // theirs: at the edge that is no room at all, and each character would get its own line.
        if x < Self.leastRoom { layout.positionAlignment = .lineLeft }
        if x > 100 - Self.leastRoom { layout.positionAlignment = .lineRight }
        layout.line = min(max(y, 0), 100)
        layout.snapToLines = false
        layout.lineAlignment = [.end, .center, .start][row]
        return layout
    }

    /// Percent of the width that a box needs to be readable.
    private static let leastRoom = 10.0

    private func setTextAlignment(of layout: inout CueLayout) {
        layout.textAlignment = [.start, .center, .end][column]
    }
}
