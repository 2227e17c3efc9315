public import UndertextCore

/// A renderer that draws the subtitles of one or two tracks as pixels to composite over a video.
///
/// libass draws scripts (ASS, SSA) with their attached fonts. Other text is converted to a script first, which
/// keeps positions, regions, colors, boxes and ruby; images are scaled. The renderer requires a build with the
/// package trait `Rendering`, and libass, which is loaded at the first use.
///
/// Only one thread at a time may use a renderer. An overlay is drawn again only if something changes:
///
/// ```swift
/// let renderer = try OverlayRenderer(
///     OverlayContent(document), geometry: OverlayGeometry(video: PixelSize(width: 1920, height: 1080)))
/// let overlay = try renderer.overlay(at: .seconds(62))
/// if overlay.changeID != shown { upload(overlay.pixels, overlay.dirty) }
/// ```
public final class OverlayRenderer {
    /// The sizes and the pixel format of overlays.
    public let geometry: OverlayGeometry
    #if Rendering
        private let compositor: OverlayCompositor
    #endif

    /// The number of overlays that were drawn rather than reused.
    public var drawCount: Int {
        #if Rendering
            compositor.drawCount
        #else
            0
        #endif
    }

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - primary: The main content.
    ///   - secondary: Additional content that is shown at the same time, at the top unless its style has another
    ///     position; its scripts are drawn as plain text.
    ///   - geometry: The sizes and the pixel format of overlays.
    ///   - style: The viewer's style for `primary`.
    ///   - secondaryStyle: The viewer's style for `secondary`.
    ///   - limits: The limits of content.
    /// - Throws: `RenderingError` if the trait is missing (`unsupported`) or sizes exceed the limits. A missing
    ///   libass is reported when there is text to draw.
    public init(
        _ primary: OverlayContent, secondary: OverlayContent? = nil, geometry: OverlayGeometry,
        style: SubtitleStyle = SubtitleStyle(), secondaryStyle: SubtitleStyle = SubtitleStyle(),
        limits: Limits = Limits()
    ) throws(RenderingError) {
        #if Rendering
            self.geometry = geometry
            compositor = try OverlayCompositor(
                primary, secondary: secondary, geometry: geometry,
                styles: [.primary: style, .secondary: secondaryStyle], limits: limits)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// `true` if this build can draw, because it has the package trait `Rendering`.
    public static var isAvailable: Bool {
        #if Rendering
            true
        #else
            false
        #endif
    }

    static let isMissing =
        "this build cannot draw subtitles; build it with the package trait Rendering"

    // MARK: Content

    /// Adds cues while a track is being read; cues that are already known are ignored.
    ///
    /// - Throws: `RenderingError` if there are too many cues, or there is no secondary content.
    public func append(_ cues: [Cue], to slot: OverlaySlot = .primary) throws(RenderingError) {
        #if Rendering
            try compositor.append(cues, to: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Replaces the cues of a track, for example if some were removed or their order changed.
    ///
    /// - Throws: `RenderingError` if there are too many cues, or there is no secondary content.
    public func replace(_ cues: [Cue], in slot: OverlaySlot = .primary) throws(RenderingError) {
        #if Rendering
            try compositor.replace(cues, in: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Changes the viewer's style of later overlays.
    public func setStyle(
        _ style: SubtitleStyle, of slot: OverlaySlot = .primary
    ) throws(RenderingError) {
        #if Rendering
            try compositor.setStyle(style, of: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Returns the diagnostics since the last call: messages of libass, and cues that were not drawn.
    public func takeDiagnostics() -> [Diagnostic] {
        #if Rendering
            compositor.takeDiagnostics()
        #else
            []
        #endif
    }

    // MARK: Time

    /// Returns the first time after `time` at which the overlay may change, or `nil` if there is none.
    ///
    /// During an animation this is the next millisecond, so request an overlay for each video frame.
    /// Only cues known so far are considered.
    public func nextChange(after time: Timestamp) -> Timestamp? {
        #if Rendering
            compositor.nextChange(after: time)
        #else
            nil
        #endif
    }

    /// Returns the overlay at a time, in whole milliseconds.
    ///
    /// - Throws: `RenderingError` if libass is missing or out of memory.
    public func overlay(at time: Timestamp) throws(RenderingError) -> Overlay {
        #if Rendering
            return try compositor.overlay(at: time)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }
}
