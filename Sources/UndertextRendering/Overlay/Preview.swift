public import UndertextCore

/// Draws the first cue that shows something, as a viewer's settings would have it.
///
/// - Parameters:
///   - content: a track, or some cues of it.
///   - style: what is to look otherwise.
///   - size: of the image, pixels.
/// - Returns: the image; empty if no cue shows anything.
/// - Throws: what ``OverlayRenderer`` throws.
public func previewSubtitles(
    _ content: OverlayContent, style: SubtitleStyle = SubtitleStyle(), size: PixelSize
) throws(RenderingError) -> Overlay {
    let renderer = try OverlayRenderer(
        content, geometry: OverlayGeometry(video: size), style: style)
    return try renderer.overlay(
        at: renderer.timeOfFirstImage(of: content.cues) ?? .zero)
}

extension OverlayRenderer {
    /// Empty cues and those that are only comments come first in many files.
    private static let cuesAtMost = 100

    /// The middle of the first cue that shows something, where nothing fades.
    ///
    /// - Parameter cues: those that are looked at by time, the first hundred at most.
    /// - Returns: a time that ``overlay(at:)`` has been drawn for already; `nil` if none shows anything.
    /// - Throws: what ``overlay(at:)`` throws.
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
