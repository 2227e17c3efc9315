public import Undertext

/// One thing that is on screen: a text or an image; times are the player's, delays included.
///
/// A cue of several images gives as many parts.
public struct DisplayedSubtitle: Hashable, Sendable {
    /// When it appears.
    public var start: Timestamp
    /// When it disappears.
    public var end: Timestamp
    /// The left and top edge of ``image`` on its canvas, in pixels; zero for text.
    public var origin: Origin
    /// The text in runs of equal style; `nil` for an image.
    public var text: StyledText?
    /// The image; `nil` for text.
    public var image: IndexedBitmap?
    /// The screen that ``origin`` refers to, in pixels; `nil` if nothing states it.
    public var canvas: PixelSize?
    /// Where text stands; `nil` for an image.
    public var textPosition: TextPosition?
    /// The whole cue with all that the file says of it; its times are those of the file.
    public var cue: Cue

    /// A place on a canvas, in pixels.
    public struct Origin: Hashable, Sendable {
        /// From the left.
        public var x: Int
        /// From the top.
        public var y: Int

        /// Creates a place.
        public init(x: Int = 0, y: Int = 0) {
            self.x = x
            self.y = y
        }
    }

    /// The parts of a cue in drawing order.
    ///
    /// - Parameters:
    ///   - cue: the cue; its images become a part each.
    ///   - delay: how much later than in the file it is shown.
    ///   - canvas: the track's canvas, where the cue states none.
    /// - Returns: none for a cue that shows nothing.
    public static func parts(
        of cue: Cue, delay: Duration = .zero, canvas: PixelSize? = nil
    ) -> [DisplayedSubtitle] {
        let base = DisplayedSubtitle(
            start: cue.start.advanced(by: delay), end: cue.end.advanced(by: delay),
            origin: Origin(), cue: cue)
        switch cue.content {
        case .text(let text):
            guard !text.isEmpty else { return [] }
            var part = base
            part.text = text
            part.textPosition = TextPosition(
                cue.layout, direction: TextDirection(of: text.plainText))
            return [part]
        case .images(let images):
            return images.images.map { placed in
                var part = base
                part.image = placed.bitmap
                part.origin = Origin(x: placed.x, y: placed.y)
                part.canvas = images.canvas ?? canvas
                return part
            }
        }
    }

    private init(start: Timestamp, end: Timestamp, origin: Origin, cue: Cue) {
        self.start = start
        self.end = end
        self.origin = origin
        self.cue = cue
    }
}
