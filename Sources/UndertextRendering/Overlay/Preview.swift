public import UndertextCore

/// Draws the first visible cue in a viewer's style.
///
/// - Parameters:
///   - content: A track, or some of its cues.
///   - style: The viewer's style.
///   - size: The size of the image in pixels.
/// - Returns: The image; empty if no cue is visible.
/// - Throws: The errors of ``OverlayRenderer``.
public func previewSubtitles(
    _ content: OverlayContent, style: SubtitleStyle = SubtitleStyle(), size: PixelSize
) throws(RenderingError) -> Overlay {
    let renderer = try OverlayRenderer(
        content, geometry: OverlayGeometry(video: size), style: style)
    return try renderer.overlay(
        at: renderer.timeOfFirstImage(of: content.cues) ?? .zero)
}

extension OverlayRenderer {
    /// Many files begin with empty cues and cues that are only comments.
    private static let cuesAtMost = 100

    /// Returns the middle of the first visible cue, where nothing fades.
    ///
    /// - Parameter cues: The cues to test in order of time, at most the first hundred.
    /// - Returns: A time whose ``overlay(at:)`` is already drawn, or `nil` if no cue is visible.
    /// - Throws: The errors of ``overlay(at:)``.
    public func timeOfFirstImage(of cues: [Cue]) throws(RenderingError) -> Timestamp? {
        let first = cues.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
            .prefix(Self.cuesAtMost)
        for cue in first {
            let middle = cue.start.advanced(by: cue.start.duration(to: cue.end) / 2)
            if try !overlay(at: middle).isEmpty { return middle }
        }
        return nil
    }
}
