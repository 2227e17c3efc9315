internal import CueModel
internal import MediaCore

/// Where an ASS event stands, in WebVTT's terms.
struct ASSLayout {
    var canvas: PixelSize
    var alignment: NumpadAlignment
    /// Script pixels from `\pos` or `\move`.
    var position: (x: Double, y: Double)?
    var marginLeft: Int
    var marginRight: Int
    var marginVertical: Int

    /// Up to this distance from the edge, in percent, text counts as being at the edge.
    ///
    /// Players put text without a position about there, clear of their controls.
    static let edge = 15.0

    var cueLayout: CueLayout {
        let width = Double(max(canvas.width, 1))
        let height = Double(max(canvas.height, 1))
        if let position {
            return alignment.layout(x: position.x * 100 / width, y: position.y * 100 / height)
        }
        let left = percent(marginLeft, of: width)
        let right = percent(marginRight, of: width)
        let vertical = percent(marginVertical, of: height)
        var layout = alignment.layout(margin: alignment.column == 0 ? left : right)
        if alignment.column == 1 {
            // Unequal margins move the middle.
            let center = (left + 100 - right) / 2
            if (center - 50).magnitude >= 1 {
                layout.position = center
                layout.positionAlignment = .center
            }
        }
        if alignment.row != 1, vertical > Self.edge {
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
