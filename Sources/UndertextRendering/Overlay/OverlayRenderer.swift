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
    public private(set) var geometry: OverlayGeometry
    /// The number of times that all content was replaced; change IDs of before are of other pixels.
    package private(set) var replacementCount = 0
    private let feed: (any OverlayFeed)?
    #if Rendering
        private let limits: Limits
        private var styles: [OverlaySlot: SubtitleStyle]
        private var compositor: OverlayCompositor
        /// The overlays and diagnostics of earlier content.
        private var earlier = Earlier()

        private struct Earlier {
            var drawCount = 0
            var changeID: UInt64 = 0
            /// The visible part of the last overlay, until one of the new content replaces it.
            var bounds: PixelRectangle?
            var diagnostics: [Diagnostic] = []
        }
        /// The last overlay's change ID, and its visible part.
        private var last: (changeID: UInt64, bounds: PixelRectangle) = (0, .none)
    #endif

    /// The number of overlays that were drawn rather than reused.
    public var drawCount: Int {
        #if Rendering
            earlier.drawCount + compositor.drawCount
        #else
            0
        #endif
    }

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - first: The main content.
    ///   - second: Additional content that is shown at the same time, at the top unless its style has another
    ///     position; its scripts are drawn as plain text.
    ///   - geometry: The sizes and the pixel format of overlays.
    ///   - style: The viewer's style for `first`.
    ///   - secondStyle: The viewer's style for `second`.
    ///   - limits: The limits of content.
    /// - Throws: `RenderingError` if the trait is missing (`unsupported`) or sizes exceed the limits. A missing
    ///   libass is reported when there is text to draw.
    public convenience init(
        _ first: OverlayContent, second: OverlayContent? = nil, geometry: OverlayGeometry,
        style: SubtitleStyle = SubtitleStyle(), secondStyle: SubtitleStyle = SubtitleStyle(),
        limits: Limits = Limits()
    ) throws(RenderingError) {
        try self.init(
            first, second: second, feed: nil, geometry: geometry,
            styles: [.first: style, .second: secondStyle], limits: limits)
    }

    /// Creates a renderer whose content a feed keeps up to date.
    package init(
        _ first: OverlayContent = OverlayContent(), second: OverlayContent? = nil,
        feed: (any OverlayFeed)?, geometry: OverlayGeometry,
        styles: [OverlaySlot: SubtitleStyle], limits: Limits
    ) throws(RenderingError) {
        #if Rendering
            self.geometry = geometry
            self.feed = feed
            self.limits = limits
            self.styles = styles
            compositor = try OverlayCompositor(
                first, second: second, geometry: geometry, styles: styles, limits: limits)
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
    /// - Throws: `RenderingError` if there are too many cues, or there is no second content.
    public func append(_ cues: [Cue], to slot: OverlaySlot = .first) throws(RenderingError) {
        #if Rendering
            try compositor.append(cues, to: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Replaces the cues of a track, for example if some were removed or their order changed.
    ///
    /// - Throws: `RenderingError` if there are too many cues, or there is no second content.
    public func replace(_ cues: [Cue], in slot: OverlaySlot = .first) throws(RenderingError) {
        #if Rendering
            try compositor.replace(cues, in: slot)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Replaces all content: another track, header, or set of fonts.
    package func setContent(
        _ first: OverlayContent, second: OverlayContent?
    ) throws(RenderingError) {
        #if Rendering
            let new = try OverlayCompositor(
                first, second: second, geometry: geometry, styles: styles, limits: limits)
            replaceCompositor(with: new)
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    #if Rendering
        private func replaceCompositor(with new: OverlayCompositor) {
            earlier.drawCount += compositor.drawCount
            // Bounded, for programs that never take them.
            earlier.diagnostics += compositor.takeDiagnostics()
                .prefix(max(0, 100 - earlier.diagnostics.count))
            earlier.changeID = last.changeID
            earlier.bounds = last.bounds
            compositor = new
            replacementCount += 1
        }
    #endif

    /// Changes the sizes and the pixel format of later overlays; nothing changes on failure.
    ///
    /// - Throws: `RenderingError` if sizes exceed the limits.
    public func setGeometry(_ geometry: OverlayGeometry) throws(RenderingError) {
        #if Rendering
            guard geometry != self.geometry else { return }
            let new = try compositor.resized(to: geometry)
            let isOtherSize = geometry.output != self.geometry.output
            replaceCompositor(with: new)
            // The pixels of another size are not those of an overlay before.
            if isOtherSize { earlier.bounds = nil }
            self.geometry = geometry
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Returns the viewer's style of a slot.
    public func style(of slot: OverlaySlot = .first) -> SubtitleStyle {
        #if Rendering
            styles[slot] ?? SubtitleStyle()
        #else
            SubtitleStyle()
        #endif
    }

    /// Changes the viewer's style of later overlays.
    public func setStyle(
        _ style: SubtitleStyle, of slot: OverlaySlot = .first
    ) throws(RenderingError) {
        #if Rendering
            try compositor.setStyle(style, of: slot)
            styles[slot] = style
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }

    /// Returns the diagnostics since the last call: messages of libass, and cues that were not drawn.
    public func takeDiagnostics() -> [Diagnostic] {
        #if Rendering
            defer { earlier.diagnostics = [] }
            return earlier.diagnostics + compositor.takeDiagnostics()
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
            let time = try feed?.update(self, to: time) ?? time
            var overlay = try compositor.overlay(at: time)
            if replacementCount > 0 {
                let stale = earlier.bounds.take()
                overlay = overlay.continuing(after: earlier.changeID, replacing: stale)
            }
            last = (overlay.changeID, overlay.bounds)
            return overlay
        #else
            throw UndertextError(.unsupported, Self.isMissing)
        #endif
    }
}

/// Content of a renderer that changes, such as that of a player model.
package protocol OverlayFeed: AnyObject {
    /// Passes what is new to a renderer.
    ///
    /// - Returns: The renderer's time at a time of the player.
    func update(_ renderer: OverlayRenderer, to time: Timestamp) throws(RenderingError) -> Timestamp
}

extension Overlay {
    /// Returns the overlay as the successor of overlays with other content.
    ///
    /// - Parameters:
    ///   - changeID: The last change ID of the others.
    ///   - stale: The visible part of the last one, or `nil` if overlays of this content were returned since.
    /// - Returns: The overlay with a later change ID and all differences.
    fileprivate func continuing(
        after changeID: UInt64, replacing stale: PixelRectangle?
    ) -> Overlay {
        let dirty = stale.map { PixelRectangle.merged([$0, bounds] + self.dirty) } ?? self.dirty
        return Overlay(
            width: width, height: height, format: format, shared: shared, bounds: bounds,
            dirty: dirty, changeID: changeID + self.changeID, isAnimated: isAnimated)
    }
}
