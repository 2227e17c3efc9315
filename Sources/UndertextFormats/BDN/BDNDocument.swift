package import UndertextCore

/// The content of a BDN XML file: events, and the names of their images.
package struct BDNDocument: Hashable, Sendable {
    /// An image of an event.
    package struct Graphic: Hashable, Sendable {
        /// The name of a file beside the XML: never a path.
        package var file: String
        /// Left edge on the canvas, pixels.
        package var x: Int
        /// Top edge on the canvas, pixels.
        package var y: Int
        /// Width in pixels as stated; `nil` if it is not.
        package var width: Int?
        /// Height in pixels as stated; `nil` if it is not.
        package var height: Int?
    }

    /// Something that is shown.
    package struct Event: Hashable, Sendable {
        /// The start.
        package var start: Timestamp
        /// The end; after ``start``.
        package var end: Timestamp
        /// `true` if it is shown even when subtitles are off.
        package var isForced: Bool
        /// Its images, in drawing order.
        package var graphics: [Graphic]
    }

    /// The name of the title.
    package var title: String?
    /// The language.
    package var language: LanguageTag?
    /// The canvas that positions refer to; `nil` for an unknown video format.
    package var canvas: PixelSize?
    /// The rate that timecodes count in.
    package var frameRate: FrameRate
    /// The events, by start.
    package var events: [Event]
    /// The content that was left out, with reasons.
    package var diagnostics: [Diagnostic]
}
