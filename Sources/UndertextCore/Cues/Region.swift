/// A part of the video in which cues are placed.
///
/// W3C WebVTT, section 3.2.
public struct Region: Hashable, Sendable {
    /// The identifier that cues refer to.
    public var id: String
    /// The width in percent of the video.
    public var width: Double = 100
    /// The number of lines.
    public var lines: Int = 3
    /// The point of the region that is placed at ``viewportAnchor``, in percent of the region.
    public var regionAnchor: Anchor = Anchor(x: 0, y: 100)
    /// The point of the video at which ``regionAnchor`` is placed, in percent of the video.
    public var viewportAnchor: Anchor = Anchor(x: 0, y: 100)
    /// `true` if cues scroll up.
    public var scrollsUp = false

    /// Creates a region with the defaults of WebVTT.
    public init(id: String) { self.id = id }

    /// A point in percent.
    public struct Anchor: Hashable, Sendable {
        /// The distance from the left edge in percent.
        public var x: Double
        /// The distance from the top edge in percent.
        public var y: Double

        /// Creates a point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }
}
