internal import UndertextCore

/// A margin of an event, in script pixels.
struct ASSMargin {
    /// That of the event, else that of its style.
    let value: Int
    /// Whether the event has another one than its style: it says where it stands itself.
    let isStated: Bool

    init(event: Int, style: Int) {
        value = event != 0 ? event : style
        isStated = value != style
    }
}

/// Where an ASS event stands, in WebVTT's terms.
struct ASSLayout {
    var canvas: PixelSize
    var alignment: NumpadAlignment
    /// Script pixels from `\pos` or `\move`.
    var position: (x: Double, y: Double)?
    var left: ASSMargin
    var right: ASSMargin
    var vertical: ASSMargin

    /// Up to this distance from the edge, in percent, text of a style counts as being at the edge.
    ///
    /// Players put text without a position about there, clear of their controls.
    static let edge = 15.0

    var cueLayout: CueLayout {
        let width = Double(max(canvas.width, 1))
        let height = Double(max(canvas.height, 1))
        let left = percent(left.value, of: width)
        let right = percent(right.value, of: width)
        let vertical = percent(vertical.value, of: height)
        let room = 100 - left - right
        if let position {
            var layout = alignment.layout(
                x: position.x * 100 / width, y: position.y * 100 / height)
            if self.left.isStated || self.right.isStated, room > 0 {
                // Margins say how wide its lines are.
                layout.size = room
                layout.positionAlignment = [.lineLeft, .center, .lineRight][alignment.column]
            }
            return layout
        }
        var layout = alignment.layout(margin: alignment.column == 0 ? left : right)
        let isBox: Bool
        switch alignment.column {
        case 0: isBox = self.right.isStated
        case 1: isBox = self.left.isStated && self.right.isStated
        default: isBox = self.left.isStated
        }
        if isBox, room > 0 { layout.size = room }
        if alignment.column == 1 {
            // Unequal margins move the middle.
            let center = (left + 100 - right) / 2
            if (center - 50).magnitude >= 1 || isBox && self.left.value != self.right.value {
                layout.position = center
                layout.positionAlignment = .center
            }
        }
        if alignment.row != 1, vertical > Self.edge || self.vertical.isStated {
            layout.line = alignment.row == 0 ? 100 - vertical : vertical
            layout.snapToLines = false
            layout.lineAlignment = alignment.row == 0 ? .end : .start
        }
        return layout
    }

    private func percent(_ margin: Int, of size: Double) -> Double {
        min(max(Double(margin) * 100 / size, 0), 100)
    }
}
