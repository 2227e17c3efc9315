/// The area of a text track within the movie, in pixels of the movie.
///
/// MP4: `tkhd`.
public struct TrackArea: Hashable, Sendable {
    /// The left edge.
    public var x: Int
    /// The top edge.
    public var y: Int
    /// The width.
    public var width: Int
    /// The height.
    public var height: Int
    /// The size of the movie.
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
