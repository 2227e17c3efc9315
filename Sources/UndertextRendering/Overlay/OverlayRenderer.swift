public import UndertextCore

/// Draws the subtitles of a track, or of two at once, as pixels to be laid over a video.
///
/// Scripts (ASS, SSA) are drawn by libass as they are, with the fonts that came with them; other text is made
/// a script first, which keeps places, regions, colors, boxes and ruby; images are scaled. It
/// needs a build with the package trait `Rendering`, and libass, which is looked for at the first
/// use.
///
/// One thread at a time may use it. Nothing is drawn again while nothing changes:
///
/// ```swift
/// let renderer = try OverlayRenderer(
///     OverlayContent(document), geometry: OverlayGeometry(video: PixelSize(width: 1920, height: 1080)))
/// let overlay = try renderer.overlay(at: .seconds(62))
/// if overlay.changeID != shown { upload(overlay.pixels, overlay.dirty) }
/// ```
public final class OverlayRenderer {
    /// The sizes that it draws for.
    public let geometry: OverlayGeometry
    #if Rendering
        private let compositor: OverlayCompositor
    #endif

    /// How often an overlay was drawn, rather than given out once more.
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
    ///   - primary: the main content.
    ///   - secondary: another one that is shown at the same time, at the top unless its style says
    ///     otherwise; a script is drawn as plain text there.
    ///   - geometry: the sizes to draw for.
    ///   - style: what the viewer wants to look otherwise.
    ///   - secondaryStyle: the same for `secondary`.
    ///   - limits: what content may ask for.
    /// - Throws: `RenderingError`: the trait is missing (`unsupported`), or sizes exceed the limits. That libass
    ///   is missing is told when there is text to draw.
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

    /// `true` if this build can draw: it was made with the package trait `Rendering`.
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

    /// Adds cues while a track is still being read; cues that are known already change nothing.
    ///
    /// - Throws: `RenderingError`: there are too many, or there is no secondary content to add to.
    public func append(_ cues: [Cue], to slot: OverlaySlot = .primary) throws(RenderingError) {
        #if Rendering
            try compositor.append(cues, to: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Shows other cues of the same track from now on: where some were given back, or stand in another
    /// order.
    ///
    /// - Throws: `RenderingError`: there are too many, or there is no secondary content.
    public func replace(_ cues: [Cue], in slot: OverlaySlot = .primary) throws(RenderingError) {
        #if Rendering
            try compositor.replace(cues, in: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Draws in another style from now on.
    public func setStyle(
        _ style: SubtitleStyle, of slot: OverlaySlot = .primary
    ) throws(RenderingError) {
        #if Rendering
            try compositor.setStyle(style, of: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// The diagnostics since the last call: what libass says, and what was not drawn.
    public func takeDiagnostics() -> [Diagnostic] {
        #if Rendering
            compositor.takeDiagnostics()
        #else
            []
        #endif
    }

    // MARK: Time

    /// The first time after `time` at which what is shown may change; `nil` if it never does again.
    ///
    /// While something moves that is the next millisecond: each frame of the video is to be asked for then.
    /// Valid for the cues that are known.
    public func nextChange(after time: Timestamp) -> Timestamp? {
        #if Rendering
            compositor.nextChange(after: time)
        #else
            nil
        #endif
    }

    /// What is shown at a time, counted in whole milliseconds.
    ///
    /// - Throws: `RenderingError`: libass is missing or has no memory.
    public func overlay(at time: Timestamp) throws(RenderingError) -> Overlay {
        #if Rendering
            return try compositor.overlay(at: time)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }
}
