/// Where the area of a text track lies on the film's screen, in pixels of the film.
///
/// MP4: `tkhd`.
public struct TrackArea: Hashable, Sendable {
    /// Left edge.
    public var x: Int
    /// Top edge.
    public var y: Int
    /// Width.
    public var width: Int
    /// Height.
    public var height: Int
    /// The film's own size.
    public var screen: PixelSize

    /// Creates an area.
    public init(x: Int, y: Int, width: Int, height: Int, screen: PixelSize) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.screen = screen
    }
}
