/// A rectangle of pixels; the right and bottom edges are exclusive.
public struct PixelRectangle: Hashable, Sendable {
    /// Left edge.
    public var x: Int
    /// Top edge.
    public var y: Int
    /// Width, 0 or more.
    public var width: Int
    /// Height, 0 or more.
    public var height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// `true` if it contains no pixels.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// The intersection of both rectangles.
    public func intersection(_ other: PixelRectangle) -> PixelRectangle {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return PixelRectangle(
            x: left, y: top, width: min(x + width, other.x + other.width) - left,
            height: min(y + height, other.y + other.height) - top)
    }
}
