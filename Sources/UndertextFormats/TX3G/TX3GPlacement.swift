internal import UndertextCore

/// The position of text of a `tx3g` track on the screen.
///
/// 3GPP TS 26.245, section 5.1: text is aligned in a box within the track's area.
struct TX3GPlacement {
    let description: TX3GSampleDescription
    /// The track's area on the screen, if that is known.
    let area: TrackArea?

    /// Text that begins or ends this near to an edge, in percent, is at the default position of players.
    private static let edge = 20.0
    /// The same for columns, whose usual margin is 5 percent.
    private static let side = 10.0

    /// The layout of text in `box`, or in that of the description.
    func layout(in box: TX3GBox?) -> CueLayout {
        let column = [0: 0, 1: 1, -1: 2][description.horizontalJustification] ?? 1
        let row = [0: 2, 1: 1, -1: 0][description.verticalJustification] ?? 0
        var layout = (NumpadAlignment(numpad: row * 3 + column + 1) ?? .bottomCenter).layout()
        if description.isVertical {
            // Rows and columns are swapped; the players' default is mostly correct.
            layout = CueLayout()
            layout.vertical = .growingLeft
            return layout
        }
        guard let place = rectangle(box ?? description.box) else { return layout }
        switch row {
        case 0 where place.bottom < 100 - Self.edge: set(&layout, line: place.bottom, .end)
        case 1: set(&layout, line: (place.top + place.bottom) / 2, .center)
        case 2 where place.top > Self.edge: set(&layout, line: place.top, .start)
        default: break
        }
        switch column {
        case 0 where place.left > Self.side:
            layout.position = place.left
            layout.positionAlignment = .lineLeft
        case 1 where abs(place.left + place.right - 100) > 2 * Self.side:
            layout.position = (place.left + place.right) / 2
            layout.positionAlignment = .center
        case 2 where place.right < 100 - Self.side:
            layout.position = place.right
            layout.positionAlignment = .lineRight
        default: break
        }
        return layout
    }

    private func set(
        _ layout: inout CueLayout, line: Double, _ alignment: CueLayout.LineAlignment
    ) {
        layout.line = (line * 100).rounded() / 100
        layout.snapToLines = false
        layout.lineAlignment = alignment
    }

    /// A box on the screen, in percent; `nil` if it is unknown or outside the screen.
    private func rectangle(
        _ box: TX3GBox
    ) -> (left: Double, top: Double, right: Double, bottom: Double)? {
        guard let area, area.width > 0, area.height > 0, area.screen.width > 0,
            area.screen.height > 0
        else { return nil }
        // Many programs write no box: all of the area.
        let isEmpty = box.right <= box.left || box.bottom <= box.top
        func percent(_ offset: Int, _ inner: Int, of whole: Int) -> Double {
            min(max(Double(offset + inner) * 100 / Double(whole), 0), 100)
        }
        let (width, height) = (area.screen.width, area.screen.height)
        let left = percent(area.x, isEmpty ? 0 : Int(box.left), of: width)
        let right = percent(area.x, isEmpty ? area.width : Int(box.right), of: width)
        let top = percent(area.y, isEmpty ? 0 : Int(box.top), of: height)
        let bottom = percent(area.y, isEmpty ? area.height : Int(box.bottom), of: height)
        return right > left && bottom > top ? (left, top, right, bottom) : nil
    }
}
