internal import UndertextFormats

extension PixelRectangle {
    /// The same rectangle, lower by a number of rows.
    func moved(down rows: Int) -> PixelRectangle {
        rows == 0 ? self : PixelRectangle(x: x, y: y + rows, width: width, height: height)
    }

    /// A rectangle that holds nothing.
    static let none = PixelRectangle(x: 0, y: 0, width: 0, height: 0)

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The rectangles without empty ones, those that meet made one.
    static func merged(_ rectangles: [PixelRectangle]) -> [PixelRectangle] {
        var result: [PixelRectangle] = []
        for rectangle in rectangles where !rectangle.isEmpty {
            var whole = rectangle
            while let place = result.firstIndex(where: { !$0.intersection(whole).isEmpty }) {
                whole = whole.union(result.remove(at: place))
            }
            result.append(whole)
        }
        return result
    }
}
