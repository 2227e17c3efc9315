internal import Undertext
internal import UndertextCore
internal import UndertextPlayback
internal import UndertextRendering

/// The object of an `undertext_renderer`, which follows the selection and the loading of a model.
final class RendererHandle {
    private let handle: ModelHandle
    private var geometry: OverlayGeometry
    private var styles: [SubtitlePlace: SubtitleStyle] = [:]
    private var renderer: OverlayRenderer?
    /// The part of each track that was passed to ``renderer``.
    private var known: [SubtitlePlace: KnownTrack] = [:]
    private var canvas: OverlayCanvas
    /// The change ID of the overlay on the canvas, or `nil` if another renderer drew it.
    private var drawn: UInt64?
    private let diagnostics = DiagnosticQueue()
    private var previewCanvas: OverlayCanvas?

    init(_ handle: ModelHandle, _ geometry: OverlayGeometry) throws(UndertextError) {
        self.handle = handle
        self.geometry = geometry
        // Throws if the sizes are invalid or the build cannot draw.
        _ = try OverlayRenderer(OverlayContent(), geometry: geometry)
        canvas = OverlayCanvas(geometry.output)
    }

    /// Changes the sizes of later overlays.
    func setGeometry(_ new: OverlayGeometry) throws(UndertextError) {
        guard new != geometry else { return }
        _ = try OverlayRenderer(OverlayContent(), geometry: new)
        geometry = new
        leaveRenderer()
    }

    /// Returns the style of a place.
    func style(of place: SubtitlePlace) -> SubtitleStyle { styles[place] ?? SubtitleStyle() }

    /// Changes the style of later overlays.
    func setStyle(_ style: SubtitleStyle, of place: SubtitlePlace) throws(UndertextError) {
        styles[place] = style
        guard known[place] != nil else { return }
        try renderer?.setStyle(style, of: place.slot)
    }

    /// Reads the viewer's settings, which override the styles that were set before.
    ///
    /// - Parameter path: The path of a file, or `nil` for the viewer's file, which need not exist.
    /// - Throws: `UndertextError` if the file cannot be read; nothing changes in that case.
    func loadSettings(_ path: String?) throws(UndertextError) {
        var told: [Diagnostic] = []
        let settings = try SubtitleStyle.viewerSettings(at: path) { told.append($0) }
        diagnostics.add(told, atMost: Self.diagnosticsAtMost)
        for place in SubtitlePlace.allCases {
            try setStyle(
                .effective(application: style(of: place), viewer: settings), of: place)
        }
    }

    /// Returns the next diagnostic as a line that is valid until the next call, or NULL if there is none.
    func nextDiagnostic() -> UnsafePointer<CChar>? {
        if diagnostics.isEmpty { diagnostics.add(renderer?.takeDiagnostics() ?? []) }
        return unsafe diagnostics.next()
    }

    /// The maximum number of pending diagnostics, for programs that never take them.
    private static let diagnosticsAtMost = 100

    /// Discards the renderer and keeps its diagnostics.
    private func leaveRenderer() {
        diagnostics.add(renderer?.takeDiagnostics() ?? [], atMost: Self.diagnosticsAtMost)
        renderer = nil
    }

