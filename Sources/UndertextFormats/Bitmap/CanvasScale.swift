package import UndertextCore

/// A conversion of positions from one canvas to another of a different size.
package struct CanvasScale: Hashable, Sendable {
    /// The source canvas.
    package let from: PixelSize
    /// The canvas that they are brought to.
    package let to: PixelSize

    /// Creates the step from one canvas to another.
    package init(from: PixelSize, to: PixelSize) {
        self.from = from
        self.to = to
    }

    /// The source canvas as a rectangle.
    package var bounds: PixelRectangle {
        PixelRectangle(x: 0, y: 0, width: from.width, height: from.height)
    }

    /// The target rectangle of a source rectangle: at least one pixel in each direction.
    package func place(of rectangle: PixelRectangle) -> PixelRectangle {
        let (left, right) = Self.span(rectangle.x, rectangle.width, from.width, to.width)
        let (top, bottom) = Self.span(rectangle.y, rectangle.height, from.height, to.height)
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Returns the positions of two edges, to the nearest pixel.
    private static func span(_ start: Int, _ count: Int, _ from: Int, _ to: Int) -> (Int, Int) {
        func moved(_ value: Int) -> Int {
            let whole = Int128(max(1, from))
            return Int(clamping: (Int128(value) * Int128(to) * 2 + whole) / (2 * whole))
        }
        let first = moved(start)
        return (first, max(first + 1, moved(start + count)))
    }
}
