internal import Undertext
public import UndertextCore

/// A visible text or image, with times on the player's clock, including delays.
///
/// A cue with several images has one part per image.
public struct DisplayedSubtitle: Hashable, Sendable {
    /// The time at which it appears.
    public var start: Timestamp
    /// The time at which it disappears.
    public var end: Timestamp
    /// The position of the top left corner of ``image`` on its canvas in pixels; zero for text.
    public var origin: Origin
    /// The text in runs of equal style, or `nil` for an image.
    public var text: StyledText?
    /// The image, or `nil` for text.
    public var image: IndexedBitmap?
    /// The size of the canvas that ``origin`` refers to, in pixels, or `nil` if unknown.
    public var canvas: PixelSize?
    /// The position of the text, or `nil` for an image.
    public var textPosition: TextPosition?
    /// The complete cue, with the times of the file.
    public var cue: Cue

    /// A position on a canvas, in pixels.
    public struct Origin: Hashable, Sendable {
        /// The distance from the left edge.
        public var x: Int
        /// The distance from the top edge.
        public var y: Int

        /// Creates a position.
        public init(x: Int = 0, y: Int = 0) {
            self.x = x
            self.y = y
        }
    }

    /// Returns the parts of a cue in drawing order.
    ///
    /// - Parameters:
    ///   - cue: The cue; each of its images becomes a part.
    ///   - delay: The delay relative to the times of the file.
    ///   - canvas: The canvas of the track, for cues that state none.
    /// - Returns: The parts; empty for a cue that shows nothing.
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
