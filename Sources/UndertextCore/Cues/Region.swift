/// A part of the video in which cues are placed.
///
/// W3C WebVTT, section 3.2.
public struct Region: Hashable, Sendable {
    /// The name cues refer to.
    public var id: String
    /// Width, percent of the video.
    public var width: Double = 100
    /// Number of lines.
    public var lines: Int = 3
    /// The point within the region that is placed, percent x and y.
    public var regionAnchor: Anchor = Anchor(x: 0, y: 100)
    /// The point of the video where it is placed, percent x and y.
    public var viewportAnchor: Anchor = Anchor(x: 0, y: 100)
    /// `true` if cues scroll up.
    public var scrollsUp = false

    /// A region with the defaults of WebVTT.
    public init(id: String) { self.id = id }

    /// A point in percent.
    public struct Anchor: Hashable, Sendable {
        /// Percent from the left.
        public var x: Double
        /// Percent from the top.
        public var y: Double

        /// Creates a point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }
}
