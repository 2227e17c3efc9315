public import UndertextCore

/// What a BDN XML file says: events, and the names of the images that they show.
public struct BDNDocument: Hashable, Sendable {
    /// An image of an event.
    public struct Graphic: Hashable, Sendable {
        /// The name of a file beside the XML: never a path.
        public var file: String
        /// Left edge on the canvas, pixels.
        public var x: Int
        /// Top edge on the canvas, pixels.
        public var y: Int
        /// Width in pixels as stated; `nil` if it is not.
        public var width: Int?
        /// Height in pixels as stated; `nil` if it is not.
        public var height: Int?
    }

    /// Something that is shown.
    public struct Event: Hashable, Sendable {
        /// When it appears.
        public var start: Timestamp
        /// When it disappears; after ``start``.
        public var end: Timestamp
        /// `true` if it is shown even when subtitles are off.
        public var isForced: Bool
        /// Its images, in drawing order.
        public var graphics: [Graphic]
    }

    /// The name of the title.
    public var title: String?
    /// The language.
    public var language: LanguageTag?
    /// The canvas that positions refer to; `nil` for an unknown video format.
    public var canvas: PixelSize?
    /// The rate that timecodes count in.
    public var frameRate: FrameRate
    /// The events, by start.
    public var events: [Event]
    /// What was left out, and why.
    public var diagnostics: [Diagnostic]
}