    /// Returns the overlay at a time of the player.
    func draw(at time: Timestamp) throws(UndertextError) -> DrawnOverlay {
        _ = handle.model.subtitle(currentTime: time)
        let tracks = (handle.model.loadedTrack, handle.model.secondLoadedTrack)
        let renderer = try renderer(for: tracks.0, tracks.1)
        // Animations of scripts use the renderer's clock, so that is the clock of the first track.
        let delay = tracks.0?.delay ?? tracks.1?.delay ?? .zero
        let overlay = try renderer.overlay(at: time.advanced(by: .zero - delay))
        defer { drawn = overlay.changeID }
        // After a change of size, the old pixels were valid until this call.
        if canvas.size != geometry.output { canvas = OverlayCanvas(geometry.output, after: canvas) }
        return canvas.show(overlay, knows: drawn)
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
        } else if let track = place == .first
            ? handle.model.loadedTrack : handle.model.secondLoadedTrack
        {
            content = OverlayContent(header: track.header, cues: track.cues, fonts: track.fonts)
        }
        var style = style(of: place)
        if place == .second, style.position == nil { style.position = .top }
        let renderer = try OverlayRenderer(content, geometry: geometry, style: style)
        let overlay = try renderer.overlay(
            at: renderer.timeOfFirstImage(of: content.cues) ?? .zero)
        let canvas = OverlayCanvas(geometry.output)
        previewCanvas = canvas
        return canvas.show(overlay, knows: nil)
    }

    /// Returns the renderer, after passing it everything that is loaded.
    private func renderer(
        for first: LoadedTrack?, _ second: LoadedTrack?
    ) throws(UndertextError) -> OverlayRenderer {
        let shift = (second?.delay ?? .zero) - (first?.delay ?? second?.delay ?? .zero)
        let wanted: [SubtitlePlace: (track: LoadedTrack, shift: Duration)] =
            [.first: first.map { ($0, .zero) }, .second: second.map { ($0, shift) }]
            .compactMapValues(\.self)
        if let renderer, try append(wanted, to: renderer) { return renderer }
        leaveRenderer()
        let new = try OverlayRenderer(
            content(wanted[.first]) ?? OverlayContent(), secondary: content(wanted[.second]),
            geometry: geometry, style: style(of: .first), secondaryStyle: style(of: .second))
        known = wanted.mapValues { KnownTrack($0.track, $0.shift) }
        renderer = new
        drawn = nil
        return new
    }

    /// Passes new cues to a renderer; returns `false` if a new renderer is needed.
    private func append(
        _ wanted: [SubtitlePlace: (track: LoadedTrack, shift: Duration)],
        to renderer: OverlayRenderer
    ) throws(UndertextError) -> Bool {
        guard wanted.count == known.count else { return false }
        for (place, (track, shift)) in wanted {
            guard let known = known[place], known.canGrow(to: track, shift) else { return false }
        }
        for (place, (track, shift)) in wanted {
            guard let before = known[place] else { continue }
            if !before.isBeginning(of: track) {
                // Cues were released or reordered: appending would store copies of them.
                try renderer.replace(shifted(track.cues[...], by: shift), in: place.slot)
            } else if before.count < track.cues.count {
                let new = track.cues.dropFirst(before.count)
                try renderer.append(shifted(new, by: shift), to: place.slot)
            }
            known[place] = KnownTrack(track, shift)
        }
        return true
    }

    private func content(_ wanted: (track: LoadedTrack, shift: Duration)?) -> OverlayContent? {
        wanted.map { track, shift in
            OverlayContent(
                header: track.header, cues: shifted(track.cues[...], by: shift), fonts: track.fonts)
        }
    }

    private func shifted(_ cues: ArraySlice<Cue>, by shift: Duration) -> [Cue] {
        guard shift != .zero else { return Array(cues) }
        return cues.map { cue in
            var cue = cue
            cue.start = cue.start.advanced(by: shift)
            cue.end = cue.end.advanced(by: shift)
            return cue
        }
    }
}

/// The part of a track that was passed to a renderer.
private struct KnownTrack {
    let id: SubtitleInfo.ID
    let header: SubtitleHeader
    let fontCount: Int
    let shift: Duration
    let epoch: UInt64
    let count: Int
    private let last: Cue?

    init(_ track: LoadedTrack, _ shift: Duration) {
        id = track.info.id
        header = track.header
        fontCount = track.fonts.count
        self.shift = shift
        epoch = track.epoch
        count = track.cues.count
        last = track.cues.last
    }

    /// Returns `true` if only the cues of the track can have changed.
    func canGrow(to track: LoadedTrack, _ shift: Duration) -> Bool {
        id == track.info.id && self.shift == shift && fontCount == track.fonts.count
            && header == track.header
    }

    /// Returns `true` if the known cues are still the first cues of the track.
    ///
    /// Comparing the last one detects a change from forced cues to all cues.
    func isBeginning(of track: LoadedTrack) -> Bool {
        epoch == track.epoch && count <= track.cues.count
            && (count == 0 || track.cues[count - 1] == last)
    }
}

extension SubtitlePlace {
    /// The slot of the place in an `OverlayRenderer`.
    fileprivate var slot: OverlaySlot { self == .first ? .primary : .secondary }
}
