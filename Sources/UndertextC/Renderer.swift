internal import Undertext
internal import UndertextCore
internal import UndertextPlayback
internal import UndertextRendering

/// The object of an `undertext_renderer`, which follows the selection and the loading of a model, or has the content of
/// a document.
final class RendererHandle {
    private let source: Source
    private let renderer: OverlayRenderer
    private var canvas: OverlayCanvas
    /// The change ID of the overlay on the canvas, and the content that it is of.
    private var drawn: (changeID: UInt64, content: Int)?
    private let diagnostics = DiagnosticQueue()
    private var previewCanvas: OverlayCanvas?

    /// The origin of the cues.
    private enum Source {
        case model(ModelHandle)
        case document(OverlayContent)
    }

    init(_ handle: ModelHandle, _ geometry: OverlayGeometry) throws(UndertextError) {
        source = .model(handle)
        renderer = try OverlayRenderer(model: handle.model, geometry: geometry)
        canvas = OverlayCanvas(geometry.output)
    }

    init(_ content: OverlayContent, _ geometry: OverlayGeometry) throws(UndertextError) {
        source = .document(content)
        renderer = try OverlayRenderer(content, geometry: geometry)
        canvas = OverlayCanvas(geometry.output)
    }

    /// The cues of a place that are known now; `nil` without any.
    private func content(of place: SubtitlePlace) -> OverlayContent? {
        switch source {
        case .document(let content): return place == .first ? content : nil
        case .model(let handle):
            let model = handle.model
            let track = place == .first ? model.loadedTrack : model.secondLoadedTrack
            return track.map {
                OverlayContent(header: $0.header, cues: $0.cues, fonts: $0.fonts)
            }
        }
    }

    /// Changes the sizes of later overlays.
    func setGeometry(_ new: OverlayGeometry) throws(UndertextError) {
        try renderer.setGeometry(new)
    }

    /// Returns the style of a place.
    func style(of place: SubtitlePlace) -> SubtitleStyle { renderer.style(of: place.slot) }

    /// Changes the style of later overlays.
    func setStyle(_ style: SubtitleStyle, of place: SubtitlePlace) throws(UndertextError) {
        try renderer.setStyle(style, of: place.slot)
    }

    /// Reads the viewer's settings, which override the styles that were set before.
    ///
    /// - Parameter path: The path of a file, or `nil` for the viewer's file, which need not exist.
    /// - Throws: `UndertextError` if the file cannot be read; nothing changes in that case.
    func loadSettings(_ path: String?) throws(UndertextError) {
        var reported: [Diagnostic] = []
        let settings = try SubtitleStyle.viewerSettings(at: path) { reported.append($0) }
        diagnostics.add(reported, atMost: Self.diagnosticsAtMost)
        for place in SubtitlePlace.allCases {
            try setStyle(
                .effective(application: style(of: place), viewer: settings), of: place)
        }
    }

    /// Returns the next diagnostic as a line that is valid until the next call, or NULL if there is none.
    func nextDiagnostic() -> UnsafePointer<CChar>? {
        if diagnostics.isEmpty { diagnostics.add(renderer.takeDiagnostics()) }
        return unsafe diagnostics.next()
    }

    /// The maximum number of pending diagnostics, for programs that never take them.
    private static let diagnosticsAtMost = 100

    /// Returns the overlay at a time of the player.
    func draw(at time: Timestamp) throws(UndertextError) -> DrawnOverlay {
        let overlay = try renderer.overlay(at: time)
        let content = renderer.replacementCount
        let known = drawn?.content == content ? drawn?.changeID : nil
        // After a change of size, the old pixels were valid until this call.
        let size = renderer.geometry.output
        if canvas.size != size { canvas = OverlayCanvas(size, after: canvas) }
        drawn = (overlay.changeID, content)
        return canvas.show(overlay, knows: known)
    }

    /// Returns the overlay of a text, or of the first visible loaded cue, in the style of a place.
    func preview(_ text: String?, of place: SubtitlePlace) throws(UndertextError) -> DrawnOverlay {
        var content = OverlayContent()
        if let text {
            content.cues = [
                Cue(
                    start: .zero, end: .seconds(1),
                    content: .text(StyledText(runs: [TextRun(text)])))
            ]
        } else if let known = self.content(of: place) {
            content = known
        }
        var style = style(of: place)
        if place == .second, style.position == nil { style.position = .top }
        let renderer = try OverlayRenderer(
            content, geometry: renderer.geometry, style: style)
        let overlay = try renderer.overlay(
            at: renderer.timeOfFirstImage(of: content.cues) ?? .zero)
        // Each preview has a change ID of its own, which no overlay of `draw` reaches.
        let canvas = OverlayCanvas(
            renderer.geometry.output, after: previewCanvas, firstID: 1 << 63)
        previewCanvas = canvas
        return canvas.show(overlay, knows: nil)
    }
}
